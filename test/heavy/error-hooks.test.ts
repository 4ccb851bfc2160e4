import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import type { OperationId, RequestFault } from "../../simulator";
import type { PulumiProject } from "../../tools/harness/engine";
import { declared as campaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { declared as webhook } from "../support/webhooks";

/*
 * An `onError` hook makes the engine call `create` again in the same process. The Node language host that the tests build is
 * older than hooks, so the program is a function of this process, through the Automation API.
 */

/** Run with Node, it is a `pulumi up`. The hook of each resource asks for so many retries. */
function upWithRetries(resources: Record<string, Resource>): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const { LocalWorkspace } = require("@pulumi/pulumi/automation");
    const apps = require("pulumi-workspace-apps");
    async function program() {
      for (const [name, { kind, args, retries }] of Object.entries(${JSON.stringify(resources)})) {
        const again = new pulumi.ErrorHook(name, ({ errors }) => errors.length <= retries);
        new apps[kind](name, args, { hooks: { onError: [again] } });
      }
    }
    async function main() {
      const source = { stackName: "dev", projectName: "tested", program };
      const stack = await LocalWorkspace.createOrSelectStack(source, { workDir: __dirname });
      await stack.up({ onOutput: (text) => process.stdout.write(text), continueOnError: true });
    }
    main().catch((error) => {
      console.error(String(error));
      process.exitCode = 1;
    });
  `;
}

interface Resource {
  readonly kind: "AdCampaign" | "Webhook";
  readonly args: object;
  readonly retries: number;
}

const launch = (appId: string, retries: number, more: object = {}): Resource => ({
  kind: "AdCampaign",
  args: { ...campaign, appId, ...more },
  retries,
});
const hook = (agentId: string, retries: number): Resource => ({
  kind: "Webhook",
  args: { ...webhook, agentId },
  retries,
});

interface Ended {
  code: number;
  output: string;
}

describe("An error hook that asks for retries", () => {
  const { simulator, project } = onSimulator();

  const up = ({ folder, environment }: PulumiProject): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { ...environment, PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}` };
      const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, ["index.js"], options, (_, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
      });
    });

  it("gets one launch for each campaign, and no webhook too many", async () => {
    const fault = (operation: OperationId, object: Record<string, string>, more: Omit<RequestFault, "operation">) => {
      simulator.fault({ operation, parameters: object, ...more });
    };
    // Carried out, and shown late.
    simulator.fault({ operation: "campaign.list", parameters: { app_id: "hidden" }, lagMilliseconds: 4_000 });
    fault("campaign.launch", { app_id: "hidden" }, { times: "always", commit: true, then: { status: 409 } });
    fault("campaign.launch", { app_id: "refused" }, { then: { status: 409 } });
    fault("campaign.pause", { app_id: "paused" }, { then: { status: 403 } });
    fault("webhook.create", { agent_id: "uncertain" }, { times: 2, then: { status: 500 } });
    fault("webhook.update", { agent_id: "unread" }, { then: { status: 403 } });
    const program = upWithRetries({
      hidden: launch("hidden", 20),
      refused: launch("refused", 2),
      paused: launch("paused", 1, { paused: true }),
      uncertain: hook("uncertain", 2),
      unread: hook("unread", 1),
    });
    const stack = await project(program, { environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1" } });
    const run = await up(stack);
    assert.equal(run.code, 1, run.output);
    const retries = run.output.match(/retrying create due to on-error hook request/g) ?? [];
    assert.ok(retries.length >= 1 + 2 + 1 + 2 + 1, run.output);

    const sent = (operation: OperationId, id: string): number =>
      simulator.requests.filter(
        (request) => request.operation === operation && Object.values(request.parameters).includes(id),
      ).length;
    const saved = (await stack.stored("AdCampaign")).map(({ outputs }) => [
      outputs?.["appId"],
      outputs?.["launchState"],
    ]);
    assert.deepEqual(saved.toSorted(), [
      ["hidden", "confirmed"],
      ["paused", "confirmed"],
      ["refused", "unconfirmed"],
    ]);
    for (const app of ["hidden", "refused", "paused"]) assert.equal(sent("campaign.launch", app), 1, app);
    assert.equal(sent("campaign.pause", "paused"), 2);
    const statuses = (app: string): string[] => simulator.objects.campaigns(app).map(({ status }) => status);
    assert.deepEqual([statuses("hidden"), statuses("refused"), statuses("paused")], [["ENABLED"], [], ["PAUSED"]]);

    assert.match(run.output, /a copy of this webhook may exist/);
    assert.deepEqual([sent("webhook.create", "uncertain"), sent("webhook.create", "unread")], [2, 1]);
    assert.deepEqual(
      (await stack.stored("Webhook")).map(({ id }) => id),
      simulator.objects.webhooks("unread").map(({ id }) => id),
    );
  });
});
