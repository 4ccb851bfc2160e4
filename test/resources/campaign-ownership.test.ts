import assert from "node:assert/strict";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  asStored,
  campaign,
  declared,
  held,
  intend,
  type Intent,
  intents,
  refusal,
  requests,
  type State,
} from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";
import { putLaunch } from "../support/launches";

const dearer = { ...declared, dailyBudgetMicros: 6_000_000 };

describe("Two stacks with equal declarations", () => {
  let bench: Bench;
  let ours: Intent;
  beforeEach(async () => {
    bench = await startBench();
    ours = await intend(declared, bench);
  });
  afterEach(() => bench.close());

  const launchByOther = async (): Promise<{ state: State; intent: Intent }> => {
    const other = bench.later();
    const intent = await intend(declared, other);
    const state = await campaign.create(declared, other, intent);
    requests(bench);
    return { state, intent };
  };
  const posts = (): number => bench.simulator.objects.launches().length;

  it("never share a campaign: the second is refused at every up, and its revert deletes nothing", async () => {
    await launchByOther();
    for (let ups = 0; ups < 3; ups++)
      assert.match(await refusal(campaign.create(declared, bench.later(), ours)), /cmp_1 \(ENABLED, "Spring sale-/);
    await intents.delete(ours, bench.later());
    assert.deepEqual([held(bench), posts()], [["cmp_1 ENABLED"], 1]);
  });

  for (const policy of ["delete", "pause"] as const)
    it(`keep the campaign of the other one whose launch came between a refusal with 422 and a revert (${policy})`, async () => {
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 422 } });
      await refusal(campaign.create(declared, bench, ours));
      await launchByOther();
      await intents.delete({ ...ours, deletionPolicy: policy }, bench.later());
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

  it("keep the campaign of the other one whose launch came between a 409 and the later commands", async () => {
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    const { state } = await leftBy(campaign.create(declared, bench, ours));
    await launchByOther();
    assert.deepEqual(await campaign.read(state, bench.later()), state);
    await bench.clock.sleep(1_000_000);
    const next = bench.later();
    await intend(declared, next, ours);
    assert.match((await leftBy(campaign.update(state, declared, next))).message, /cmp_1 \(ENABLED/);
    const last = bench.later();
    await campaign.delete(state, last);
    await intents.delete(ours, last);
    assert.deepEqual([held(bench), posts()], [["cmp_1 ENABLED"], 1]);
  });

  it("that launch at the same moment both launch, and each deletes only its own", async () => {
    const other = bench.later();
    const theirs = await intend(declared, other);
    const [first, second] = await Promise.all([
      campaign.create(declared, bench, ours),
      campaign.create(declared, other, theirs),
    ]);
    assert.notEqual(first.campaignId, second.campaignId);
    const next = bench.later();
    await intend(declared, next, ours);
    assert.equal((await campaign.read(first, next))?.campaignId, first.campaignId);
    await campaign.update(first, declared, next);
    const last = bench.later();
    await campaign.delete(first, last);
    await intents.delete(ours, last);
    const statuses = new Map(bench.simulator.objects.campaigns("app-1").map(({ id, status }) => [id, status]));
    assert.deepEqual(
      [statuses.get(first.campaignId ?? ""), statuses.get(second.campaignId ?? "")],
      ["REMOVED", "ENABLED"],
    );
  });

  it("that were both killed during the launch each find their own campaign", async () => {
    const theirs = await intend(declared, bench.later());
    putLaunch(bench, theirs, {}, { id: "theirs" });
    putLaunch(bench, ours, {}, { id: "ours" });
    assert.equal((await campaign.create(declared, bench.later(), ours)).campaignId, "ours");
    await intents.delete(theirs, bench.later());
    assert.deepEqual(held(bench), ["theirs REMOVED", "ours ENABLED"]);
  });

  it("take over nothing after a lost state: the campaign is a namesake then", async () => {
    await campaign.create(declared, bench, ours);
    assert.match(
      await refusal(campaign.create(declared, bench.later())),
      /another stack launched it, or this one before it was .* lost/,
    );
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });
});

describe("A list that lags", () => {
  let bench: Bench;
  let intent: Intent;
  beforeEach(async () => {
    bench = await startBench();
    intent = await intend(declared, bench);
  });
  afterEach(() => bench.close());

  it("does not make this command forget a campaign that it launched, nor the next one believe that it is gone", async () => {
    bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 60_000 });
    const state = await campaign.create(declared, bench, intent);
    assert.deepEqual([state.campaignId, state.accountId], ["cmp_1", "acc_1"]);
    assert.match(bench.said.join("\n"), /Campaign cmp_1 was launched, but the campaign list does not show it yet\./);
    assert.match(await refusal(campaign.read(state, bench.later())), /That does not prove that it was deleted\./);
    await bench.clock.sleep(60_000);
    const seen = (await campaign.read(state, bench.later())) ?? assert.fail();
    assert.deepEqual(seen, { ...state, readBy: seen.readBy });
    assert.ok(bench.service.endpoints.isEvidence("campaign.list", seen.readBy));
  });

  it("does not make this command delete twice, or stop at, a campaign that it has just deleted", async () => {
    const state = await campaign.create(declared, bench, intent);
    const [listed] = bench.simulator.objects.campaigns("app-1");
    const next = bench.later();
    await intend(dearer, next, intent);
    bench.simulator.fault({ operation: "campaign.list", times: 3, then: { status: 200, body: [listed] } });
    requests(bench);
    await campaign.delete(state, next);
    const { campaignId } = await campaign.create(dearer, next, intent);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", `${campaignId ?? ""} ENABLED`]);
    assert.equal(requests(bench).filter((operation) => operation === "delete").length, 1);
  });

  it("does not make a command adopt a campaign that it has just deleted", async () => {
    const state = await campaign.create(declared, bench, intent);
    const [listed] = bench.simulator.objects.campaigns("app-1");
    const next = bench.later();
    await campaign.delete(state, next);
    bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 200, body: [listed] } });
    assert.match(
      await refusal(campaign.create({ ...declared, campaignId: "cmp_1" }, next)),
      /was not adopted: this command has just deleted or paused it/,
    );
  });
});

