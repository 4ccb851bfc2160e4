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
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    const [printed, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, printed, errors };
  }

  async function expectPrinted(running: Promise<Ended>, lines: RegExp): Promise<void> {
    const { code, printed, errors } = await running;
    assert.equal(code, 0, printed + errors);
    assert.match(printed, lines);
  }

  const descriptions = (agentId: string): unknown[] =>
    simulator.objects.webhooks(agentId).map(({ description, has_secret }) => [description, has_secret]);
  const memberLists = (): number => simulator.requests.filter(({ operation }) => operation === "member.list").length;
  const stackFiles = async ({ folder }: PulumiProject): Promise<string[]> =>
    (await readdir(folder)).filter((file) => /^Pulumi\.(acme|globex)\.yaml$/.test(file));

  const project = (): Promise<PulumiProject> =>
    exampleProject("automation", simulator.url, { settings: ["tsconfig.json"] });

  it("deploys two stacks from one process, each with its own look-ups, and removes both", async () => {
    const stack = await project();
    await expectPrinted(run(stack, "preview"), /^acme \{"create":2\}\nglobex \{"create":2\}\n$/);
    assert.deepEqual([simulator.objects.webhooks(), memberLists()], [[], 2]);

    simulator.clearRequests();
    const { code, printed, errors } = await run(stack, "up");
    assert.equal(code, 0, printed + errors);
    const outputs = (id: string): string =>
      `{"owners":["owner@example.com"],"signingSecret":"[secret]","webhookId":"${id}"}`;
    const [acme, globex] = ["agent-acme", "agent-globex"].map(
      (agent) => simulator.objects.webhooks(agent)[0]?.id ?? "",
    );
    assert.equal(printed, `acme {"create":2} ${outputs(acme ?? "")}\nglobex {"create":2} ${outputs(globex ?? "")}\n`);
    assert.deepEqual(descriptions("agent-acme"), [["Replies for Acme", true]]);
    assert.deepEqual(descriptions("agent-globex"), [["Replies for Globex", true]]);
    assert.equal(memberLists(), 2);

    await expectPrinted(run(stack, "refresh"), /^acme \{"same":2\}\nglobex \{"same":2\}\n$/);
    await expectPrinted(run(stack, "destroy"), /^acme \{"delete":2\}\nglobex \{"delete":2\}\n$/);
    assert.deepEqual([simulator.objects.webhooks(), await stackFiles(stack)], [[], []]);
  });

  it("prints only the lines of an error, continues with the next stack, and exits with 1", async () => {
    const { code, printed, errors } = await run(await project(), "up", { token: "read-only-token" });
    assert.deepEqual([code, printed], [1, ""]);
    assert.match(errors, /^acme: up failed\.\n.*answered 403\.\n {2}The service said: .*^globex: up failed\.\n/ms);
    assert.match(errors, /^ {2}- The token is read-only\. Use one with full access/m);
    assert.deepEqual(simulator.objects.webhooks(), []);
  });

  it("exits with code 3 when money may be moving, and the next up finds the campaign", async () => {
    const stack = await project();
    const campaign = `new apps.AdCampaign("spring", {
      appId: agentId,
      campaignName: "Spring sale",
      campaignType: "SMART",
      dailyBudgetMicros: 5_000_000,
      landingPage: "https://shop.example.com/",
    });`;
    const program = await readFile(fileOfExample("automation", "index.ts"), "utf8");
    assert.ok(program.includes("  const replies ="));
    await stack.write(program.replace("  const replies =", `${campaign}\n  const replies =`));
    simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
    simulator.fault({ operation: "campaign.list", lagMilliseconds: 600_000 });

    const { code, printed, errors } = await run(stack, "up", { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1" });
    assert.deepEqual([code, printed], [3, ""], errors);
    assert.match(errors, /^acme: up failed\.\n.*MONEY MAY BE MOVING: campaign "Spring sale" \(agent-acme, /s);
    assert.doesNotMatch(errors, /globex/);

    simulator.clearFaults();
    await expectPrinted(run(stack, "up"), /^acme \{.*"update":1.*\nglobex \{"create":4\}/);
    assert.deepEqual([simulator.objects.launches("agent-acme").length, simulator.objects.launches().length], [1, 2]);
  });
});
