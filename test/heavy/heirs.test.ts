import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { assertDone, assertFailed, type PulumiProject } from "../../tools/harness/engine";
import { testedType } from "../../tools/harness/form";
import { declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { assertDoneWith, assertFailedWith } from "../support/steps";
import { declared as declaredWebhook } from "../support/webhooks";

/** A program that declares webhooks, tests and campaigns with their usual arguments. */
const programOf = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const webhook = (name, args, options) =>
    new apps.Webhook(name, { ...${JSON.stringify(declaredWebhook)}, ...args }, options);
  const test = (name, args, options) =>
    new apps.TestFlow(name, { appId: "app-1", definition: { name: "Checkout" }, ...args }, options);
  const campaign = (name, args, options) =>
    new apps.AdCampaign(name, { ...${JSON.stringify(declaredCampaign)}, ...args }, options);
  ${body}`;

const urnOf = (kind: string, name: string): string => `urn:pulumi:dev::tested::${testedType(kind)}::${name}`;
/** The options that name a campaign and its launch intent. */
const pair = (option: string, name: string): string[] =>
  ["AdCampaign", "LaunchIntent"].flatMap((kind) => [option, urnOf(kind, name)]);

describe("An object that another resource takes over, on the real engine", () => {
  const { simulator, project } = onSimulator();
  const launched = (body: string): Promise<PulumiProject> =>
    project(programOf(body), { environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" } });
  const webhooks = (): string[] =>
    simulator.objects
      .webhooks("agent-1")
      .map(({ id }) => id)
      .toSorted();
  const campaigns = (): string[] => simulator.objects.campaigns("app-1").map(({ id, status }) => `${id} ${status}`);
  const names = async (stack: PulumiProject): Promise<string[]> =>
    (await stack.stored()).map(({ urn }) => partsOfUrn(urn).name).toSorted();
  const idOf = async (stack: PulumiProject, name: string): Promise<string> =>
    (await stack.stored()).find(({ urn }) => partsOfUrn(urn).name === name && !urn.includes("LaunchIntent"))?.id ?? "";

  it("outlives an heir that fails or is skipped with --continue-on-error, and passes to it later", async () => {
    const stack = await launched(`
      webhook("old-failed"); webhook("old-skipped");
      test("old-test");
      campaign("old-campaign");`);
    assertDone(await stack.up(), { create: 4 });
    const all = webhooks();
    const heirs: Record<string, string> = {};
    for (const name of ["failed", "skipped", "test", "campaign"]) heirs[name] = await idOf(stack, `old-${name}`);
    const later = (description: string): string =>
      programOf(`
        const heirs = ${JSON.stringify(heirs)};
        const failing = webhook("failing", { agentId: "agent-2" });
        const after = { dependsOn: [failing] };
        webhook("failed", { webhookId: heirs.failed, ${description} });
        webhook("skipped", { webhookId: heirs.skipped }, after);
        test("test", { flowId: heirs.test }, after);
        campaign("campaign", { campaignId: heirs.campaign }, after);`);
    await stack.write(later(`description: "not the one that it has"`));
    simulator.fault({
      operation: "webhook.create",
      parameters: { agent_id: "agent-2" },
      then: { status: 403 },
    });
    const run = await stack.up("--continue-on-error");
    assertFailedWith("failing", run, /403/);
    assertFailedWith("failed", run, /was not adopted: it differs/);
    const declaredBy = (name: string, by: string): RegExp =>
      new RegExp(`was not deleted: "${name}" declares it by its ${by}, and has not adopted it`);
    assertFailedWith("old-failed", run, declaredBy("failed", "webhookId"));
    assertFailedWith("old-skipped", run, declaredBy("skipped", "webhookId"));
    assertFailedWith("old-test", run, declaredBy("test", "flowId"));
    assertFailedWith("old-campaign", run, declaredBy("campaign", "campaignId"));
    assert.deepEqual(
      [webhooks(), simulator.objects.tests("app-1").length, campaigns()],
      [all, 1, [`${String(heirs["campaign"])} ENABLED`]],
    );

    assertDone(await stack.apply(later("")));
    assert.deepEqual(
      [webhooks(), simulator.objects.tests("app-1").length, campaigns()],
      [all, 1, [`${String(heirs["campaign"])} ENABLED`]],
    );
    assert.deepEqual(
      (await names(stack)).filter((name) => name.startsWith("old")),
      [],
    );
  });

  it("outlives an heir that is skipped because a resource of another provider failed, if the program knows its id", async () => {
    const stack = await launched(`webhook("old");`);
    assertDone(await stack.up(), { create: 1 });
    const [id = ""] = webhooks();
    await stack.write(
      programOf(`
        const provider = { create: async () => { throw new Error("not this package"); } };
        class Other extends pulumi.dynamic.Resource {}
        const other = new Other(provider, "other", {});
        webhook("heir", { webhookId: "${id}" }, { dependsOn: [other] });`),
    );
    const run = await stack.up("--continue-on-error");
    assertFailedWith("old", run, /was not deleted: "heir" declares it by its webhookId, and has not adopted it/);
    assert.deepEqual(webhooks(), [id]);
  });

  it("is deleted by `destroy --continue-on-error` although the deletion of another one fails", async () => {
    const stack = await launched(`webhook("stays"); webhook("goes"); test("goes-too");`);
    assertDone(await stack.up(), { create: 3 });
    const stays = await idOf(stack, "stays");
    simulator.fault({ operation: "webhook.delete", parameters: { webhook_id: stays }, then: { status: 403 } });
    const run = await stack.destroy("--continue-on-error");
    assertFailedWith("stays", run, /403/);
    assertDoneWith("goes", run, ["delete"]);
    assertDoneWith("goes-too", run, ["delete"]);
    assert.deepEqual([webhooks(), simulator.objects.tests("app-1"), await names(stack)], [[stays], [], ["stays"]]);
  });

  it("is refused to a second resource that is seen with the first, and adopted with --target by one that is told how the first must leave", async () => {
    const stack = await launched(`webhook("first");`);
    assertDone(await stack.up(), { create: 1 });
    const [id = ""] = webhooks();
    const both = programOf(`webhook("first"); webhook("second", { webhookId: "${id}" });`);
    await stack.write(both);
    const twice = /which another resource of this stack manages|is managed by two resources of this stack/;
    assertFailed(await stack.preview(), twice);
    const adopting = await stack.up("--target", urnOf("Webhook", "second"));
    assertDone(adopting);
    assert.equal(adopting.output.split("This command adopts objects that exist already").length, 2, adopting.output);
    assertFailed(await stack.up(), twice);
    assertDone(await stack.apply(programOf(`webhook("second", { webhookId: "${id}" });`)), { same: 1, delete: 1 });
    assert.deepEqual([webhooks(), await names(stack)], [[id], ["second"]]);
  });

  it("is not taken by a renamed campaign with --target or --exclude, and a preview says that it would be deleted", async () => {
    const stack = await launched(`campaign("a");`);
    assertDone(await stack.up(), { create: 1 });
    await stack.write(programOf(`campaign("b");`));
    const running = /Another campaign of this name is live: cmp_1 \(ENABLED/;
    assertFailed(await stack.up(...pair("--target", "b")), running);
    assertFailed(await stack.up(...pair("--target", "b")), running);
    assertFailed(await stack.up(...pair("--exclude", "a")), running);
    assert.deepEqual([campaigns(), await idOf(stack, "b")], [["cmp_1 ENABLED"], ""]);
    assertDone(await stack.preview(...pair("--target", "a")), { delete: 1 });
    assertDone(await stack.up(...pair("--target", "a")), { delete: 1, same: 1 });
    assert.deepEqual([campaigns(), await idOf(stack, "a")], [["cmp_1 REMOVED"], ""]);
  });

  it("is not taken by a second campaign of its name with --target, whose destroy ends nothing", async () => {
    const stack = await launched(`campaign("a");`);
    assertDone(await stack.up(), { create: 1 });
    await stack.write(programOf(`campaign("a"); campaign("b");`));
    assertFailed(await stack.preview(), /is declared twice/);
    assertFailed(await stack.up(...pair("--target", "b")), /Another campaign of this name is live: cmp_1 \(ENABLED/);
    assertDone(await stack.destroy("--target", urnOf("LaunchIntent", "b")));
    assert.deepEqual([campaigns(), simulator.objects.launches().length], [["cmp_1 ENABLED"], 1]);
  });

  it("stays adopted when its campaignId is left out and it is replaced by --replace", async () => {
    const { id } = simulator.objects.putCampaign("app-1", {
      campaign_name: "Spring sale",
      daily_budget_micros: 5_000_000,
      landing_page: "https://shop.example.com",
    });
    const stack = await launched(`campaign("a", { campaignId: "${id}" });`);
    assertDone(await stack.up(), { create: 1 });
    assertDone(await stack.apply(programOf(`campaign("a");`)), { same: 1 });
    assertFailed(
      await stack.up("--replace", urnOf("AdCampaign", "a")),
      /was not replaced, and goes on\. Its deletionPolicy is "retain", so it would go on spending beside the new one/,
    );
    const [stored] = await stack.stored("AdCampaign");
    assert.equal(stored?.outputs?.["origin"], "adopted");
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([campaigns(), simulator.objects.launches()], [[`${id} ENABLED`], []]);
  });
});
