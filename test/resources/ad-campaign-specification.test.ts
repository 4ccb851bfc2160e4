import assert from "node:assert/strict";
import { asStored, campaign, declared, held, refusal, requests } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

describe("AdCampaign, by the specification", () => {
  let bench: Bench;
  const start = async (...options: Parameters<typeof startBench>): Promise<void> => {
    bench = await startBench(...options);
  };
  afterEach(() => bench.close());

  it("is refused with the service's message where only the service can decide, and creates nothing", async () => {
    await start();
    const why = await refusal(campaign.create({ ...declared, businessName: "x".repeat(26) }, bench));
    assert.match(
      why,
      /^No campaign was launched: .*400\.\n {2}The service said: At most 25 characters.*account may exist by now/s,
    );
    assert.deepEqual([held(bench), bench.simulator.objects.advertisingAccount("app-1")], [[], undefined]);
  });

  it("is launched on the account from an earlier launch, after the problem that the ad platform reported is fixed", async () => {
    await start({}, { adPlatform: "refusing" });
    const refused = await refusal(campaign.create({ ...declared, timezone: "Europe/Zurich" }, bench));
    assert.match(refused, /the logo could not be fetched/);
    assert.deepEqual(held(bench), []);
    const account = bench.simulator.objects.advertisingAccount("app-1");
    bench.simulator.advertising.setAdPlatform("accepting");
    const state = await campaign.create({ ...declared, timezone: "Asia/Tokyo" }, bench.later());
    assert.ok(account);
    assert.deepEqual([state.accountId, state.accountTimezone], [account.id, "Europe/Zurich"]);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("is not reported as launched on billing hold, and is launched after billing is fixed", async () => {
    await start({ launchSettleSeconds: "0", launchQuarantineSeconds: "0" }, { billingHold: true });
    await assert.rejects(
      campaign.create(declared, bench),
      /409\.\n {2}The service said: The workspace is on billing hold: fix billing/,
    );
    assert.deepEqual(held(bench), []);
    bench.simulator.advertising.setBillingHold(false);
    await campaign.create(declared, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("is not deleted with a workspace key: the 403 is final, and the campaign keeps running", async () => {
    const credentials = [
      { value: "full-access-token", kind: "personal-token" },
      { value: "workspace", kind: "workspace-key" },
    ] as const;
    await start({}, { credentials: [...credentials] });
    const state = await campaign.create(declared, bench);
    requests(bench);
    await assert.rejects(
      campaign.delete(state, bench.later({ accessToken: "workspace" })),
      /403\.\n {2}The service said: .*not a workspace key/s,
    );
    assert.deepEqual(requests(bench), ["delete", "list"]);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("stores no live values, and returns the ad platform's id separately from its own", async () => {
    await start();
    const state = await campaign.create(declared, bench);
    const kept = JSON.stringify(state);
    for (const word of ["review", "serving", "primary", "learning", "updated"]) assert.ok(!kept.includes(word), word);
    assert.notEqual(state.campaignId, state.platformCampaignId);
    bench.simulator.objects.changeCampaign("app-1", state.campaignId ?? "", {
      review_status: "DISAPPROVED",
      serving_status: "SUSPENDED",
      primary_status: "NOT_ELIGIBLE",
      primary_status_reasons: ["BUDGET"],
      learning_ends_at: "2031-01-01T00:00:00Z",
      updated_date: "2031-01-01T00:00:00Z",
    });
    assert.deepEqual(await campaign.read(state, bench.later()), state);
  });

  it("accepts statuses and types that the specification does not show", async () => {
    await start();
    const given = { ...declared, campaignType: "NEW" };
    const { id } = bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_type: "NEW", status: "ODD" });
    const state = await campaign.create({ ...given, campaignId: id }, bench);
    assert.equal(state.campaignId, id);
    assert.deepEqual(requests(bench), ["list"]);
  });
});
