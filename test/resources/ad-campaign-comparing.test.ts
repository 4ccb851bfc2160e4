import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { asStored, campaign, declared, requests, type State, unconfirmedLaunch } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

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

describe("AdCampaign, comparing", () => {
  let bench: Bench;
  let state: State;
  beforeEach(async () => {
    bench = await startBench();
    state = await campaign.create(given, bench);
    requests(bench);
  });
  afterEach(() => bench.close());

  /** The comparison of a preview: the program's values were checked in the same process. */
  const compared = async (olds: State, news: object, deployment = bench) => {
    const host = dynamicProvider(adCampaignLifecycle, () => deployment);
    const { inputs } = (await host.check?.({ a: 1 }, news as Record<string, unknown>)) ?? {};
    return host.diff?.("id", olds as never, inputs as never);
  };
  const unchanged = { changes: false, replaces: [] };

  it("finds no difference in an equal program, and sends nothing", async () => {
    assert.deepEqual(await compared(state, given), unchanged);
    assert.deepEqual(requests(bench), []);
  });

  it("finds none in what is equal in meaning", async () => {
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
    it(`replaces it for another ${argument}, or one that is not known yet`, async () => {
      assert.deepEqual(await compared(state, { ...given, [argument]: value }), { changes: true, replaces: [argument] });
      assert.deepEqual(await compared(state, { ...given, [argument]: unknown }), {
        changes: true,
        replaces: [argument],
      });
    });
    if (!(argument in declared) && argument !== "campaignId")
      it(`replaces it when ${argument} is left out, or given for the first time`, async () => {
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

  it("takes a list or phone number that is empty in state for one that is not given", async () => {
    const { geoTargets: _, phoneNumber: __, ...without } = given;
    assert.deepEqual(await compared({ ...state, geoTargets: [], phoneNumber: undefined }, without), unchanged);
  });

  describe("a retained campaign", () => {
    const retained = (): State => ({ ...state, deletionPolicy: "retain" });
    const changed = { ...given, deletionPolicy: "retain", dailyBudgetMicros: 1 };

    it("is not replaced: the old one would go on spending beside the new", async () => {
      await assert.rejects(compared(retained(), changed), {
        message:
          'The program and the campaign cmp_1 of app app-1 differ in dailyBudgetMicros, and that would replace it. Its deletionPolicy is "retain", so it would go on spending beside the new one.\n  - Undo the change. If the campaign was changed in the service, declare the values that it has now.\n  - Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.',
      });
    });

    it("is not replaced either when it was adopted, without a policy", async () => {
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

    it("is not replaced under the same name by one that is paused, which could be taken for it", async () => {
      const pausing = { ...state, deletionPolicy: "pause" } as const;
      const dearer = { ...given, deletionPolicy: "pause", dailyBudgetMicros: 1 };
      await assert.rejects(compared(pausing, dearer), {
        message: /deletionPolicy is "pause".*\n {2}- Give the new one another campaignName/,
      });
      assert.deepEqual(await compared(pausing, { ...dearer, campaignName: "Another" }), {
        changes: true,
        replaces: ["campaignName", "dailyBudgetMicros"],
      });
      assert.deepEqual(await compared(pausing, { ...dearer, appId: "app-2" }), {
        changes: true,
        replaces: ["appId", "dailyBudgetMicros"],
      });
    });

    it("is not refused for values that a preview does not know yet", async () => {
      const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      assert.deepEqual(await compared(retained(), { ...given, deletionPolicy: "retain", landingPage: unknown }), {
        changes: true,
        replaces: ["landingPage"],
      });
    });

    it("goes by the policy in state, which is the one that a replacement would follow", async () => {
      await assert.rejects(compared(retained(), { ...changed, deletionPolicy: "delete" }), { message: /"retain"/ });
    });

    it("may change in place", async () => {
      assert.deepEqual(await compared(retained(), { ...given, deletionPolicy: "delete" }), {
        changes: true,
        replaces: [],
      });
    });

    it("shows its drift at a refresh, whose inputs no program declared", async () => {
      const { diff } = dynamicProvider(adCampaignLifecycle, () => bench);
      assert.deepEqual(await diff?.("id", retained() as never, changed as never), {
        changes: true,
        replaces: ["dailyBudgetMicros"],
      });
    });
  });

  it("is not replaced while it is declared by its own id: it would be ended before it is adopted", async () => {
    await assert.rejects(compared(state, { ...given, campaignId: "cmp_1", dailyBudgetMicros: 1 }), {
      message:
        "The program and the campaign cmp_1 of app app-1 differ in dailyBudgetMicros, and that would replace it. It is declared by its own campaignId, and the replacement would end it before adopting it.\n  - Undo the change. If the campaign was changed in the service, declare the values that it has now.\n  - Or leave campaignId out, and another campaign is launched in its place.",
    });
  });

  describe("an unconfirmed launch", () => {
    let open: State;
    let other: Bench;
    beforeEach(async () => {
      other = await startBench();
      open = await unconfirmedLaunch(other);
    });
    afterEach(() => other.close());

    it("is unfinished without any difference, so that the next up goes on", async () => {
      assert.deepEqual(await compared(open, declared, other), { changes: true, replaces: [] });
    });

    it("is not replaced when the program tells which campaign it was", async () => {
      assert.deepEqual(await compared(open, { ...declared, campaignId: "cmp_9" }, other), {
        changes: true,
        replaces: [],
      });
    });

    it("is not replaced by the values of that campaign either, but by another app", async () => {
      const told = { ...declared, campaignId: "cmp_9", dailyBudgetMicros: 1 };
      assert.deepEqual(await compared(open, told, other), { changes: true, replaces: [] });
      assert.deepEqual(await compared(open, { ...told, appId: "app-2" }, other), {
        changes: true,
        replaces: ["appId", "dailyBudgetMicros"],
      });
    });

    it("is replaced when its values change", async () => {
      assert.deepEqual(await compared(open, { ...declared, dailyBudgetMicros: 1 }, other), {
        changes: true,
        replaces: ["dailyBudgetMicros"],
      });
    });
  });

  it("leaves an adopted campaign as it is when the program leaves its id out", async () => {
    bench.simulator.objects.putCampaign("app-2", { ...asStored, id: "theirs" });
    const adopting = { ...declared, appId: "app-2", campaignId: "theirs" };
    const adopted = await campaign.create(adopting, bench);
    const { campaignId: _, ...without } = adopting;
    assert.deepEqual(await compared(adopted, without), unchanged);
  });
});
