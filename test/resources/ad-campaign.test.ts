import assert from "node:assert/strict";
import { Unfinished } from "../../provider/engine/lifecycle";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign";
import type { State } from "../../provider/resources/ad-campaign-state";
import { type Bench, driven, startBench } from "../support/deployment";

const campaign = driven(adCampaignLifecycle);
const declared = {
  appId: "app-1",
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com",
};

describe("AdCampaign", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const operations = (): (string | undefined)[] => bench.simulator.requests.map(({ operation }) => operation);

  it("reads the list, launches once and looks once for what it launched", async () => {
    const state = await campaign.create(declared, bench);
    assert.deepEqual(operations(), ["campaign.list", "campaign.readiness", "campaign.launch", "campaign.list"]);
    assert.equal(state.launchState, "confirmed");
    assert.equal(state.campaignId, bench.simulator.objects.campaigns("app-1")[0]?.id);
    assert.deepEqual(await campaign.read(state, bench.later()), state);
  });

  it("is unconfirmed after a 409 that left nothing in the list, and launched again after the quarantine", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409, body: "nein" } });
    const failure = await campaign.create(declared, bench).then(assert.fail, (error: unknown) => error as Unfinished);
    assert.ok(failure instanceof Unfinished, String(failure));
    assert.match(failure.message, /MONEY MAY BE MOVING.*nein/);
    const state = failure.state as State;
    assert.equal(state.launchState, "unconfirmed");
    await assert.rejects(campaign.update(state, declared, bench), /MONEY MAY BE MOVING/);
    await bench.clock.sleep(900_000);
    const confirmed = await campaign.update(state, declared, bench);
    assert.equal(confirmed.launchState, "confirmed");
    assert.equal(bench.simulator.objects.launches().length, 1);
    await campaign.delete(confirmed, bench);
    assert.equal(await campaign.read(confirmed, bench.later()), undefined);
  });
});
