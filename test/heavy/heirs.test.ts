import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { assertDone, type PulumiProject } from "../../tools/harness/engine";
import { declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { assertFailedWith } from "../support/steps";
import { declared as declaredWebhook } from "../support/webhooks";

/** A program that declares webhooks, tests and campaigns with their usual arguments, and a list of apps in a folder. */
const programOf = (body: string): string => `
  const apps = require("pulumi-workspace-apps");
  const webhook = (name, args, options) =>
    new apps.Webhook(name, { ...${JSON.stringify(declaredWebhook)}, ...args }, options);
  const test = (name, args, options) =>
    new apps.TestFlow(name, { appId: "app-1", definition: { name: "Checkout" }, ...args }, options);
  const campaign = (name, args, options) =>
    new apps.AdCampaign(name, { ...${JSON.stringify(declaredCampaign)}, ...args }, options);
  const memberships = (prefix, appIds) => {
    for (const [index, appId] of appIds.entries())
      new apps.FolderMembership(prefix + index, { folderId: "f", appId });
  };
  ${body}`;

describe("An object that another resource takes over, on the real engine", () => {
  const { simulator, project } = onSimulator();
  const held = () => ({
    webhooks: simulator.objects.webhooks("agent-1").map(({ id }) => id),
    tests: simulator.objects.tests("app-1").map(({ id }) => id),
    campaigns: simulator.objects.campaigns("app-1").map(({ id, status }) => `${id} ${status}`),
  });
  const items = (): string[] => simulator.objects.folderItems("f").toSorted();
  const idOf = async (stack: PulumiProject, name: string): Promise<string> =>
    (await stack.stored()).find(({ urn }) => partsOfUrn(urn).name === name && !urn.includes("LaunchIntent"))?.id ?? "";

  it("outlives a rename without an alias, a shift in a list, and an heir that fails or is skipped with --continue-on-error", async () => {
    const stack = await project(
      programOf(`
        webhook("old-failed"); webhook("old-skipped");
        test("old-test");
        campaign("old-campaign");
        memberships("old", ["a", "b", "c"]);`),
      { environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" } },
    );
    assertDone(await stack.up(), { create: 7 });
    const all = held();
    const heirs: Record<string, string> = {};
    for (const name of ["failed", "skipped", "test", "campaign"]) heirs[name] = await idOf(stack, `old-${name}`);
    const later = (description: string, apps: string[]): string =>
      programOf(`
        const heirs = ${JSON.stringify(heirs)};
        const failing = webhook("failing", { agentId: "agent-2" });
        const after = { dependsOn: [failing] };
        webhook("failed", { webhookId: heirs.failed, ${description} });
        webhook("skipped", { webhookId: heirs.skipped }, after);
        test("test", { flowId: heirs.test }, after);
        campaign("campaign", { campaignId: heirs.campaign }, after);
        memberships("renamed", ${JSON.stringify(apps)});`);
    await stack.write(later(`description: "not the one that it has"`, ["a", "b", "c"]));
    simulator.fault({ operation: "webhook.create", parameters: { agent_id: "agent-2" }, then: { status: 403 } });
    const run = await stack.up("--continue-on-error");
    assertFailedWith("failing", run, /403/);
    assertFailedWith("failed", run, /was not adopted: it differs/);
    for (const [name, by] of [
      ["failed", "webhookId"],
      ["skipped", "webhookId"],
      ["test", "flowId"],
      ["campaign", "campaignId"],
    ] as const) {
      const words = new RegExp(`was not deleted: "${name}" declares it by its ${by}, and has not adopted it`);
      assertFailedWith(`old-${name}`, run, words);
    }
    assert.deepEqual([held(), items()], [all, ["a", "b", "c"]]);

    await stack.write(later("", ["b", "c"]));
    assertDone(await stack.up("--parallel", "1"));
    assert.deepEqual([held(), items()], [all, ["b", "c"]]);
    const names = (await stack.stored()).map(({ urn }) => partsOfUrn(urn).name);
    assert.deepEqual(
      names.filter((name) => name.startsWith("old")),
      [],
    );
  });
});
