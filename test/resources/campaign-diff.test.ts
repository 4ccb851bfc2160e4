import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  asStored,
  campaign,
  declared,
  quarantine,
  requests,
  type State,
  unconfirmedLaunch,
} from "../support/campaigns";
import { type Bench, startBench, unchanged } from "../support/deployment";

const unknown: string = runtime.unknownValue;
const given = {
  ...declared,
  businessName: "Shop",
  keywordThemes: ["shoes"],
  searchThemes: ["buy shoes"],
  geoTargets: ["a", "b"],
  logoUrl: "https://shop.example.com/logo.png",
  phoneNumber: "+41 44",
  timezone: "Europe/Berlin",
  extraFields: { deep: { inside: [1] } },
};

describe("AdCampaign, diff,", () => {
  let bench: Bench;
  let state: State;
  beforeEach(async () => {
    bench = await startBench();
    state = await campaign.create(given, bench);
    requests(bench);
  });
  afterEach(() => bench.close());

  /** The diff of a preview: the program's values were checked in the same process. */
  const compared = async (olds: State, news: object, deployment = bench) => {
    const host = dynamicProvider(adCampaignLifecycle, () => deployment);
    const { inputs } = (await host.check?.({ a: 1 }, news as Record<string, unknown>)) ?? {};
    return host.diff?.("id", olds as never, inputs as never);
  };

  it("finds no difference in an equal program, and sends no request", async () => {
    assert.deepEqual(await compared(state, given), unchanged);
    assert.deepEqual(requests(bench), []);
  });

  it("finds no difference between equivalent values", async () => {
    const spelled = {
      ...given,
      campaignName: "Spring  sale ",
      landingPage: "https://shop.EXAMPLE.com",
      geoTargets: ["b", "a"],
      phoneNumber: "+4144",
      campaignId: state.campaignId,
      timezone: "Asia/Tokyo",
    };
    assert.deepEqual(await compared(state, spelled), unchanged);
    const { timezone: _, ...without } = given;
    assert.deepEqual(await compared(state, without), unchanged);
  });

  for (const [argument, value] of Object.entries({
    appId: "app-2",
    campaignName: "Autumn sale",
    campaignType: "PMAX",
    dailyBudgetMicros: 5_000_001,
    landingPage: "https://other.example.com/",
    businessName: "Other",
    keywordThemes: ["boots"],
    searchThemes: ["buy boots"],
    geoTargets: ["a"],
    logoUrl: "https://shop.example.com/other.png",
    phoneNumber: "+41 45",
    extraFields: { deep: { inside: [2] } },
    campaignId: "cmp_9",
  })) {
    it(`replaces it for another ${argument}, and not while that is unknown: Pulumi might delete it first`, async () => {
      assert.deepEqual(await compared(state, { ...given, [argument]: value }), { changes: true, replaces: [argument] });
      assert.deepEqual(await compared(state, { ...given, [argument]: unknown }), {
        changes: true,
        replaces: [],
      });
    });
    if (!(argument in declared) && argument !== "campaignId")
      it(`replaces it when ${argument} is removed, or given for the first time`, async () => {
        const { [argument as "geoTargets"]: _, ...without } = given;
        assert.deepEqual(await compared(state, without), { changes: true, replaces: [argument] });
        const first = { ...state, [argument]: undefined };
        assert.deepEqual(await compared(first, given), { changes: true, replaces: [argument] });
      });
  }

  it("changes paused and deletionPolicy in place", async () => {
    for (const change of [
      { paused: true },
      { paused: false },
      { deletionPolicy: "retain" },
      { paused: unknown },
      { timezone: unknown },
    ])
      assert.deepEqual(await compared(state, { ...given, ...change }), { changes: true, replaces: [] });
  });

  it("treats an empty list or phone number in state as not given", async () => {
    const { geoTargets: _, phoneNumber: __, ...without } = given;
    assert.deepEqual(await compared({ ...state, geoTargets: [], phoneNumber: undefined }, without), unchanged);
  });

  describe("of a retained campaign", () => {
    const retained = (): State => ({ ...state, deletionPolicy: "retain" });
    const changed = { ...given, deletionPolicy: "retain", dailyBudgetMicros: 1 };

    it("refuses a replacement, because the old campaign would keep spending next to the new one", async () => {
      await assert.rejects(compared(retained(), changed), {
        message:
          'The program and the campaign cmp_1 of app app-1 differ in dailyBudgetMicros, and that would replace it. Its deletionPolicy is "retain", so it would go on spending beside the new one. [WA1231]\n  - Undo the change. If the campaign was changed in the service, declare the values that it has now. If it was deleted there, run `pulumi refresh`.\n  - Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.',
      });
    });

    it("refuses a replacement also when it was adopted without a policy", async () => {
      await assert.rejects(compared({ ...state, origin: "adopted" }, { ...given, dailyBudgetMicros: 1 }), {
        message: /"retain"/,
      });
      const replaces = ["dailyBudgetMicros"];
      const ending = { ...state, origin: "adopted", deletionPolicy: "delete" } as const;
      assert.deepEqual(await compared(ending, { ...given, deletionPolicy: "delete", dailyBudgetMicros: 1 }), {
        changes: true,
        replaces,
      });
    });

    it("refuses a replacement of a campaign that would be paused, whatever changes", async () => {
      const pausing = { ...state, deletionPolicy: "pause" } as const;
      const dearer = { ...given, deletionPolicy: "pause", dailyBudgetMicros: 1 };
      for (const change of [{}, { campaignName: "Another" }, { appId: "app-2" }])
        await assert.rejects(compared(pausing, { ...dearer, ...change }), {
          message: /deletionPolicy is "pause", so it would stay beside the new one\. \[WA1231\]\n/,
        });
    });

    it("refuses a replacement by a change that comes with the policy retain", async () => {
      await assert.rejects(compared(state, changed), { message: /Its deletionPolicy is "retain"/ });
    });

    it("does not refuse values that are unknown at preview", async () => {
      const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      assert.deepEqual(await compared(retained(), { ...given, deletionPolicy: "retain", landingPage: unknown }), {
        changes: true,
        replaces: [],
      });
    });

    it("shows drift at a refresh, whose inputs no program declared", async () => {
      const { diff } = dynamicProvider(adCampaignLifecycle, () => bench);
      assert.deepEqual(await diff?.("id", retained() as never, changed as never), {
        changes: true,
        replaces: ["dailyBudgetMicros"],
      });
    });
  });

  it("refuses to replace it while it is declared by its own id, because it would be deleted before it is adopted", async () => {
    await assert.rejects(compared(state, { ...given, campaignId: "cmp_1", dailyBudgetMicros: 1 }), {
      message:
        'The program and the campaign cmp_1 of app app-1 differ in dailyBudgetMicros, and that would replace it. It is declared by its own campaignId, and the replacement would delete it before adopting it. [WA1231]\n  - Undo the change. If the campaign was changed in the service, declare the values that it has now. If it was deleted there, run `pulumi refresh`.\n  - Or set deletionPolicy to "delete", run `pulumi up`, and then make the change. Leave campaignId out with it.',
    });
  });

  describe("of an unconfirmed launch", () => {
    let open: State;
    let other: Bench;
    beforeEach(async () => {
      other = await startBench();
      open = await unconfirmedLaunch(other);
    });
    afterEach(() => other.close());

    it("is unfinished without any difference, so that the next up continues", async () => {
      assert.deepEqual(await compared(open, declared, other), { changes: true, replaces: [] });
    });

    it("does not replace it when the program says which campaign it was", async () => {
      assert.deepEqual(await compared(open, { ...declared, campaignId: "cmp_9" }, other), {
        changes: true,
        replaces: [],
      });
    });

    it("does not replace it for the values of that campaign either, only for another app", async () => {
      const told = { ...declared, campaignId: "cmp_9", dailyBudgetMicros: 1 };
      assert.deepEqual(await compared(open, told, other), { changes: true, replaces: [] });
      await other.clock.sleep(quarantine);
      assert.deepEqual(await compared(open, { ...told, appId: "app-2" }, other), {
        changes: true,
        replaces: ["appId", "dailyBudgetMicros"],
      });
    });

    it("refuses other values during the quarantine, and replaces it after", async () => {
      await assert.rejects(compared(open, { ...declared, dailyBudgetMicros: 1 }, other), {
        message: /Its launch is not confirmed, so it is not replaced before .*\n {2}- Run `pulumi refresh`/,
      });
      await other.clock.sleep(quarantine);
      assert.deepEqual(await compared(open, { ...declared, dailyBudgetMicros: 1 }, other), {
        changes: true,
        replaces: ["dailyBudgetMicros"],
      });
    });
  });

  it("leaves an adopted campaign unchanged when the program removes its id", async () => {
    bench.simulator.objects.putCampaign("app-2", { ...asStored, id: "theirs" });
    const adopting = { ...declared, appId: "app-2", campaignId: "theirs" };
    const adopted = await campaign.create(adopting, bench);
    const { campaignId: _, ...without } = adopting;
    assert.deepEqual(await compared(adopted, without), unchanged);
  });
});
