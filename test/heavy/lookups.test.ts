import assert from "node:assert/strict";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";
import { onSimulator } from "../support/on-simulator";

const program = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  ${body}`;

async function outputsOf(stack: PulumiProject, ...more: string[]): Promise<Record<string, unknown>> {
  const { output } = await stack.pulumi("stack", "output", "--json", ...more);
  return JSON.parse(output) as Record<string, unknown>;
}

describe("Look-ups on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("that fail report which one and why, and fail the program, whether or not anything awaits them", async () => {
    const stack = await project("");
    for (const call of [
      `apps.getUserStatsOutput({ appId: "app-1" });`,
      `module.exports = async () => ({ x: await apps.getUserStats({ appId: "app-1" }) });`,
    ]) {
      simulator.fault({ operation: "userStats.get", then: { status: 403, body: { message: "full-access-token?" } } });
      await stack.write(program(call));
      const run = await stack.pulumi("preview", "--non-interactive");
      assertFailed(
        run,
        /error: getUserStats: userStats\.get failed: the service answered 403\. \[WA1503\]\s+The service said: \(message hidden: it may repeat submitted data\)\s+Request: GET http\S+\/api\/apps\/app-1\//,
      );
      assert.doesNotMatch(run.output, /full-access-token|^ +at /m);
    }
    simulator.clearRequests();
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

  it("read settings, including secrets, from the stack's configuration, as resources do, and mark only the values of a connection as secret", async () => {
    simulator.fault({ operation: "connector.fields", then: { status: 429, headers: { "retry-after": "2" } } });
    simulator.objects.setConnection("app-1", "example-crm", { subdomain: "canary-value" });
    const stack = await project(
      program(`
        const at = { appId: "app-1", integrationType: "example-crm" };
        new apps.FolderMembership("membership", { folderId: "folder-1", appId: "app-1" });
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
      {
        baseUrl: "http://127.0.0.1:1",
        environment: { WORKSPACE_APPS_ACCESS_TOKEN: "wrong" },
        config: { "workspace-apps:baseUrl": simulator.url },
      },
    );
    assertDone(await stack.pulumi("config", "set", "--secret", "workspace-apps:accessToken", "full-access-token"));
    const run = await stack.upAsText();
    assertDone(run);
    assert.match(run.output, /getConnectorFields: connector\.fields: waiting \d s for its rate limit\./);
    assert.deepEqual(simulator.objects.folderItems("folder-1"), ["app-1"]);
    const hidden = await outputsOf(stack);
    const state = await stack.rawState();
    assert.doesNotMatch(`${run.output}${JSON.stringify(hidden)}${state}`, /canary-value|full-access-token|warning/);
    assert.equal(hidden["name"], "subdomain", "the fields are not secret");
    assert.match(state, /"displayName": ?"Subdomain"/);
    const shown = await outputsOf(stack, "--show-secrets");
    const config = { subdomain: "canary-value" };
    assert.deepEqual([shown["values"], shown["one"]], [[config, config], "canary-value"]);
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
