import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { type Simulator, startSimulator } from "../../simulator";
import { ensureLanguage } from "../../tools/engine";
import { assertDone, assertFailed, companionChanges, PulumiProject } from "../../tools/harness/engine";
import { engineFolder, installedProject, workFolder } from "../../tools/harness/installation";
import { pythonEnvironment } from "../../tools/harness/python";
import { seen } from "./deployment";
import { exampleProject, fileOfExample } from "./examples";
import { onSimulator } from "./on-simulator";

/* A first build of the hosts takes minutes, and prints how long. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
export const buildTime = 30 * 60_000;

/** The example of a language, and what its tests change in it. */
interface Language {
  readonly example: string;
  readonly program: string;
  /** Prepares what the language needs to run programs. */
  readonly prepare: () => Promise<Record<string, string>>;
  /** The line that gives the campaign its intent. */
  readonly launchIntent: RegExp;
  /** Gives the campaign alone another app. */
  readonly otherApp: (program: string) => string;
  /** Gives the campaign alone another deletionPolicy. */
  readonly otherPolicy: (program: string) => string;
  /** Gives the intent a deletionPolicy, and the campaign the intent's. */
  readonly policyOfIntent: (program: string) => string;
  /** A program with a webhook in the stack's workspace, one in a Provider's, and a look-up there. */
  readonly twoWorkspaces: (provider: { baseUrl: string; accessToken: string }) => string;
  /** A Provider with wrong settings. */
  readonly wrongProvider: string;
}

const languages: Record<string, Language> = {
  YAML: {
    example: "yaml",
    program: "Main.yaml",
    prepare: async () => {
      await ensureLanguage("yaml", { say });
      return {};
    },
    launchIntent: /^ *launchIntent: .*\n/m,
    otherApp: (program) => edited(program, "appId: ${springIntent.appId}", "appId: app-other"),
    otherPolicy: (program) => edited(program, "timezone: Europe/Berlin", "deletionPolicy: retain"),
    policyOfIntent: (program) =>
      edited(
        edited(program, "timezone: Europe/Berlin", "deletionPolicy: ${springIntent.deletionPolicy}"),
        "appId: app-shop",
        "appId: app-shop\n      deletionPolicy: pause",
      ),
    twoWorkspaces: yamlOfTwoWorkspaces,
    wrongProvider: `
resources:
  second:
    type: pulumi:providers:workspace-apps
    properties:
      baseUrl: https://me:sesame-url@example.com
      accessToken: sesame token
      requestTimeoutSeconds: 0.05
      rateLimits: { webhook.update: 0 }
`,
  },
  Python: {
    example: "python",
    program: "__main__.py",
    prepare: async () => pythonEnvironment({ schemaFile: await servedSchema(), say }),
    launchIntent: /^ *launch_intent=.*\n/m,
    otherApp: (program) => edited(program, "app_id=spring_intent.app_id", 'app_id="app-other"'),
    otherPolicy: (program) => edited(program, 'timezone="Europe/Berlin"', 'deletion_policy="retain"'),
    policyOfIntent: (program) =>
      edited(
        edited(program, 'timezone="Europe/Berlin"', "deletion_policy=spring_intent.deletion_policy"),
        'app_id="app-shop"',
        'app_id="app-shop", deletion_policy="pause"',
      ),
    twoWorkspaces: pythonOfTwoWorkspaces,
    wrongProvider: `
import pulumi_workspace_apps as apps

apps.Provider(
    "second",
    base_url="https://me:sesame-url@example.com",
    access_token="sesame token",
    request_timeout_seconds=0.05,
    rate_limits={"webhook.update": 0},
)
`,
  },
};

const withoutIntent = /has no LaunchIntent\. Declare one before it, and give its id as launchIntent/;
const otherAppThanIntent = /is of app app-other, and its LaunchIntent of app app-shop\. Give both the same appId/;
const otherPolicyThanIntent = /has the deletionPolicy "retain", and its LaunchIntent has "delete"/;

