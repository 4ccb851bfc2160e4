import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { scripts } from "../../examples/automation/package.json";
import { exampleProject, fileOfExample } from "../support/examples";
import { type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

interface Ended {
  code: number | null;
  printed: string;
  errors: string;
}

describe("The automation example", () => {
  const { simulator } = onSimulator();

  /** Runs the example's script without npm, which would put the downloading `pulumi` of node_modules first on PATH. */
  async function run(
    project: PulumiProject,
    command: string,
    { token = "full-access-token", ...more }: Record<string, string> = {},
  ): Promise<Ended> {
    const {
      WORKSPACE_APPS_BASE_URL: _,
      WORKSPACE_APPS_ACCESS_TOKEN: __,
      PULUMI_STACK: ___,
      ...env
    } = project.environment;
    const child = spawn("sh", ["-c", `exec ${scripts.start} ${command}`], {
      cwd: project.folder,
      env: {
        ...env,
        ...more,
        PULUMI_BACKEND_URL: `file://${path.join(project.folder, "state")}`,
        SERVICE_URL: simulator.url,
        SERVICE_TOKEN: token,
        // `npm run check` checks its types.
        TS_NODE_TRANSPILE_ONLY: "true",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    const [printed, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, printed, errors };
  }

  const descriptions = (agentId: string): unknown[] =>
    simulator.objects.webhooks(agentId).map(({ description, has_secret }) => [description, has_secret]);
  const memberLists = (): number => simulator.requests.filter(({ operation }) => operation === "member.list").length;
  const stackFiles = async ({ folder }: PulumiProject): Promise<string[]> =>
    (await readdir(folder)).filter((file) => /^Pulumi\.(acme|globex)\.yaml$/.test(file));

  it("prints only the lines of an error, exits with 3 when money may be moving, and deploys two stacks from one process", async () => {
    const stack = await exampleProject("automation", simulator.url, { settings: ["tsconfig.json"] });
    const { code, printed, errors } = await run(stack, "up", { token: "read-only-token" });
    assert.deepEqual([code, printed], [1, ""]);
    assert.match(
      errors,
      /^acme: up failed\.\n.*answered 403\. \[WA1504\]\n {2}The service said: .*^globex: up failed\.\n/ms,
    );
    assert.match(errors, /^ {2}- The token is read-only\. Use one with full access/m);
    assert.deepEqual(simulator.objects.webhooks(), []);

    const program = await readFile(fileOfExample("automation", "index.ts"), "utf8");
    assert.ok(program.includes("  const replies ="));
    await stack.write(program.replace("  const replies =", `${campaign}\n  const replies =`));
    simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
    simulator.fault({ operation: "campaign.list", lagMilliseconds: 600_000 });
    const uncertain = await run(stack, "up", { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1" });
    assert.deepEqual([uncertain.code, uncertain.printed], [3, ""], uncertain.errors);
    assert.match(uncertain.errors, /^acme: up failed\.\n.*MONEY MAY BE MOVING: campaign "Spring sale" \(agent-acme, /s);
    assert.doesNotMatch(uncertain.errors, /globex/);

    simulator.clearFaults();
    simulator.clearRequests();
    const done = await run(stack, "up");
    assert.equal(done.code, 0, done.printed + done.errors);
    const outputs = (agent: string): string =>
      `{"owners":["owner@example.com"],"signingSecret":"[secret]","webhookId":"${String(simulator.objects.webhooks(agent)[0]?.id)}"}`;
    const [acme = "", globex = ""] = done.printed.split("\n");
    assert.ok(acme.startsWith("acme {") && acme.endsWith(` ${outputs("agent-acme")}`), acme);
    assert.match(acme, /"update":1/);
    assert.ok(globex.startsWith("globex {") && globex.endsWith(` ${outputs("agent-globex")}`), globex);
    assert.deepEqual([simulator.objects.launches("agent-acme").length, simulator.objects.launches().length], [1, 2]);
    assert.deepEqual(descriptions("agent-acme"), [["Replies for Acme", true]]);
    assert.deepEqual(descriptions("agent-globex"), [["Replies for Globex", true]]);
    assert.equal(memberLists(), 2, "each stack looks up for itself");

    const destroyed = await run(stack, "destroy");
    assert.equal(destroyed.code, 0, destroyed.printed + destroyed.errors);
    assert.match(destroyed.printed, /^acme \{"delete":4\}\nglobex \{"delete":4\}\n$/);
    assert.deepEqual([simulator.objects.webhooks(), await stackFiles(stack)], [[], []]);
  });
});

const campaign = `new apps.AdCampaign("spring", {
      appId: agentId,
      campaignName: "Spring sale",
      campaignType: "SMART",
      dailyBudgetMicros: 5_000_000,
      landingPage: "https://shop.example.com/",
    });`;
