import assert from "node:assert/strict";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { putLaunch } from "../support/launches";
import type { SettingKey } from "../../provider/settings";
import { asStored, declared, faulting, held, requests, campaign, intend, refusal } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

/* Nothing is deleted for something that would then be refused. */

const dearer = { ...declared, dailyBudgetMicros: 8_000_000 };
const summer = { ...declared, campaignName: "Summer sale" };

describe("AdCampaign, replacing", () => {
  let bench: Bench;
  let stack: StackedCampaign;
  beforeEach(async () => {
    bench = await startBench();
    stack = new StackedCampaign(bench);
  });
  afterEach(async () => {
    delete process.env["PULUMI_SKIP_CHECKPOINTS"];
    await bench.close();
  });

  const later = (settings: Partial<Record<SettingKey, string>> = {}): Bench => {
    const next = bench.later(settings);
    stack.in(next);
    requests(bench);
    return next;
  };
  const launched = async (inputs: object = declared, settings: Partial<Record<SettingKey, string>> = {}) => {
    await stack.up(inputs);
    return later(settings);
  };
  const fault = faulting(() => bench);
  const put = (fields: object) => bench.simulator.objects.putCampaign("app-1", { ...asStored, ...fields });
  const sent = (): string[] => requests(bench).filter((operation) => ["launch", "delete", "pause"].includes(operation));
  /** The old campaign goes on, and nothing was sent that changes anything. */
  const goesOn = (): void => {
    assert.deepEqual([sent(), held(bench)[0], stack.state?.campaignId], [[], "cmp_1 ENABLED", "cmp_1"]);
  };

  it("deletes the old campaign first, and launches the new one under the same key", async () => {
    await launched();
    const key = stack.intent?.key;
    assert.equal((await stack.up(dearer)).did, "replace");
    assert.deepEqual(sent(), ["delete", "launch"]);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    assert.match(String(stack.state?.launchedName), new RegExp(`^Spring sale-${String(key)}[0-9a-f]{5}$`));
    assert.equal(stack.intent?.key, key);
  });

  it("launches at once although a slow list still shows the old campaign", async () => {
    await launched();
    const [row] = bench.simulator.objects.campaigns("app-1");
    fault("campaign.list", { status: 200, body: [row] }, { times: "always" });
    await stack.up(dearer);
    assert.deepEqual(sent(), ["delete", "launch"]);
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
  });

  it("moves to another app under the same key, and remembers both apps", async () => {
    await launched();
    await stack.up({ ...declared, appId: "app-2" });
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
    assert.equal(bench.simulator.objects.campaigns("app-2")[0]?.status, "ENABLED");
    assert.deepEqual(stack.intent?.apps, ["app-1", "app-2"]);
  });

  /** Reasons against the new campaign, and the words of the refusal. */
  const obstacles: Record<string, { args?: object; settings?: object; exists: () => void; words: RegExp }> = {
    "the app's cap": {
      settings: { maxAppDailyBudgetMicros: "10000000" },
      exists: () => void put({ id: "theirs", campaign_name: "Theirs" }),
      words: /could spend 13\.00 a day, above the limit of 10\.00/,
    },
    "the landing page": {
      exists: () => {
        bench.simulator.advertising.setLandingPage("app-1", "https://other.example.com/");
      },
      words: /expects the landing page https:\/\/other\.example\.com\//,
    },
    "a payment provider that readiness reports": {
      exists: () => {
        bench.simulator.advertising.setPaymentProvider("unreachable");
      },
      words: /payment_provider_unavailable/,
    },
    "readiness that is refused": {
      exists: () => {
        fault("campaign.readiness", { status: 403 }, { times: "always" });
      },
      words: /campaign\.readiness failed: the service answered 403/,
    },
    "a namesake": {
      args: summer,
      exists: () => void put({ id: "theirs", campaign_name: "Summer sale" }),
      words: /Another campaign of this name is live: theirs/,
    },
    "an unreadable list": {
      exists: () => {
        fault("campaign.list", { status: 403 }, { times: "always" });
      },
      words: /campaign\.list failed: .* 403/,
    },
    "an adoption of a campaign that differs": {
      args: { ...declared, campaignId: "theirs" },
      exists: () => void put({ id: "theirs", campaign_name: "Other" }),
      words: /campaign theirs of app app-1 was not adopted: it differs in campaignName/,
    },
    "an adoption of a campaign that is not there": {
      args: { ...declared, campaignId: "theirs" },
      exists: () => undefined,
      words: /theirs of app app-1 was not adopted: it is not in the list/,
    },
  };
  for (const [what, { args = dearer, settings = {}, exists, words }] of Object.entries(obstacles))
    for (const how of [{}, { replace: true }])
      it(`deletes nothing for a new campaign that is refused by ${what}${"replace" in how ? ", with --replace" : ""}`, async () => {
        await launched(declared, settings);
        exists();
        const message = await failureOf(stack.up(args, how));
        assert.match(message, /^The campaign cmp_1 of app app-1 was not replaced, and goes on\. /);
        assert.match(message, words);
        goesOn();
      });

  it("deletes nothing while Pulumi saves no checkpoints", async () => {
    await launched();
    process.env["PULUMI_SKIP_CHECKPOINTS"] = "true";
    for (const replace of [false, true])
      assert.match(await failureOf(stack.up(dearer, { replace })), /PULUMI_SKIP_CHECKPOINTS is set/);
    goesOn();
  });

  it("replaces an unchanged campaign through --replace", async () => {
    await launched();
    await stack.up(declared, { replace: true });
    assert.deepEqual(
      [sent(), held(bench)],
      [
        ["delete", "launch"],
        ["cmp_1 REMOVED", "cmp_2 ENABLED"],
      ],
    );
  });

  it("lets no other campaign take the budget between the deletion and the launch", async () => {
    await launched(declared, {});
    const command = later({ maxAppDailyBudgetMicros: "10000000" });
    const other = new StackedCampaign(command, "other");
    const results = await Promise.allSettled([stack.up(dearer), other.up({ ...summer, dailyBudgetMicros: 5_000_000 })]);
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    const spending = bench.simulator.objects.campaigns("app-1").filter(({ status }) => status === "ENABLED");
    assert.equal(spending.length, 1);
  });

  it("takes over a campaign that is adopted in its place after the comparison", async () => {
    await launched();
    put({ id: "theirs", campaign_name: "Theirs" });
    await stack.up({ ...declared, campaignName: "Theirs", campaignId: "theirs" });
    assert.deepEqual([sent(), held(bench)], [["delete"], ["cmp_1 REMOVED", "theirs ENABLED"]]);
    assert.equal(stack.state?.campaignId, "theirs");
  });

  for (const deletionPolicy of ["retain", "pause"] as const) {
    const inputs = { ...declared, deletionPolicy };
    const why = new RegExp(`Its deletionPolicy is "${deletionPolicy}", so it would`);

    it(`is refused at preview under the policy ${deletionPolicy}`, async () => {
      await launched(inputs);
      assert.match(await failureOf(stack.preview({ ...inputs, dailyBudgetMicros: 8_000_000 })), why);
      assert.deepEqual(requests(bench), []);
    });

    it(`is refused before the deletion under the policy ${deletionPolicy}, where only --replace says so`, async () => {
      await launched(inputs);
      assert.match(await failureOf(stack.up(inputs, { replace: true })), why);
      goesOn();
    });

    it(`is refused under the policy ${deletionPolicy} in the state, although the program has another one by now`, async () => {
      await launched(inputs);
      const changed = { ...dearer, deletionPolicy: "delete" };
      assert.match(await failureOf(stack.preview(changed)), why);
      assert.match(await failureOf(stack.up(changed, { replace: true })), why);
      goesOn();
    });
  }

  it("deletes nothing through --replace of a campaign that is declared by its own id", async () => {
    put({ id: "theirs" });
    const adopting = { ...declared, campaignId: "theirs", deletionPolicy: "delete" };
    await launched(adopting);
    await failureOf(stack.up(adopting, { replace: true }));
    assert.deepEqual([sent(), held(bench)], [[], ["theirs ENABLED"]]);
  });

  it("deletes nothing for a launch that a namesake would refuse, although a duplicate is the declared campaign", async () => {
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

  it("deletes no adopted campaign through --replace for a launch that is refused", async () => {
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

  describe("with replaceOnChanges", () => {
    const replaceOnChanges = true;

    for (const deletionPolicy of ["pause", "retain"])
      it(`warns at preview of a replacement under the policy ${deletionPolicy}, and refuses it`, async () => {
        await stack.up({ ...declared, deletionPolicy });
        const later = bench.later();
        const changed = { ...declared, deletionPolicy, paused: false };
        await stack.in(later).preview(changed, { replaceOnChanges });
        assert.match(later.said.join(), /is to be replaced, although its deletionPolicy is/);
        assert.match(await failureOf(stack.up(changed, { replaceOnChanges })), /would .* beside the new one/);
        assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
      });

    it("launches nothing beside a campaign that Pulumi retains, and takes it over", async () => {
      await stack.up(declared);
      stack.in(bench.later());
      await stack.up({ ...declared, paused: false }, { replaceOnChanges, retainOnDelete: true });
      assert.deepEqual([held(bench), stack.state?.campaignId], [["cmp_1 ENABLED"], "cmp_1"]);
    });

    it("refuses to launch another one beside a campaign that Pulumi retains", async () => {
      await stack.up(declared);
      stack.in(bench.later());
      const refused = await failureOf(stack.up(dearer, { replaceOnChanges, retainOnDelete: true }));
      assert.match(refused, /^No campaign was launched: .*is still live: cmp_1 of app app-1/s);
      assert.deepEqual(held(bench), ["cmp_1 ENABLED"]);
    });

    it("replaces a campaign that is deleted before", async () => {
      await stack.up(declared);
      stack.in(bench.later());
      await stack.up({ ...declared, paused: false }, { replaceOnChanges });
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    });
  });

  for (const [what, args, how] of [
    ["a changed budget", dearer, {}],
    ["--replace", declared, { replace: true }],
  ] as const)
    it(`launches in place of a campaign that its own refresh confirmed: ${what}`, async () => {
      bench.simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409 } });
      bench.simulator.fault({ operation: "campaign.list", lagMilliseconds: 200_000 });
      await failureOf(stack.up(declared));
      await bench.clock.sleep(400_000);
      stack.in(bench.later());
      await stack.refresh();
      await stack.up(args, how);
      assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
      assert.equal(stack.state?.campaignId, "cmp_2");
    });

  for (const [deletionPolicy, left] of [
    ["delete", "REMOVED"],
    ["pause", "PAUSED"],
  ])
    it(`replaces once, although Pulumi launches before it deletes, policy ${deletionPolicy ?? ""}`, async () => {
      const args = { ...declared, deletionPolicy };
      await stack.up(args);
      stack.in(bench.later());
      await stack.up({ ...args, dailyBudgetMicros: 8_000_000 }, { replace: true, createFirst: true });
      assert.deepEqual(held(bench), [`cmp_1 ${left ?? ""}`, "cmp_2 ENABLED"]);
    });

  describe("the key", () => {
    it("is stored without a request when only it changes", async () => {
      await launched();
      assert.ok(stack.intent);
      stack.loseIntent();
      assert.equal((await stack.up(declared)).did, "update");
      assert.deepEqual(requests(bench), ["list"], "the new intent reads the list, and nothing else is sent");
      assert.equal(stack.state?.launchIntent, stack.intent.key);
      later();
      assert.equal((await stack.up(declared)).did, "nothing");
    });

    it("is stored, and replaces nothing, while a preview does not know it", async () => {
      await launched();
      stack.loseIntent();
      assert.deepEqual(await stack.preview(declared), { did: "update", replaces: [] });
      assert.deepEqual(requests(bench), []);
    });

    it("launches a changed campaign under a new key after the old one is deleted", async () => {
      await launched();
      stack.loseIntent();
      await stack.up(dearer);
      assert.deepEqual(
        [sent(), held(bench)],
        [
          ["delete", "launch"],
          ["cmp_1 REMOVED", "cmp_2 ENABLED"],
        ],
      );
    });
  });

  describe("a preview", () => {
    const lines = async (inputs: object, settings: object = {}): Promise<string> => {
      const command = later(settings);
      await stack.preview(inputs);
      assert.deepEqual(requests(bench), []);
      return command.said.join("\n");
    };

    it("names a launch with its amount a day", async () => {
      assert.match(
        await lines(declared),
        /^The campaign "Spring sale" \(app-1, 5\.00 a day\) is launched.*starts spending/,
      );
    });

    it("names a permanent deletion with what replaces it, and its amount", async () => {
      await launched();
      assert.match(
        await lines(dearer),
        /^The campaign cmp_1 \(app-1, USD 5\.00 a day\) is deleted permanently, and another one is launched in its place, with 8\.00 a day\.$/m,
      );
    });

    it("names an adoption, and that nothing is launched", async () => {
      assert.match(
        await lines({ ...declared, campaignId: "theirs" }),
        /campaign theirs of app app-1 is to be adopted\. Nothing is launched/,
      );
    });

    it("names a permanent deletion with the campaign that is adopted in its place", async () => {
      await launched();
      assert.match(
        await lines({ ...declared, campaignId: "theirs" }),
        /^The campaign cmp_1 .* is deleted permanently, and campaign theirs is adopted in its place\.$/m,
      );
    });

    it("says nothing about money where nothing changes", async () => {
      await launched();
      assert.equal(await lines(declared), "");
    });
  });
});
