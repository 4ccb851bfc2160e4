import assert from "node:assert/strict";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { asStored, campaign, declared, held, intend, intents, refusal, requests } from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";
import { putLaunch } from "../support/launches";

/* Faults that readers of the contract found. Each test is named after what must not happen. */

const otherToken = { accessToken: "other-token" };
const bothTokens = {
  credentials: ["full-access-token", "other-token"].map((value) => ({ value, kind: "personal-token" as const })),
};
const dearer = { ...declared, dailyBudgetMicros: 9_000_000 };
const pausing = { ...declared, deletionPolicy: "pause" };
const quarantine = 900_000;

describe("AdCampaign never", () => {
  let bench: Bench;
  const start = async (...options: Parameters<typeof startBench>): Promise<void> => {
    bench = await startBench(...options);
  };
  afterEach(() => bench.close());

  const statuses = (appId: string): string[] => bench.simulator.objects.campaigns(appId).map(({ status }) => status);

  it("lets a second resource adopt a campaign that the intent of the first would delete", async () => {
    await start();
    const intent = await intend(declared, bench);
    const spring = await campaign.create(declared, bench, intent);
    const duplicate = putLaunch(bench, intent);
    const up = bench.later();
    await intend(declared, up, intent);
    await campaign.preview(spring, { ...declared, launchIntent: intent.key }, up);
    const why = await refusal(campaign.create({ ...declared, campaignId: duplicate.id }, up));
    assert.match(why, /was not adopted: its name has the key of the LaunchIntent .*\n {2}- To keep this campaign/s);
    // The resource of the intent itself may.
    const removed = bench.later();
    assert.equal((await campaign.create({ ...declared, campaignId: duplicate.id }, removed)).origin, "adopted");
  });

  it("launches beside a campaign that it replaces and Pulumi retains", async () => {
    await start();
    const intent = await intend(declared, bench);
    const state = await campaign.create(declared, bench, intent);
    const up = bench.later();
    await intend(declared, up, intent);
    await campaign.preview(state, { ...dearer, launchIntent: intent.key }, up);
    assert.match(
      await refusal(campaign.create(dearer, up, intent)),
      /^No campaign was launched: .*it replaces is still live: cmp_1 of app app-1.*retainOnDelete/s,
    );
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("resumes a campaign that the service holds, after an uncertain launch of its own", async () => {
    await start({}, { tracking: "pending" });
    bench.simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
    const state = await campaign.create(pausing, bench);
    assert.deepEqual(requests(bench), ["list", "readiness", "launch", "list"]);
    assert.equal(state.pausedBy, "service");
    assert.match(bench.said.join("\n"), /The service holds the campaign cmp_1/);
  });

  it("is stuck without a way out where an earlier app is gone", async () => {
    await start();
    const intent = await intend(declared, bench);
    const moved = await intents.update(intent, { appId: "app-2" }, bench);
    const state = await campaign.create({ ...declared, appId: "app-2" }, bench, moved);
    bench.simulator.fault({
      ...{ operation: "campaign.list", parameters: { app_id: "app-1" }, times: "always" },
      then: { status: 404 },
    });
    const refresh = bench.later();
    assert.deepEqual(await campaign.read(state, refresh), state);
    assert.match(refresh.said.join("\n"), /unknown whether a late duplicate of it is live in app-1, app-2/);
    assert.match(await refusal(campaign.delete(state, bench.later())), /`pulumi state delete --force '<URN>'`/);
    assert.deepEqual(statuses("app-2"), ["REMOVED"]);
  });

  it("forgets a live orphan where a hook repeats the create", async () => {
    await start();
    const intent = await intend(declared, bench);
    const { id } = putLaunch(bench, intent, dearer);
    putLaunch(bench, intent);
    const next = bench.later();
    bench.simulator.fault({ operation: "campaign.delete", times: "always", then: { status: 403 } });
    for (const attempt of ["first", "repeated"]) {
      const { state } = await leftBy(campaign.create(declared, next, intent));
      assert.deepEqual(state.duplicates, [id], attempt);
    }
  });

  it("searches for a launch whose campaign this command has deleted, with whatever token", async () => {
    await start({}, bothTokens);
    const intent = await intend(declared, bench);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench, intent));
    putLaunch(bench, intent);
    const destroy = bench.later(otherToken);
    await campaign.delete(state, destroy);
    requests(bench);
    await intents.delete(intent, destroy);
    assert.deepEqual([held(bench), requests(bench)], [["cmp_1 REMOVED"], []]);
  });

  it("deletes anything for a launch that a namesake would refuse, although a duplicate is the declared campaign", async () => {
    await start();
    const intent = await intend(declared, bench);
    const state = await campaign.create(declared, bench, intent);
    const late = putLaunch(bench, intent, dearer);
    bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" });
    const up = bench.later();
    await intend(declared, up, intent);
    await campaign.preview(state, { ...dearer, launchIntent: intent.key }, up);
    assert.match(await refusal(campaign.delete(state, up)), /was not replaced, and goes on\..*theirs/s);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED", `${late.id} ENABLED`, "theirs ENABLED"]);
  });

  it("deletes an orphan for a launch that the cap then refuses", async () => {
    await start();
    const intent = await intend(declared, bench);
    await campaign.create(declared, bench, intent);
    const up = bench.later({ maxAppDailyBudgetMicros: "8000000" });
    assert.match(await refusal(campaign.create(dearer, up, intent)), /above the limit/);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    const within = bench.later({ maxAppDailyBudgetMicros: "10000000" });
    await campaign.create(dearer, within, intent);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"], "without the budget of the orphan");
  });

  it("deletes an adopted campaign with --replace before it checks the launch in its place", async () => {
    await start();
    const { id } = bench.simulator.objects.putCampaign("app-1", asStored);
    const adopted = await campaign.create({ ...declared, campaignId: id, deletionPolicy: "delete" }, bench);
    const up = bench.later();
    const intent = await intend(declared, up);
    const host = dynamicProvider(adCampaignLifecycle, () => up);
    await host.check?.({}, { ...declared, launchIntent: intent.key, [placeKey]: "p/s/a", [nameKey]: "a" });
    bench.simulator.fault({ operation: "campaign.readiness", times: "always", then: { status: 403 } });
    assert.match(await refusal(campaign.delete(adopted, up)), /was not replaced, and goes on\..*403/s);
    assert.deepEqual(held(bench), [`${id} ENABLED`]);
  });

  it("forgets that a resume may have been carried out", async () => {
    await start();
    const intent = await intend(declared, bench);
    const paused = await campaign.create({ ...declared, paused: true }, bench, intent);
    bench.simulator.fault({ operation: "campaign.resume", commit: true, then: { status: 502 } });
    bench.simulator.fault({ operation: "campaign.resume", times: "always", then: { status: 403 } });
    const { state } = await leftBy(campaign.update(paused, { ...declared, paused: false }, bench.later()));
    assert.equal(state.pausedBy, "unknown");
  });

  it("counts a paused duplicate towards the cap, or names it again", async () => {
    await start();
    const intent = await intend(pausing, bench);
    putLaunch(bench, intent, dearer);
    const state = await campaign.create(pausing, bench.later(), intent);
    assert.deepEqual(state.pausedDuplicates, ["cmp_1"]);
    const refresh = bench.later();
    assert.deepEqual([await campaign.read(state, refresh), refresh.said], [state, []]);
    const up = bench.later({ maxAppDailyBudgetMicros: "8000000" });
    await campaign.preview(state, { ...pausing, launchIntent: intent.key }, up);
    await campaign.create({ ...declared, campaignName: "Other", dailyBudgetMicros: 1_000_000 }, up);
  });

  for (const order of [
    ["new", "kept"],
    ["kept", "new"],
  ] as const)
    it(`passes the cap by the order of a program: ${order.join(", ")}`, async () => {
      await start({ maxAppDailyBudgetMicros: "8000000" });
      const kept = { ...declared, campaignName: "Old", launchIntent: "0000001" };
      const olds = { ...kept, campaignId: "cmp_9", launchState: "confirmed" };
      const unknownKey = { launchIntent: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
      const host = dynamicProvider(adCampaignLifecycle, () => bench);
      const named = (name: string) => ({ [placeKey]: `p/s/${name}`, [nameKey]: name });
      const checks = {
        new: () => host.check?.({}, { ...declared, ...unknownKey, ...named("new") }),
        kept: () => host.check?.(olds, { ...kept, ...named("kept") }),
      };
      const failures = [];
      for (const which of order) failures.push(...((await checks[which]())?.failures ?? []));
      assert.match(JSON.stringify(failures), /brings the campaigns of app app-1 in this program to 10\.00 a day/);
    });

  it("deletes a campaign for a change that comes with the policy retain", async () => {
    await start();
    const intent = await intend(declared, bench);
    const state = await campaign.create(declared, bench, intent);
    const up = bench.later();
    await assert.rejects(
      async () => campaign.preview(state, { ...dearer, deletionPolicy: "retain", launchIntent: intent.key }, up),
      ({ message }: Error) => message.includes('Its deletionPolicy is "retain"'),
    );
  });

  it("forgets under which key an unconfirmed launch was sent", async () => {
    await start();
    const intent = await intend(declared, bench);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench, intent));
    const other = await intend(declared, bench.later());
    const up = async () => {
      const next = bench.later();
      await intend(declared, next, other);
      return campaign.update(state, { ...declared, launchIntent: other.key }, next);
    };
    assert.match((await leftBy(up())).message, /^MONEY MAY BE MOVING: .* is not confirmed/);
    putLaunch(bench, intent);
    const { campaignId, launchIntent } = await up();
    assert.deepEqual([campaignId, launchIntent, held(bench)], ["cmp_1", other.key, ["cmp_1 ENABLED"]]);
  });

  it("forgets a retained launch in its quarantine because another campaign of the key is live", async () => {
    await start();
    const retained = { ...declared, deletionPolicy: "retain" };
    const intent = await intend(retained, bench);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(retained, bench, intent));
    putLaunch(bench, intent, dearer);
    assert.match(await refusal(campaign.delete(state, bench.later())), /is not confirmed/);
    await bench.clock.sleep(quarantine + 1_000);
    await campaign.delete(state, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("says that a retained campaign spends while the service holds it", async () => {
    await start({}, { tracking: "pending" });
    const state = await campaign.create({ ...declared, deletionPolicy: "retain" }, bench);
    const destroy = bench.later();
    await campaign.delete(state, destroy);
    assert.match(destroy.said.join("\n"), /is retained: it may spend, or start to by itself/);
  });

  it("keeps silent where paused: false is declared for a campaign that the service holds", async () => {
    await start({}, { tracking: "pending" });
    const state = await campaign.create(declared, bench);
    const up = bench.later();
    requests(bench);
    await campaign.update(state, { ...declared, paused: false }, up);
    assert.match(up.said.join("\n"), /The service holds the campaign cmp_1.*set paused: true/);
    assert.deepEqual(requests(bench), ["list"]);
  });

  it("launches beside a campaign of its key that the program reads with get", async () => {
    await start();
    const intent = await intend(declared, bench);
    const { id } = putLaunch(bench, intent);
    const next = bench.later();
    next.ledger.addReader(`campaign ${id} of app app-1`, "urn");
    assert.match(await refusal(campaign.create(declared, next, intent)), /the program reads it with get/);
    assert.deepEqual(held(bench), [`${id} ENABLED`]);
  });

  for (const status of [201, 202, 204])
    it(`believes a ${String(status)}: only a 200 says that a change was made`, async () => {
      await start();
      const then = { status, body: status === 204 ? undefined : { status: "deleted" } };
      const state = await campaign.create(declared, bench);
      bench.simulator.fault({ operation: "campaign.delete", times: "always", then });
      bench.simulator.fault({ operation: "campaign.pause", times: "always", then });
      assert.match(await refusal(campaign.delete(state, bench.later())), /^MONEY MAY BE MOVING: .*only a 200/s);
      const { message } = await leftBy(campaign.update(state, { ...declared, paused: true }, bench.later()));
      assert.match(message, /the service did not confirm the pause/);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

  it("deletes an unconfirmed campaign after an up that declared retain", async () => {
    await start();
    const intent = await intend(declared, bench);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench, intent));
    const { state: retained } = await leftBy(
      campaign.update(state, { ...declared, deletionPolicy: "retain" }, bench.later()),
    );
    putLaunch(bench, intent);
    await campaign.delete(retained, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });
});
