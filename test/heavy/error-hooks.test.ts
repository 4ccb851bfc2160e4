import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import type { OperationId } from "../../simulator";
import type { PulumiProject } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { declared as campaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { declared as webhook } from "../support/webhooks";

/*
 * An `onError` hook makes the engine call `create` again in the same process. The Node language host that the tests build is
 * older than hooks, so the program is a function of this process, through the Automation API.
 */

/** A program whose hook asks for so many retries. Run with Node, it is a `pulumi up`. */
function upWithRetries(kind: string, args: object, retries: number): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { LocalWorkspace } = require("@pulumi/pulumi/automation");
    const apps = require("pulumi-workspace-apps");
    async function program() {
      const again = new pulumi.ErrorHook("again", ({ errors }) => errors.length <= ${String(retries)});
      new apps.${kind}("tested", ${JSON.stringify(args)}, { hooks: { onError: [again] } });
    }
    async function main() {
      const source = { stackName: "dev", projectName: "tested", program };
      const stack = await LocalWorkspace.createOrSelectStack(source, { workDir: __dirname });
      await stack.up({ onOutput: (text) => process.stdout.write(text) });
    }
    main().catch((error) => {
      console.error(String(error));
      process.exitCode = 1;
    });
  `;
}

interface Ended {
  code: number;
  output: string;
}

for (const form of allForms)
  describe(`An error hook that asks for retries, in the ${form} form`, () => {
    const { simulator, project } = onSimulator();

    const prepare = (kind: string, args: object, retries: number): Promise<PulumiProject> =>
      project(upWithRetries(kind, args, retries), {
        form,
        environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1" },
      });

    const up = ({ folder, environment }: PulumiProject): Promise<Ended> =>
      new Promise((resolve) => {
        const env = { ...environment, PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}` };
        const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
        const child = execFile(process.execPath, ["index.js"], options, (_, stdout, stderr) => {
          resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
        });
      });

    const sent = (operation: OperationId): number =>
      simulator.requests.filter((request) => request.operation === operation).length;
    const live = (): string[] =>
      simulator.objects
        .campaigns(campaign.appId)
        .map(({ status }) => status)
        .filter((status) => status !== "REMOVED");
    const assertRetried = ({ output }: Ended, times: number): void => {
      const retries = output.match(/retrying create due to on-error hook request/g) ?? [];
      assert.ok(retries.length >= times, output);
    };

    it("launches a campaign once where the 409 hid it, and the list shows it late", async () => {
      simulator.fault({ operation: "campaign.list", lagMilliseconds: 4_000 });
      simulator.fault({ operation: "campaign.launch", times: "always", commit: true, then: { status: 409 } });
      const stack = await prepare("AdCampaign", campaign, 20);
      const first = await up(stack);
      assertRetried(first, 1);
      assert.equal(first.code, 0, first.output);
      const second = await up(stack);
      assert.equal(second.code, 0, second.output);
      assert.equal(sent("campaign.launch"), 1);
      assert.deepEqual(live(), ["ENABLED"]);
      const [saved] = await stack.stored("AdCampaign");
      assert.equal(saved?.outputs?.["launchState"], "confirmed");
    });

    it("launches a campaign once where the 409 was a refusal, and saves that it is unconfirmed", async () => {
      simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const stack = await prepare("AdCampaign", campaign, 2);
      const run = await up(stack);
      assertRetried(run, 2);
      assert.equal(run.code, 1, run.output);
      assert.equal(sent("campaign.launch"), 1);
      assert.deepEqual(live(), []);
      const [saved] = await stack.stored("AdCampaign");
      assert.equal(saved?.outputs?.["launchState"], "unconfirmed");
    });

    it("continues with a campaign whose pause failed", async () => {
      simulator.fault({ operation: "campaign.pause", then: { status: 403 } });
      const stack = await prepare("AdCampaign", { ...campaign, paused: true }, 1);
      const run = await up(stack);
      assertRetried(run, 1);
      assert.equal(run.code, 0, run.output);
      assert.equal(sent("campaign.launch"), 1);
      assert.equal(sent("campaign.pause"), 2);
      assert.deepEqual(live(), ["PAUSED"]);
    });

    it("sends an uncertain webhook once more after the list, and never again", async () => {
      simulator.fault({ operation: "webhook.create", times: 2, then: { status: 500 } });
      const run = await up(await prepare("Webhook", webhook, 2));
      assertRetried(run, 2);
      assert.equal(run.code, 1, run.output);
      assert.match(run.output, /a copy of this webhook may exist/);
      assert.equal(sent("webhook.create"), 2);
    });

    it("continues with a webhook that could not be read back", async () => {
      simulator.fault({ operation: "webhook.update", then: { status: 403 } });
      const stack = await prepare("Webhook", webhook, 1);
      const run = await up(stack);
      assertRetried(run, 1);
      assert.equal(run.code, 0, run.output);
      const [only, ...others] = simulator.objects.webhooks(webhook.agentId);
      assert.deepEqual(others, []);
      assert.equal((await stack.stored("Webhook"))[0]?.id, only?.id);
      const next = await up(stack);
      assert.equal(next.code, 0, next.output);
      assert.equal(sent("webhook.create"), 1);
    });
  });