describe("A running campaign", () => {
  let bench: Bench;
  let intent: Intent;
  let state: State;
  beforeEach(async () => {
    bench = await startBench();
    intent = await intend(declared, bench);
    state = await campaign.create(declared, bench, intent);
    requests(bench);
  });
  afterEach(() => bench.close());

  /** What the engine does to replace it: `check`, then `delete` before anything else. `--replace` calls no `diff`. */
  const deleteForReplacement = async (inputs: object, next = bench.later()): Promise<void> => {
    await intend(inputs, next, intent);
    const launchIntent = "campaignId" in inputs ? {} : { launchIntent: intent.key };
    await dynamicProvider(adCampaignLifecycle, () => next).check?.({ ...state }, { ...inputs, ...launchIntent });
    await campaign.delete(state, next);
  };
  const elsewhere = "https://elsewhere.example.com/";

  const refusing: Record<string, { prepare: () => void; inputs?: object; next?: () => Bench; why: RegExp }> = {
    "the app's cap": {
      prepare: () => bench.simulator.objects.putCampaign("app-1", { ...asStored, campaign_name: "Autumn sale" }),
      next: () => bench.later({ maxAppDailyBudgetMicros: "10000000" }),
      why: /above the limit of 10\.00/,
    },
    "launch readiness": {
      prepare: () => {
        bench.simulator.advertising.setPaymentProvider("unreachable");
      },
      why: /payment provider/,
    },
    "the new landing page": {
      prepare: () => {
        bench.simulator.advertising.setLandingPage("app-1", declared.landingPage);
      },
      inputs: { ...dearer, landingPage: elsewhere },
      why: /expects the landing page https:\/\/shop\.example\.com\//,
    },
    "a namesake": {
      prepare: () => bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "theirs" }),
      why: /theirs \(ENABLED, "Spring sale"\)/,
    },
    "a list that cannot be read": {
      prepare: () => {
        bench.simulator.fault({ operation: "campaign.list", times: "always", then: { status: 403 } });
      },
      why: /The campaign list could not be read/,
    },
    "checkpoints that Pulumi does not save": {
      prepare: () => {
        process.env["PULUMI_SKIP_CHECKPOINTS"] = "1";
      },
      why: /PULUMI_SKIP_CHECKPOINTS/,
    },
    "a campaign to adopt that is not there": {
      prepare: () => undefined,
      inputs: { ...declared, campaignId: "wrong" },
      why: /is not in the list/,
    },
    "a campaign to adopt that has other values": {
      prepare: () =>
        bench.simulator.objects.putCampaign("app-1", { ...asStored, id: "other", landing_page: elsewhere }),
      inputs: { ...declared, campaignId: "other" },
      why: /differs in landingPage from what is declared/,
    },
  };
  for (const [what, { prepare, inputs = dearer, next = () => bench.later(), why }] of Object.entries(refusing))
    it(`is not deleted for a change that ${what} would refuse`, async () => {
      prepare();
      try {
        const message = await refusal(deleteForReplacement(inputs, next()));
        assert.match(message, /^The campaign cmp_1 of app app-1 was not replaced, and goes on\. /);
        assert.match(message, why);
      } finally {
        delete process.env["PULUMI_SKIP_CHECKPOINTS"];
      }
      assert.equal(held(bench)[0], "cmp_1 ENABLED");
      assert.ok(!requests(bench).includes("delete"));
    });

  it("is deleted for a change that nothing refuses", async () => {
    await deleteForReplacement(dearer);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
  });

  it("that somebody removed is destroyed by the policy pause, and does not fail forever", async () => {
    bench.simulator.objects.changeCampaign("app-1", "cmp_1", { status: "REMOVED" });
    const next = bench.later();
    await campaign.delete({ ...state, deletionPolicy: "pause" }, next);
    await intents.delete({ ...intent, deletionPolicy: "pause" }, next);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
  });

  it("is not deleted by the intent of another campaign in the program", async () => {
    const autumn = { ...declared, campaignName: "Autumn sale" };
    const other = await intend(autumn, bench);
    await intents.delete(other, bench.later());
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("is not deleted by a resource that leaves the stack while another one adopts it", async () => {
    const next = bench.later();
    await campaign.create({ ...declared, campaignId: "cmp_1" }, next);
    await campaign.delete(state, next, (object) => next.ledger.isManaged(object));
    await intents.delete(intent, next);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("accounts for the launch of its intent then, also after commands with several tokens", async () => {
    const next = bench.later();
    const { readBy } = await intents.update(intent, { appId: "app-1" }, bench.later({ accessToken: "other-token" }));
    await campaign.create({ ...declared, campaignId: "cmp_1" }, next);
    await intents.delete({ ...intent, readBy }, next);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
  });

  it("is not deleted while another resource declares it by its id and is about to adopt it", async () => {
    const next = bench.later();
    const adopting = { ...declared, campaignName: "Other", campaignId: "cmp_1" };
    await dynamicProvider(adCampaignLifecycle, () => next).check?.(
      {},
      { ...adopting, [placeKey]: "project/stack/other" },
    );
    await campaign.delete(state, next);
    await intents.delete(intent, next);
    assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    assert.match(next.said.join("\n"), /is declared by its campaignId, so it is not deleted\./);
  });

  it("is not shown by a list that was read while it was being deleted", async () => {
    const next = bench.later();
    bench.simulator.fault({ operation: "campaign.delete", then: "pass", delayMilliseconds: 100 });
    const deletion = campaign.delete(state, next);
    assert.equal((await campaign.read(state, next))?.campaignId, "cmp_1", "the deletion is in progress");
    await deletion;
    assert.equal(await campaign.read(state, next), undefined);
  });
});