/** Tests of programs in a language: that the example lives, or everything else. */
export function programsIn(name: string, part: "example" | "rest"): void {
  const language = languages[name] ?? assert.fail();
  describe(`Programs in ${name}`, () => {
    const { simulator } = onSimulator();
    let environment: Record<string, string>;
    before(async function () {
      this.timeout(buildTime);
      environment = { ...(await language.prepare()), WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1" };
    });

    const example = (): Promise<PulumiProject> => {
      const { example, program } = language;
      return exampleProject(example, simulator.url, { program, settings: [], more: { form: "packaged", environment } });
    };
    const source = (): Promise<string> => readFile(fileOfExample(language.example, language.program), "utf8");
    const webhooks = (): unknown[] => simulator.objects.webhooks("agent-support").map(({ description }) => description);
    const statuses = (): string[] => simulator.objects.campaigns("app-shop").map(({ status }) => status);
    const launches = (): number => simulator.objects.launches().length;

    if (part === "example") {
      it("run the example: previewed, applied, changed in place and destroyed", async () => {
        const stack = await example();
        assertDone(await stack.preview(), { create: 2 });
        const made = await stack.up();
        assertDone(made, { create: 2 });
        assert.deepEqual(companionChanges(made), { create: 1 });
        assert.deepEqual([webhooks(), statuses(), launches()], [["Replies to the help desk"], ["PAUSED"], 1]);
        const { signingSecret, launchedName, ...outputs } = await outputsOf(stack);
        const [webhook] = simulator.objects.webhooks("agent-support");
        assert.match(String(launchedName), /^Spring sale-[0-9a-f]{12}$/);
        assert.deepEqual(outputs, { webhookId: webhook?.id, campaignId: "cmp_1", review: "UNDER_REVIEW" });
        assert.match(String(signingSecret), /^whsec_/);
        assert.ok(!(await stack.rawState()).includes(String(signingSecret)));
        assertDone(await stack.preview("--expect-no-changes"), {});

        simulator.clearRequests();
        const changed = await stack.up("--config", "label=Night shift", "--config", "paused=false");
        assertDone(changed, { update: 2 });
        assert.deepEqual(companionChanges(changed), { same: 1 });
        const writes = seen(simulator).filter((line) => !/\.(list|get)/.test(line));
        assert.deepEqual(writes.sort(), ["campaign.resume", 'webhook.update {"description":"Night shift"}']);
        assert.deepEqual([statuses(), launches()], [["ENABLED"], 1]);

        assertDone(await stack.destroy(), { delete: 2 });
        assert.deepEqual([webhooks(), statuses(), launches()], [[], ["REMOVED"], 1]);
      });
      return;
    }

    it("are refused a campaign without its LaunchIntent, and one whose intent has another app or policy", async () => {
      const refused = [
        [(text: string) => text.replace(language.launchIntent, ""), withoutIntent],
        [language.otherApp, otherAppThanIntent],
        [language.otherPolicy, otherPolicyThanIntent],
      ] as const;
      const stack = await example();
      for (const [change, reason] of refused) {
        await stack.write(change(await source()));
        assertFailed(await stack.up(), reason);
      }
      assert.equal(launches(), 0);
      await stack.write(language.policyOfIntent(await source()));
      assertDone(await stack.up());
      // It cannot let go of the intent later either.
      await stack.write((await source()).replace(language.launchIntent, ""));
      assertFailed(await stack.preview(), withoutIntent);
      assertDone(await stack.destroy());
      assert.deepEqual([statuses(), launches()], [["PAUSED"], 1]);
    });

    it("manage a second workspace through a Provider, which never gets the stack's token", async () => {
      const accessToken = "token-of-the-second";
      const second = await startSimulator({ credentials: [{ value: accessToken, kind: "personal-token" }] });
      try {
        second.objects.putMember({ email: "second@example.com", role: "owner" });
        const program = language.twoWorkspaces({ baseUrl: second.url, accessToken });
        const options = { file: language.program, program, baseUrl: simulator.url, environment };
        const stack = await PulumiProject.create({ ...options, form: "packaged" });
        const webhooksIn = ({ objects }: Simulator): unknown[] =>
          objects.webhooks().map(({ target_url }) => target_url);
        const refused = ({ requests }: Simulator): unknown[] => requests.filter(({ status }) => status !== 200);

        assertDone(await stack.up(), { create: 2 });
        assert.deepEqual(webhooksIn(simulator), ["https://hooks.example.com/first"]);
        assert.deepEqual(webhooksIn(second), ["https://hooks.example.com/second"]);
        assert.deepEqual(await outputsOf(stack), { owner: "second@example.com" });
        assert.ok(!(await stack.rawState()).includes(accessToken));
        assertDone(await stack.destroy(), { delete: 2 });
        assert.deepEqual([webhooksIn(simulator), webhooksIn(second)], [[], []]);
        assert.deepEqual([refused(simulator), refused(second)], [[], []]);
      } finally {
        await second.close();
      }
    });

    it("are told what is wrong with a Provider, each problem with the name of its argument", async () => {
      const { program: file, wrongProvider: program } = language;
      const options = { file, program, baseUrl: simulator.url, environment };
      const stack = await PulumiProject.create({ ...options, form: "packaged" });
      const refused = await stack.preview();
      for (const problem of [
        /has a problem: The Provider's requestTimeoutSeconds must be at least 0\.1 seconds\./,
        /has a problem: The Provider's rateLimits .*webhook\.update.* at least 1\./,
        /has a problem: The Provider's baseUrl must not carry credentials/,
        /has a problem: The Provider's accessToken must be one line of printable characters/,
      ])
        assertFailed(refused, problem);
      assert.doesNotMatch(refused.output, /sesame/);
    });
  });
}

/** The schema as the installed plugin serves it, with the version of the package: an SDK without one names no plugin. */
export async function servedSchema(): Promise<string> {
  const plugin = "./node_modules/pulumi-workspace-apps/plugin/pulumi-resource-workspace-apps";
  const environment = { ...process.env, PULUMI_HOME: path.join(workFolder(), "pulumi-home") };
  const command = path.join(engineFolder(), "pulumi");
  const options = { cwd: installedProject(), env: environment, maxBuffer: 2 ** 24 };
  const { stdout } = await promisify(execFile)(command, ["package", "get-schema", plugin], options);
  const file = path.join(await mkdtemp(path.join(workFolder(), "schema-")), "schema.json");
  await writeFile(file, stdout);
  return file;
}

/** The outputs that `pulumi stack output` shows. */
async function outputsOf(project: PulumiProject): Promise<Record<string, unknown>> {
  const { stdout } = await project.pulumi("stack", "output", "--json", "--show-secrets");
  return JSON.parse(stdout) as Record<string, unknown>;
}

function edited(program: string, before: string, after: string): string {
  assert.ok(program.includes(before), `the example does not contain ${before}`);
  return program.replace(before, after);
}

/*
 * The Provider's arguments are of every type. With `documentedOnly`, only the operations of `endpoints` make its webhook
 * possible. The host of YAML gives the values as they are, the SDK of Python as JSON text.
 */

const endpoints = {
  "webhook.create": "POST /api/agents/{agent_id}/webhooks",
  "webhook.get": "GET /api/agents/{agent_id}/webhooks/{webhook_id}",
  "webhook.list": "GET /api/agents/{agent_id}/webhooks",
  "webhook.delete": "DELETE /api/agents/{agent_id}/webhooks/{webhook_id}",
};

function yamlOfTwoWorkspaces({ baseUrl, accessToken }: { baseUrl: string; accessToken: string }): string {
  return `
resources:
  second:
    type: pulumi:providers:workspace-apps
    properties:
      baseUrl: ${baseUrl}
      accessToken: ${accessToken}
      documentedOnly: true
      endpoints: ${JSON.stringify(endpoints)}
      rateLimits: { webhook.update: 50 }
      requestTimeoutSeconds: 12.5
  firstReplies:
    type: workspace-apps:index:Webhook
    properties:
      agentId: agent-support
      targetUrl: https://hooks.example.com/first
      events: [message.completed]
  secondReplies:
    type: workspace-apps:index:Webhook
    properties:
      agentId: agent-support
      targetUrl: https://hooks.example.com/second
      events: [message.completed]
    options:
      provider: \${second}
variables:
  owners:
    fn::invoke:
      function: workspace-apps:index:getMembers
      arguments: { roles: [owner], search: second@ }
      options:
        provider: \${second}
outputs:
  owner: \${owners.members[0].email}
`;
}

function pythonOfTwoWorkspaces({ baseUrl, accessToken }: { baseUrl: string; accessToken: string }): string {
  return `
import pulumi
import pulumi_workspace_apps as apps

second = apps.Provider(
    "second",
    base_url="${baseUrl}",
    access_token="${accessToken}",
    documented_only=True,
    endpoints=${JSON.stringify(endpoints)},
    rate_limits={"webhook.update": 50},
    request_timeout_seconds=12.5,
)
apps.Webhook(
    "first-replies",
    agent_id="agent-support",
    target_url="https://hooks.example.com/first",
    events=["message.completed"],
)
apps.Webhook(
    "second-replies",
    agent_id="agent-support",
    target_url="https://hooks.example.com/second",
    events=["message.completed"],
    opts=pulumi.ResourceOptions(provider=second),
)
owners = apps.get_members_output(roles=["owner"], search="second@", opts=pulumi.InvokeOutputOptions(provider=second))
pulumi.export("owner", owners.members[0].email)
`;
}
