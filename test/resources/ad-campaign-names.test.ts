import assert from "node:assert/strict";
import { declared, held, requests } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

const { campaignName: _, ...unnamed } = declared;

describe("AdCampaign, its name", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const stackOf = (name: string): StackedCampaign => new StackedCampaign(bench, name);
  const later = (stack: StackedCampaign): Bench => {
    const next = bench.later();
    stack.in(next);
    requests(bench);
    return next;
  };

  it("is the resource's name where it is left out", async () => {
    const stack = stackOf("spring");
    await stack.up(unnamed);
    assert.equal(stack.state?.campaignName, "spring");
    const key = String(stack.intent?.key);
    assert.match(String(stack.state.launchedName), new RegExp(`^spring-${key}[0-9a-f]{5}$`));
    assert.equal(bench.simulator.objects.campaigns("app-1")[0]?.campaign_name, stack.state.launchedName);
    later(stack);
    assert.equal((await stack.up(unnamed)).did, "nothing");
  });

  it("stays the old one when the resource is renamed with an alias", async () => {
    const stack = stackOf("spring");
    await stack.up(unnamed);
    later(stack);
    stack.name = "summer";
    assert.equal((await stack.up(unnamed)).did, "nothing");
    assert.deepEqual([requests(bench), stack.state?.campaignName], [[], "spring"]);
  });

  it("stays the old one in a replacement after a rename with an alias", async () => {
    const stack = stackOf("spring");
    await stack.up(unnamed);
    later(stack);
    stack.name = "summer";
    await stack.up({ ...unnamed, dailyBudgetMicros: 6_000_000 });
    assert.deepEqual(held(bench), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    assert.match(String(stack.state?.launchedName), /^spring-/);
  });

  it("may be declared later as what it is, without a difference", async () => {
    const stack = stackOf("spring");
    await stack.up(unnamed);
    later(stack);
    assert.equal((await stack.up({ ...unnamed, campaignName: "spring" })).did, "nothing");
    assert.deepEqual((await stack.preview({ ...unnamed, campaignName: "summer" })).replaces, ["campaignName"]);
  });

  it("must not end like the name of a launch", async () => {
    assert.match(
      await failureOf(stackOf("spring").up({ ...declared, campaignName: "Spring sale-1f0c9a23b7c4" })),
      /^campaignName must not end like the name of a launched campaign/,
    );
    assert.deepEqual(
      requests(bench).filter((operation) => operation !== "list"),
      [],
    );
  });

  it("must be another one for each campaign of an app, left out or not", async () => {
    await stackOf("spring").preview(unnamed);
    assert.match(
      await failureOf(stackOf("other").preview({ ...unnamed, campaignName: "spring" })),
      /campaignName is declared twice: "spring" and "other" both declare the campaign "spring" of app app-1/,
    );
  });

  it("is launched with a hash of the arguments, which a change of the order does not change", async () => {
    const targeted = { ...declared, geoTargets: ["b", "a"], extraFields: { one: 1, two: 2 } };
    const stack = stackOf("spring");
    await stack.up(targeted);
    const name = stack.state?.launchedName;
    stack.loseState();
    later(stack);
    await stack.up({ ...declared, extraFields: { two: 2, one: 1 }, geoTargets: ["a", "b"] });
    assert.deepEqual([stack.state?.launchedName, held(bench)], [name, ["cmp_1 ENABLED"]]);
    assert.deepEqual(requests(bench), ["list"], "it is taken over");
  });

  it("shows no drift when the timezone changes, which matters only before the account exists", async () => {
    const stack = stackOf("spring");
    await stack.up({ ...declared, timezone: "Europe/Berlin" });
    for (const timezone of ["Asia/Tokyo", undefined]) {
      later(stack);
      const args = timezone === undefined ? declared : { ...declared, timezone };
      assert.equal((await stack.up(args)).did, "nothing");
    }
    assert.deepEqual(requests(bench), []);
  });

  it("tells when an unconfirmed launch became uncertain, by the service's clock, and forgets it afterwards", async () => {
    const stack = stackOf("spring").in(bench.onMachineAhead(3_600_000));
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
    await failureOf(stack.up(declared));
    assert.match(String(stack.state?.launchAttemptedAt), /^2026-01-01T00:00:0/);
    await bench.clock.sleep(1_000_000);
    later(stack);
    await stack.up(declared);
    assert.deepEqual([stack.state?.launchState, stack.state?.launchAttemptedAt], ["confirmed", undefined]);
  });
});
