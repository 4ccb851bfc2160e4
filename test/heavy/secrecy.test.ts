import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import { isRead, type OperationId } from "../../provider/service/operations";
import { type Simulator, startSimulator } from "../../simulator";
import { Canaries } from "../support/canaries";
import { assertDone, assertFailed, PulumiProject, type Run } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { installedProject } from "../../tools/harness/installation";
import { kindFixtures } from "../support/kind-fixtures";
import { type SecretStack, secretStack } from "../support/secret-stack";

/** The operations of one step in the life of each kind that change something, or that read. */
const changing = (step: "create" | "update" | "delete"): OperationId[] =>
  Object.values(kindFixtures).flatMap(({ lives }) => (lives[0][step] ?? []).filter((id) => !isRead(id)));
const reading = Object.values(kindFixtures).flatMap(({ lives }) => lives[0].read);

for (const form of allForms)
  describe(`Secrets on the real engine, in the ${form} form`, () => {
    const canaries = new Canaries();
    let secret: SecretStack;
    let simulator: Simulator;
    let stack: PulumiProject;

    // The token comes from the environment, the API key from the stack's configuration.
    before(async () => {
      secret = secretStack(canaries);
      simulator = await startSimulator({
        credentials: [
          { value: secret.accessToken, kind: "personal-token" },
          { value: secret.apiKey, kind: "api-key" },
        ],
      });
      secret.furnish(simulator);
      stack = await PulumiProject.create({
        program: secret.program,
        baseUrl: simulator.url,
        form,
        environment: {
          SECRETS: JSON.stringify(secret.secrets),
          LABEL: "recorded",
          RUN: "1",
          // Enables the event log of `up`.
          PULUMI_DEBUG_COMMANDS: "true",
          WORKSPACE_APPS_ACCESS_TOKEN: secret.accessToken,
          WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0",
          WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS: "0",
        },
      });
      assertDone(await stack.pulumi("config", "set", "--secret", "workspace-apps:apiKey", secret.apiKey));
    });
    after(() => simulator.close());

    /** Runs a command as users do. */
    const pulumi = (command: string, ...more: string[]): Promise<Run> =>
      stack.pulumi(command, "--yes", "--skip-preview", "--non-interactive", "--diff", ...more);

    function assertNone(name: string, text: string): void {
      const leaks = text.split("\n").filter((line) => canaries.foundIn(line).length > 0);
      assert.deepEqual(canaries.foundIn(text), [], `in ${name}: ${leaks.join("\n")}`);
    }

    async function assertNoneIn(run: Run): Promise<Run> {
      assertNone("the output", run.output);
      assertNone("the state", await stack.rawState());
      return run;
    }

    /** Runs the published command, and returns its output for any exit code. */
    async function workspaceApps(input: string, ...args: string[]): Promise<string> {
      const command = path.join(installedProject(), "node_modules/.bin/workspace-apps");
      const env = { ...stack.environment, PULUMI_BACKEND_URL: `file://${path.join(stack.folder, "state")}` };
      const child = spawn(command, args, { env, cwd: stack.folder });
      child.stdin.end(input);
      const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
      assert.notEqual(stdout, "", stderr);
      return stdout + stderr;
    }

    async function assertNoneInReviewOf(plan: string): Promise<void> {
      for (const format of ["markdown", "json"])
        assertNone(`the ${format} review`, await workspaceApps(plan, "review", "--format", format));
    }

    it("are not printed by a preview or a review of a plan", async () => {
      const plan = await assertNoneIn(await stack.plan());
      assertDone(plan, { create: secret.program.match(/new apps\./g)?.length ?? 0 });
      await assertNoneInReviewOf(plan.stdout);
    });

    it("are neither printed nor saved by a preview or an up that the service refuses, whatever the service repeats", async () => {
      secret.refuse(simulator, ["userStats.get"]);
      assertFailed(
        await assertNoneIn(await stack.preview()),
        /getUserStats: userStats\.get failed: the service answered 403\..*The service said: \(message hidden/,
      );
      secret.refuse(simulator, ["campaign.launch"], 409);
      secret.refuse(simulator, changing("create"));
      const refused = await assertNoneIn(await pulumi("up", "--continue-on-error"));
      assertFailed(refused, /MONEY MAY BE MOVING/);
      for (const operation of changing("create"))
        assert.match(
          refused.output,
          new RegExp(
            `${operation} failed: the service answered 4\\d\\d\\.(?: \\[WA\\d{4}\\])?\\s+The service said: \\(message hidden`,
          ),
        );
    });

    it("are printed at Pulumi's highest log level by Pulumi itself, as for any provider, and by nothing else", async () => {
      const events = path.join(stack.folder, "events.json");
      stack.environment["RUN"] = "2";
      const run = await stack.up("--debug", "--logtostderr", "-v=11", "--event-log", events);
      assertDone(run);
      await learnSigningSecret();
      const lines = `${run.output}\n${await readFile(events, "utf8")}`.split("\n");
      const forms = new Map<string, Set<string>>();
      for (const line of lines)
        for (const found of canaries.foundIn(line)) forms.set(found, (forms.get(found) ?? new Set()).add(formOf(line)));

      assert.equal(forms.get("access token"), undefined, "a secret from the environment is in no log");
      const key = forms.get("API key");
      const calls = form === "dynamic" ? ["Configure"] : ["CheckConfig", "Configure"];
      assert.deepEqual(
        [...(key ?? [])].sort(),
        calls.map((call) => `property for RPC[Provider.${call}`),
        "the engine's log of its own message",
      );
      const ofAnyProvider = forms.get("control") ?? new Set();
      assert.ok(ofAnyProvider.size > 0, "the scan finds existing secrets");
      // The control is no argument of an invoke, which the SDK and the engine print for any provider.
      const isOfInvoke = (seen: string): boolean =>
        form === "packaged" &&
        /^property for RPC\[\w+\.Invoke$|^Invoke RPC finished: tok=|, obj=\{.*__awaited/.test(seen);
      const ours = [...forms].filter(([found]) => !["access token", "API key", "control"].includes(found));
      assert.ok(ours.length > 0);
      for (const [found, seen] of ours)
        assert.deepEqual(
          [...seen].filter((one) => !ofAnyProvider.has(one) && !isOfInvoke(one)),
          [],
          found,
        );
      assertNone("the state", await stack.rawState());
    });

    it("are not printed by a refresh that finds only secrets changed, nor by the up that repairs it", async () => {
      secret.drift(simulator);
      secret.refuse(simulator, reading);
      assertFailed(
        await assertNoneIn(await pulumi("refresh")),
        /webhook\.get failed: the service answered 403\. \[WA1503\]\s+The service said: \(message hidden/,
      );
      // Reads that the engine did not begin after the first refusal.
      simulator.clearFaults();
      assertDone(await assertNoneIn(await pulumi("refresh")));

      stack.environment["LABEL"] = "changed";
      const signed = simulator.objects.webhooks("agent-support").find(({ has_secret }) => has_secret);
      secret.refuse(simulator, changing("update"), 500);
      secret.refuse(simulator, ["webhook.update"], 500, { parameters: { webhook_id: signed?.id ?? "" } });
      assertFailed(await assertNoneIn(await pulumi("up")), /may sign with a secret that nobody has seen/);
      simulator.clearFaults();
      assertDone(await assertNoneIn(await pulumi("up")));
      await learnSigningSecret();
      assertNone("the outputs", (await stack.pulumi("stack", "output", "--json")).output);
    });

    it("are not printed by the doctor, and the simulator logs no credential", async () => {
      const ids = ["app_id=app-shop", "agent_id=agent-support", "folder_id=folder-team", "entity_name=TaxRate"];
      const doctor = ["doctor", "--stack", "dev", ...ids.flatMap((id) => ["--id", id])];
      assertNone("the doctor", await workspaceApps("", ...doctor));
      const log = JSON.stringify(await (await fetch(`${simulator.url}/__simulator/requests`)).json());
      const sent = canaries.foundIn(log);
      assert.ok(sent.includes("record field"), "bodies are logged");
      assert.deepEqual(
        sent.filter((found) => ["access token", "API key", "signing secret", "value of a connection"].includes(found)),
        [],
      );
    });

    it("are not printed by a refused or successful destroy", async () => {
      secret.refuse(simulator, changing("delete"));
      assertFailed(
        await assertNoneIn(await pulumi("destroy", "--continue-on-error")),
        /webhook\.delete failed: the service answered 403\. \[WA1503\]\s+The service said: \(message hidden/,
      );
      assertDone(await assertNoneIn(await pulumi("destroy")));
      assert.deepEqual(await stack.stored(), []);
    });

    /** The service generates it, and shows it once. */
    async function learnSigningSecret(): Promise<void> {
      const { output } = await stack.pulumi("stack", "output", "--json", "--show-secrets");
      const { signed } = JSON.parse(output) as { signed: { secret: string } };
      assert.match(signed.secret, /^whsec_/);
      canaries.add("signing secret", signed.secret);
    }
  });

/** The kind of a line: its text before the name of a resource. */
function formOf(line: string): string {
  const message = /"(?:msg|message)":"(.*)/.exec(line)?.[1] ?? line;
  return message
    .replace(/\[0x[0-9a-f]+\]/, "")
    .replace(/^(Un)?[Mm]arshaling /, "")
    .replace(/(resource:|[(<]|urn:).*/, "")
    .replace(/(?<=Provider\.)(Check|Diff|Create|Update)$/, "*");
}
