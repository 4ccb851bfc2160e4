import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { lookups } from "../../provider/registry";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";
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

  it("that fail report which one and why, and fail the program, whether or not anything awaits them", async () => {
    const stack = await project("");
    for (const call of [
      `exports.x = apps.getUserStatsOutput({ appId: "app-1" });`,
      `apps.getUserStatsOutput({ appId: "app-1" });`,
      `apps.getUserStats({ appId: "app-1" });`,
      `module.exports = async () => ({ x: await apps.getUserStats({ appId: "app-1" }) });`,
    ]) {
      simulator.fault({ operation: "userStats.get", then: { status: 403, body: { message: "full-access-token?" } } });
      await stack.write(program(call));
      const run = await stack.pulumi("preview", "--non-interactive");
      assertFailed(
        run,
        /error: getUserStats: userStats\.get failed: the service answered 403\.\s+The service said: \[secret\]\?\s+Request: GET http\S+\/api\/apps\/app-1\//,
      );
      assert.doesNotMatch(run.output, /full-access-token|^ +at /m);
    }
    simulator.clearRequests();
    await stack.write(program(`exports.x = apps.getMembersOutput({ pageSize: pulumi.output(101), sortBy: "role" });`));
    const refused = await stack.pulumi("preview", "--non-interactive");
    assertFailed(refused, /error: getMembers: pageSize must be a whole number from 1 to 100/);
    await stack.write(program(`exports.x = apps.getMembersOutput();`));
    stack.environment["WORKSPACE_APPS_BASE_URL"] = "";
    const unset = await stack.preview();
    assertFailed(unset, /: workspace-apps:baseUrl is not set.*WORKSPACE_APPS_BASE_URL/);
    // The engine checks the settings of the packaged form before the first look-up.
    assertFailed(
      unset,
      testedForm === "dynamic" ? /getMembers: workspace-apps/ : /'default' has a problem: workspace-apps/,
    );
    assert.deepEqual(simulator.requests, []);
  });

  it("read settings, including secrets, from the stack's configuration, and say what they wait for", async () => {
    simulator.fault({ operation: "member.list", then: { status: 429, headers: { "retry-after": "2" } } });
    const stack = await project(program(`exports.total = apps.getMembersOutput().total;`), {
      baseUrl: "http://127.0.0.1:1",
      environment: { WORKSPACE_APPS_ACCESS_TOKEN: "wrong" },
      config: { "workspace-apps:baseUrl": simulator.url },
    });
    assertDone(await stack.pulumi("config", "set", "--secret", "workspace-apps:accessToken", "full-access-token"));
    const run = await stack.upAsText();
    assertDone(run);
    assert.match(run.output, /getMembers: member\.list: waiting \d s for its rate limit\./);
    assert.doesNotMatch(run.output, /warning|full-access-token/);
    assert.deepEqual(await outputsOf(stack), { total: 5 });
    assert.doesNotMatch(await stack.rawState(), /full-access-token/);
  });

  it("mark only the values of a connection as secret, in both forms", async () => {
    simulator.objects.setConnection("app-1", "example-crm", { subdomain: "canary-value" });
    const stack = await project(
      program(`
        const at = { appId: "app-1", integrationType: "example-crm" };
        module.exports = async () => {
          const plain = await apps.getConnectorFields(at);
          const output = apps.getConnectorFieldsOutput(at);
          return {
            plain,
            output,
            values: [plain.connectionConfig, output.connectionConfig],
            one: output.connectionConfig.subdomain,
            name: output.fields[0].name,
          };
        };`),
    );
    const run = await stack.upAsText();
    assertDone(run);
    const hidden = await outputsOf(stack);
    const state = await stack.rawState();
    assert.ok(!`${run.output}${JSON.stringify(hidden)}${state}`.includes("canary-value"), "a value leaked");
    assert.equal(hidden["name"], "subdomain", "the fields are not secret");
    assert.match(state, /"displayName": ?"Subdomain"/);
    const shown = await outputsOf(stack, "--show-secrets");
    const config = { subdomain: "canary-value" };
    assert.deepEqual([shown["values"], shown["one"]], [[config, config], "canary-value"]);
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

describe("The look-ups example", () => {
  const { simulator, project } = onSimulator();
  const example = path.resolve(__dirname, "../../examples/lookups");

  it("launches only after a clean scan, keeps the values it launched with, and updates the policy when members change", async () => {
    const stack = await project(await readFile(path.join(example, "index.ts"), "utf8"), { file: "index.ts" });
    await stack.writeSettings(await readFile(path.join(example, "Pulumi.yaml"), "utf8"));
    for (const file of ["package.json", "tsconfig.json", "tsconfig.run.json"])
      await copyFile(path.join(example, file), path.join(stack.folder, file));
    assertDone(await stack.pulumi("stack", "init", "dev"));
    assertFailed(await stack.up(), /The security scan of app-shop is "none": run a new one before advertising/);
    assert.deepEqual(simulator.objects.launches(), []);

    simulator.objects.setScan("app-shop", { status: "up_to_date" });
    assertDone(await stack.up(), { create: 2 });
    const launch = simulator.requests.find(({ operation }) => operation === "campaign.launch")?.body as {
      campaign: Record<string, unknown>;
    };
    assert.deepEqual(launch.campaign["geo_targets"], ["geoTargetConstants/20126", "geoTargetConstants/1003297"]);
    assert.equal((launch.campaign["search_themes"] as string[])[0], "Example Shop in der Nähe");
    const approvers = (): unknown => simulator.objects.records("app-shop", "SpendingPolicy")[0]?.["approvers"];
    assert.deepEqual(approvers(), ["owner@example.com", "admin@example.com"]);

    simulator.objects.putMember({ email: "new@example.com", role: "admin" });
    simulator.objects.setSearchThemes("app-shop", ["something else"]);
    simulator.objects.setGeoTargets([]);
    assertDone(await stack.up(), { same: 1, update: 1 });
    assert.deepEqual(approvers(), ["owner@example.com", "admin@example.com", "new@example.com"]);
    assert.equal((await outputsOf(stack))["review"], "UNDER_REVIEW");

    simulator.objects.setScan("app-shop", { result: { hardcoded_secrets: [{ fingerprint: "f" }] } });
    assertFailed(await stack.up(), /app-shop has 1 secrets in its code/);
    assert.deepEqual(
      simulator.objects.campaigns("app-shop").map(({ status }) => status),
      ["ENABLED"],
    );
    assert.equal(simulator.objects.launches().length, 1);
    assertDone(await stack.destroy(), { delete: 2 });
  });
});
