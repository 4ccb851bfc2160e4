import assert from "node:assert/strict";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { declared } from "../support/campaigns";
import { type Bench, driven, startBench, unchanged } from "../support/deployment";
import { newRequests } from "../support/requests";
import { StackedCampaign } from "../support/stacked-campaign";

const tracking = driven(conversionTrackingLifecycle);

describe("ConversionTracking", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => newRequests(bench.simulator);

  it("creates the goals, and says on destroy that they stay", async () => {
    bench.simulator.objects.putAdvertisingAccount("app-1");
    const state = await tracking.create({ appId: "app-1", wireEvents: true }, bench);
    assert.deepEqual(requests(), [`tracking.bootstrap {"wire_events":true}`]);
    assert.equal(state.actionsCreatedOrExisting, bench.simulator.objects.conversionGoals("app-1").length);
    assert.ok(state.composerPrompt.length > 0);
    await tracking.delete(state, bench);
    assert.deepEqual(requests(), []);
    assert.match(bench.said.join(), /goals of app app-1 stay .* cannot remove them/);
  });

  it("is skipped without an error when the app has no advertising account, and omits absent fields", async () => {
    const state = await tracking.create({ appId: "app-1" }, bench);
    assert.deepEqual(state, {
      appId: "app-1",
      wireEvents: false,
      composerPrompt: "",
      skippedReason: "no_ads_account",
      readBy: state.readBy,
    });
    const next = bench.later();
    await tracking.delete(state, next);
    assert.deepEqual(next.said, [], "no goals are mentioned");
  });

  it("warns at once when it is skipped, and says why and what to do", async () => {
    await tracking.create({ appId: "app-1" }, bench);
    assert.equal(bench.said.length, 1);
    assert.match(
      String(bench.said[0]),
      /^No conversion goals exist for app app-1: it has no advertising account \(no_ads_account\)\. \[WA1820\]\n {2}- Launch a campaign of this app first, .* Then run `pulumi up` again\.\n {2}- .*dependsOn.*\n {2}- .*change rerun/,
    );
  });

  describe("after it was skipped", () => {
    const args = { appId: "app-1" };
    const spring = { ...declared, campaignName: "Spring sale" };

    /** The program declares a campaign before the tracking. */
    const withCampaign = async (next: Bench): Promise<Bench> => {
      await new StackedCampaign(next).preview(spring);
      return next;
    };

    it("is not run again by every up while the program declares no campaign of the app", async () => {
      const state = await tracking.create(args, bench);
      const next = bench.later();
      await new StackedCampaign(next).preview({ ...spring, appId: "app-2" });
      assert.deepEqual(await tracking.preview(state, args, next), unchanged);
      assert.deepEqual(next.said.join("\n").match(/conversion tracking/g), null);
    });

    it("is an update in the preview of a program that declares a campaign of the app, which says why", async () => {
      const state = await tracking.create(args, bench);
      const next = await withCampaign(bench.later());
      requests();
      assert.deepEqual(await tracking.preview(state, args, next), { ...unchanged, changes: true });
      assert.deepEqual(requests(), [], "a preview sends no request");
      assert.match(
        next.said.join("\n"),
        /^The conversion tracking of app app-1 runs again\. It was skipped \(no_ads_account\), and the program declares a campaign/m,
      );
    });

    it("is an update in the next preview if the program declared the campaign already, in whatever order", async () => {
      const state = await tracking.create(args, await withCampaign(bench.later()));
      assert.deepEqual(await tracking.preview(state, args, bench.later()), { ...unchanged, changes: true });
    });

    it("creates the goals in the up after a launch, with an unchanged program, and is done then", async () => {
      const first = await withCampaign(bench.later());
      const state = await tracking.create(args, first);
      await new StackedCampaign(first).up(spring);
      requests();
      const next = bench.later();
      const done = await tracking.update(state, args, next);
      assert.deepEqual(requests(), [`tracking.bootstrap {"wire_events":false}`]);
      assert.equal(bench.simulator.objects.conversionGoals("app-1").length, 10);
      assert.deepEqual([done.skippedReason, done.actionsCreatedOrExisting, next.said], [undefined, 10, []]);
      assert.deepEqual(await tracking.preview(done, args, await withCampaign(bench.later())), unchanged);
    });

    it("is skipped again, with the warning, if the account is still missing, and waits again without a campaign", async () => {
      const state = await tracking.create(args, await withCampaign(bench.later()));
      const next = bench.later();
      const again = await tracking.update(state, args, next);
      assert.match(next.said.join("\n"), /^No conversion goals exist for app app-1/);
      assert.deepEqual(await tracking.preview(again, args, bench.later()), unchanged);
    });

    it("shows no drift at a refresh", async () => {
      const state = await tracking.create(args, await withCampaign(bench.later()));
      const next = await withCampaign(bench.later());
      // A refresh calls `diff` without `check`.
      const host = dynamicProvider(conversionTrackingLifecycle, () => next);
      assert.deepEqual(await host.diff?.("id", { ...state }, { ...args, wireEvents: false }), unchanged);
    });
  });

  it("runs again when rerun or wireEvents changes, and not when rerun is removed from the program", async () => {
    bench.simulator.objects.putAdvertisingAccount("app-1");
    const state = await tracking.create({ appId: "app-1", rerun: "one" }, bench);
    requests();
    for (const inputs of [{ rerun: "two" }, { rerun: "one", wireEvents: true }]) {
      await tracking.update(state, { appId: "app-1", ...inputs }, bench);
      assert.equal(requests().length, 1);
    }
    assert.equal((await tracking.update(state, { appId: "app-1" }, bench)).rerun, undefined);
    assert.deepEqual(await tracking.read(state, bench), state);
    assert.deepEqual(requests(), []);
  });

  it("runs again after a lost response, which creates nothing twice", async () => {
    bench.simulator.objects.putAdvertisingAccount("app-1");
    bench.simulator.fault({ operation: "tracking.bootstrap", commit: true, then: "reset" });
    await tracking.create({ appId: "app-1" }, bench);
    assert.equal(new Set(bench.simulator.objects.conversionGoals("app-1")).size, 10);
  });

  it("has a longer timeout than other requests", async () => {
    const hasty = bench.later({ requestTimeoutSeconds: "0.2" });
    bench.simulator.fault({ operation: "tracking.bootstrap", then: "pass", delayMilliseconds: 600 });
    await tracking.create({ appId: "app-1" }, hasty);
    assert.equal(requests().length, 1);
  });
});
