import assert from "node:assert/strict";
import { lookups } from "../../provider/registry";
import { seen } from "../support/deployment";
import { assertDone, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const program = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  ${body}`;

const hook = `const hook = new apps.Webhook("hook", {
    agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] });`;

async function outputsOf(stack: PulumiProject, ...more: string[]): Promise<Record<string, unknown>> {
  const { output } = await stack.pulumi("stack", "output", "--json", ...more);
  return JSON.parse(output) as Record<string, unknown>;
}

describe("Look-ups on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("return results at preview and at up, in both forms, and equal ones share one request", async () => {
    const stack = await project(
      program(`
        module.exports = async () => {
          const [one, other] = await Promise.all([
            apps.getUserStats({ appId: "app-1" }),
            apps.getUserStats({ appId: "app-1" }),
          ]);
          const third = apps.getUserStatsOutput({ appId: pulumi.output(Promise.resolve("app-1")) });
          const targets = apps.getGeoTargetsOutput({ appId: "app-1", query: "zurich", countryCode: "ch", limit: 1 });
          return { active: one.activeUsers, same: JSON.stringify(one) === JSON.stringify(other), third: third.activeUsers, targets };
        };`),
    );
    assertDone(await stack.preview());
    assert.deepEqual(seen(simulator), ["userStats.get", "geoTarget.search"]);
    assertDone(await stack.up());
    assert.equal(simulator.requests.length, 4);
    const { targets, ...outputs } = await outputsOf(stack);
    assert.deepEqual(outputs, { active: 12, same: true, third: 12 });
    assert.match(JSON.stringify(targets), /"leftOut":1.*"resourceName":"geoTargetConstants\/20126"/);
  });

  it("with unknown inputs are unknown and send no request at preview, and return results at up", async () => {
    const stack = await project(
      program(`${hook}
        class Group extends pulumi.ComponentResource {
          constructor() {
            super("tested:Group", "group");
            new apps.FolderMembership("inside", { folderId: "f", appId: "a" }, { parent: this });
          }
        }
        exports.byInput = apps.getUserStatsOutput({ appId: hook.webhookId }).activeUsers;
        exports.byEcho = apps.getUserStatsOutput({ appId: hook.agentId }).activeUsers;
        exports.byOption = apps.getUserStatsOutput({ appId: "app-1" }, { dependsOn: [hook] }).activeUsers;
        const unknown = hook.webhookId.apply(() => hook);
        exports.byOutput = apps.getUserStatsOutput({ appId: "app-1" }, { dependsOn: [unknown, undefined] }).activeUsers;
        exports.byComponent = apps.getUserStatsOutput({ appId: "app-1" }, { dependsOn: new Group() }).activeUsers;`),
    );
    assertDone(await stack.preview(), { create: 2 });
    assert.deepEqual(seen(simulator), []);
    assertDone(await stack.up(), { create: 2 });
    assert.deepEqual(await outputsOf(stack), { byInput: 12, byEcho: 12, byOption: 12, byOutput: 12, byComponent: 12 });
    const operations = simulator.requests.map(({ operation }) => operation);
    assert.equal(operations.filter((operation) => operation === "userStats.get").length, 4);
    assert.ok(operations.indexOf("webhook.create") < operations.indexOf("userStats.get"));
    const byComponent = simulator.requests.filter(({ path }) => path.includes("/app-1/")).at(-1)?.number ?? 0;
    assert.ok((simulator.requests.find(({ operation }) => operation === "folderItem.add")?.number ?? 0) < byComponent);
    simulator.clearRequests();
    assertDone(await stack.preview("--expect-no-changes"));
    assert.equal(simulator.requests.length, 4, "existing objects are read at preview too");
  });

  it("are fully typed, with inputs at every depth, in a TypeScript program", async () => {
    simulator.objects.putWorkflowRun("app-1", "w", "r");
    const { id } = simulator.objects.putCampaign("app-1");
    const webhook = simulator.objects.putWebhook("agent-1");
    const session = simulator.objects.putCodingSession("app-1");
    simulator.objects.addFolderItem("folder-1", "app-1");
    simulator.objects.putRecord("app-1", "TaxRate", { percent: 19 });
    simulator.objects.putTest("app-1", { definition: { name: "Checkout" } });
    const stack = await project(
      `
      import * as pulumi from "@pulumi/pulumi";
      import * as apps from "pulumi-workspace-apps";
      const later = <T>(value: T): pulumi.Output<T> => pulumi.output(Promise.resolve(value)) as pulumi.Output<T>;
      const appId = later("app-1");
      export const members: pulumi.Output<number> = apps.getMembersOutput({
        searchTerms: [later("owner"), "admin"],
        roles: later([later<apps.MemberRole>("owner"), "admin"]),
        appsOwned: { gte: later(0), lte: 100 },
        sortBy: "role",
        sortDir: later<"asc" | "desc">("asc"),
      }).total;
      export const campaigns = apps.getCampaignsOutput({ appId }).campaigns.length;
      export const campaign = apps.getCampaignOutput({ appId, campaignId: "${id}" }).status;
      export const webhook = apps.getWebhookOutput({ agentId: "agent-1", webhookId: "${webhook.id}" }).enabled;
      export const webhooks = apps.getWebhooksOutput({ agentId: later("agent-1") }).webhooks.length;
      export const items = apps.getFolderItemsOutput({ folderId: later("folder-1") }).items[0].appId;
      export const records = apps.getRecordsOutput({ appId, entityName: "TaxRate" }).records[0].fields;
      export const tests = apps.getTestFlowsOutput({ appId }).tests.length;
      export const currency = apps.getLaunchReadinessOutput({ appId }).currencyCode;
      export const session = apps.getCodingSessionOutput({ appId, sessionId: later("${session.id}") }).state;
      export const targets = apps.getGeoTargetsOutput({ appId, query: later("bern") }).targets[0].resourceName;
      export const themes = apps.getSearchThemesOutput({ appId, businessName: later("Shop") }).searchThemes;
      export const terms: pulumi.Output<boolean> = apps.getSearchTermsOutput({ appId, dateRange: "TODAY" }).mayBeCut;
      export const assets = apps.getAdAssetsOutput({ appId, campaignId: "${id}" }).durable;
      export const scan = apps.getSecurityScanOutput({ appId, waitForScan: { timeoutSeconds: later(1) } }).status;
      export const connector = apps.getConnectorFieldsOutput({ appId, integrationType: "example-crm" }).fields.length;
      export const stats = apps.getUserStatsOutput({ appId }).zeros;
      export const why = apps.explainRunOutput({ appId, workflowId: "w", runId: later("r") }).outcome;
      `,
      { file: "index.ts" },
    );
    assertDone(await stack.up());
    assert.deepEqual(await outputsOf(stack), {
      members: 2,
      campaigns: 1,
      campaign: "ENABLED",
      webhook: true,
      webhooks: 1,
      items: "app-1",
      records: { percent: 19 },
      tests: 1,
      currency: "USD",
      session: "queued",
      targets: "geoTargetConstants/1003198",
      themes: ["Shop near me", "buy Shop online", "best Shop", "Shop prices"],
      terms: false,
      assets: [],
      scan: "none",
      connector: 2,
      stats: [],
      why: "explained",
    });
    const operations = new Set(lookups.map(({ operation }) => operation));
    assert.deepEqual(simulator.requests.map(({ operation }) => operation).sort(), [...operations].sort());
  });
});
