import assert from "node:assert/strict";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  afterKill,
  asStored,
  campaign,
  declared,
  held,
  quarantine,
  refusal,
  requests,
  type State,
  unconfirmedLaunch,
} from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";

describe("AdCampaign, several at once", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const launches = (): number => bench.simulator.objects.launches().length;

  it("launches one of two equal declarations, and refuses the other", async () => {
    const both = await Promise.allSettled([campaign.create(declared, bench), campaign.create(declared, bench)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
    assert.match(
      String((both[1] as PromiseRejectedResult).reason),
      /A live campaign has this name: cmp_1 \(ENABLED, not known to be launched by this resource/,
    );
    assert.equal(launches(), 1);
  });

  it("does not adopt a campaign by name that another resource manages, also after an interrupted launch", async () => {
    const next = await afterKill(bench);
    await campaign.create(declared, bench);
    next.claims.restore("campaign cmp_1 of app app-1", "abc");
    assert.match(await refusal(campaign.create(declared, next)), /campaign cmp_1 of app app-1 is already managed/);
    assert.equal(launches(), 1);
  });

  it("launches one of two whose names are the same to the service", async () => {
    const spelled = { ...declared, campaignName: " Spring  sale" };
    await Promise.allSettled([campaign.create(declared, bench), campaign.create(spelled, bench)]);
    assert.equal(launches(), 1);
  });

  it("does not wait for a campaign of another name or another app", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: "hold" });
    const ended: string[] = [];
    const create = async (what: string, given: object): Promise<void> => {
      await campaign.create({ ...declared, ...given }, bench);
      ended.push(what);
    };
    const slow = create("slow", {});
    while (!bench.simulator.requests.some(({ operation }) => operation === "campaign.launch"))
      await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([create("other name", { campaignName: "Autumn" }), create("other app", { appId: "app-2" })]);
    await bench.simulator.release();
    await slow;
    assert.equal(ended.at(-1), "slow");
  });

  it("launches no campaign under a name whose campaign is being deleted, until that is done", async () => {
    const old = await campaign.create(declared, bench);
    const next = bench.later();
    bench.simulator.fault({ operation: "campaign.delete", then: "pass", delayMilliseconds: 50 });
    const [, state] = await Promise.all([campaign.delete(old, next), campaign.create(declared, next)]);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    assert.equal(state.campaignId, "cmp_2");
  });

  it("does not delete a campaign that another resource adopts at the same time", async () => {
    const old = await campaign.create(declared, bench);
    const next = bench.later();
    await Promise.all([
      campaign.create({ ...declared, campaignId: "cmp_1" }, next),
      campaign.delete(old, next, (object) => next.claims.has(object)),
    ]);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("does not delete a campaign that another resource declares by its id and is about to adopt", async () => {
    const old = await campaign.create(declared, bench);
    const next = bench.later();
    const { check } = dynamicProvider(adCampaignLifecycle, () => next);
    await check?.({}, { ...declared, campaignName: "Other", campaignId: "cmp_1", [placeKey]: "other" });
    await campaign.delete(old, next);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    assert.deepEqual(next.said, ["Campaign cmp_1 is declared by its campaignId, so it is not deleted."]);
    await campaign.delete(old, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
  });

  it("adopts only from a list that was read after it acquired the mutex", async () => {
    const old = await campaign.create(declared, bench);
    requests(bench);
    const next = bench.later();
    await campaign.read(old, next);
    await campaign.delete(old, next);
    await campaign.create(declared, next);
    assert.deepEqual(requests(bench), ["list", "delete", "list", "readiness", "launch", "list"]);
  });

  it("does not treat a list that was read during a change as one from after it", async () => {
    const old = await campaign.create(declared, bench);
    const next = bench.later();
    bench.simulator.fault({ operation: "campaign.delete", then: "pass", delayMilliseconds: 100 });
    const deletion = campaign.delete(old, next);
    assert.deepEqual(await campaign.read(old, next), old, "while the deletion is in progress");
    await deletion;
    assert.equal(await campaign.read(old, next), undefined);
  });

  it("keeps a campaign that the list does not show yet, and does not treat its absence as evidence from then on", async () => {
    bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 60_000 });
    const state = await campaign.create(declared, bench);
    assert.deepEqual([state.campaignId, state.accountId], ["cmp_1", "acc_1"]);
    assert.match(
      bench.said.join(),
      /Campaign cmp_1 was launched, but the campaign list does not show it yet\. Run `pulumi refresh`/,
    );
    assert.match(
      await refusal(campaign.read(state, bench.later())),
      /does not prove that it was deleted\.\n {2}This list has never shown it/,
    );
    await bench.clock.sleep(60_000);
    const seen = await campaign.read(state, bench.later());
    assert.deepEqual(seen, { ...state, readBy: bench.service.endpoints.mark("campaign.list") });
  });

  it("names all duplicates of a launch, except removed ones and those of another name", async () => {
    const put = (fields: object) => bench.simulator.objects.putCampaign("app-1", { ...asStored, ...fields });
    put({ id: "one", campaign_name: "Spring  sale" });
    put({ id: "two", daily_budget_micros: 1 });
    put({ id: "gone", status: "REMOVED" });
    put({ id: "other", campaign_name: "Other" });
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
    const { state, message } = await leftBy(campaign.create(declared, bench));
    assert.match(
      message,
      /^MONEY MAY BE MOVING TWICE: campaign cmp_5 \(app-1, USD 5\.00 a day\) was launched, and one, two of the same name became live at the same time\.\n {2}Another pipeline may have launched one, two\. This stack manages cmp_5\.\n {2}- Delete the extra campaign/,
    );
    assert.deepEqual([state.campaignId, state.launchState, state.paused], ["cmp_5", "confirmed", undefined]);
    assert.equal(bench.simulator.objects.launches()[0]?.id, "cmp_5");
  });

  describe("destroying an unconfirmed launch whose name another resource now has", () => {
    let state: State;
    let next: Bench;
    beforeEach(async () => {
      state = await unconfirmedLaunch(bench);
      next = bench.later();
      await bench.clock.sleep(quarantine);
      bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs", daily_budget_micros: 1 });
      await campaign.create({ ...declared, dailyBudgetMicros: 1, campaignId: "theirs" }, next);
    });

    it("forgets it, and does not touch the other resource's campaign", async () => {
      await campaign.delete(state, next);
      assert.deepEqual(held(bench), ["theirs ENABLED"]);
      assert.match(next.said.join(), /was never confirmed/);
    });

    it("deletes its own campaign next to it", async () => {
      bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "own" });
      await campaign.delete(state, next);
      assert.deepEqual(held(bench), ["theirs ENABLED", "own REMOVED"]);
    });

    it("is in doubt when no resource of this deployment has it", async () => {
      assert.match(await refusal(campaign.delete(state, bench.later())), /theirs \(ENABLED, differs in dailyBudget/);
    });

    it("launches nothing next to it", async () => {
      await leftBy(campaign.update(state, declared, next));
      assert.equal(launches(), 0);
    });
  });
});
