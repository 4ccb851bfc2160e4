import assert from "node:assert/strict";
import { assertDone, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

/** A program that tracks two apps and exports every output. */
const program = (shop: object = {}, blog: object = {}): string => `
  const { ConversionTracking } = require("pulumi-workspace-apps");
  exports.shop = new ConversionTracking("shop", { appId: "shop", ...${JSON.stringify(shop)} });
  exports.blog = new ConversionTracking("blog", { appId: "blog", ...${JSON.stringify(blog)} });`;

const bootstrap = (wire_events: boolean): string => `tracking.bootstrap ${JSON.stringify({ wire_events })}`;

describe("ConversionTracking on the real engine", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => newRequests(simulator);
  const goals = (app: string): number => simulator.objects.conversionGoals(app).length;

  /** The outputs of an app, which are the same in the program and in the state. */
  async function outputs(stack: PulumiProject, app: "shop" | "blog"): Promise<Record<string, unknown>> {
    const exported = JSON.parse((await stack.pulumi("stack", "output", "--json")).output) as Record<string, object>;
    const { id, urn, ...seen } = exported[app] as Record<string, unknown>;
    assert.equal(id, app);
    const stored = (await stack.stored()).find((resource) => resource.urn === urn)?.outputs ?? {};
    const { __provider, lease, readBy, ...kept } = stored;
    assert.deepEqual(seen, kept);
    return seen;
  }

  it("creates the goals, runs again on request, and says on destroy that the goals stay", async () => {
    simulator.objects.putAdvertisingAccount("shop", { platform_customer_id: "123" });
    simulator.objects.setConversionGoals("shop", ["PURCHASE", "OUR_OWN"]);
    const stack = await project(program());
    assertDone(await stack.up(), { create: 2 });
    assert.deepEqual([goals("shop"), goals("blog")], [11, 0]);
    assert.deepEqual(await outputs(stack, "shop"), {
      appId: "shop",
      wireEvents: false,
      composerPrompt: "Install tag-123 on every page of the app.",
      conversionId: "tag-123",
      actionsCreatedOrExisting: 11,
      wiredMappings: 0,
    });
    assert.deepEqual(
      await outputs(stack, "blog"),
      { appId: "blog", wireEvents: false, composerPrompt: "", skippedReason: "no_ads_account" },
      "an app without an account is not a failure",
    );

    requests();
    simulator.objects.setConversionTag("blog", "");
    simulator.objects.putAdvertisingAccount("blog");
    simulator.objects.setConversionMappings("shop", 3);
    assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
    assert.deepEqual(requests(), [], "the service has no read of it");

    assertDone(await stack.apply(program({ wireEvents: true }, { rerun: "1" })), { update: 2 });
    assert.deepEqual(requests().toSorted(), [bootstrap(false), bootstrap(true)]);
    assert.equal((await outputs(stack, "shop"))["wiredMappings"], 3);
    const { skippedReason, conversionId, actionsCreatedOrExisting } = await outputs(stack, "blog");
    assert.deepEqual([skippedReason, conversionId, actionsCreatedOrExisting], [undefined, "", 10]);

    assertDone(await stack.apply(program({ wireEvents: true, rerun: "a" })), { update: 2 });
    assert.deepEqual(requests(), [bootstrap(true)], "removing rerun from the program runs nothing");

    const destroyed = await stack.destroy();
    assertDone(destroyed, { delete: 2 });
    for (const app of ["shop", "blog"])
      assert.match(destroyed.output, new RegExp(`conversion goals of app ${app} stay in its advertising account`));
    assert.deepEqual(requests(), []);
    assert.deepEqual([goals("shop"), goals("blog")], [11, 10]);
  });

  it("is offered again after the launch of a campaign that the program declares behind it", async () => {
    const stack = await project(`
      const { AdCampaign, ConversionTracking } = require("pulumi-workspace-apps");
      new ConversionTracking("tracking", { appId: "shop" });
      new AdCampaign("spring", {
        appId: "shop",
        campaignType: "SMART",
        dailyBudgetMicros: 5_000_000,
        landingPage: "https://shop.example.com/",
      });`);
    // The response comes when Pulumi has seen the whole program.
    simulator.fault({ operation: "tracking.bootstrap", commit: true, then: "pass", delayMilliseconds: 2_000 });
    const first = await stack.up();
    assertDone(first, { create: 2 });
    assert.match(first.output, /No conversion goals exist for app shop: it has no advertising account/);
    assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
    requests();
    const preview = await stack.pulumi("preview", "--json");
    assert.match(preview.output, /"update": 1\b/);
    assert.deepEqual(requests(), [], "a preview sends no request");
    assertDone(await stack.up(), { update: 1, same: 1 });
    assert.deepEqual([requests(), goals("shop")], [[bootstrap(false)], 10]);
    assertDone(await stack.up("--expect-no-changes"), { same: 2 });
  });
});
