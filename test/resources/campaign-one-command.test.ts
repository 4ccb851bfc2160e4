import assert from "node:assert/strict";
import { declared, held } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";
import { failureOf, StackedCampaign } from "../support/stacked-campaign";

/* Several steps of one command share a memory: `--refresh`, and replacements that the package does not ask for. */

const dearer = { ...declared, dailyBudgetMicros: 8_000_000 };

describe("One command", () => {
  let bench: Bench;
  let stack: StackedCampaign;
  beforeEach(async () => {
    bench = await startBench();
    stack = new StackedCampaign(bench);
  });
  afterEach(() => bench.close());

  /** The refresh of a command reads a list without the campaign, which is live. */
  const refreshMissing = async (args: object): Promise<void> => {
    await stack.up(args);
    stack.in(bench.later());
    bench.simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
    await stack.refresh();
    assert.equal(stack.state, undefined);
  };

  for (const deletionPolicy of ["delete", "pause", "retain"])
    it(`finds the campaign that its own refresh missed in the list, policy ${deletionPolicy}`, async () => {
      await refreshMissing({ ...declared, deletionPolicy });
      await stack.up({ ...declared, deletionPolicy });
      assert.deepEqual([held(bench), stack.state?.campaignId], [["cmp_1 ENABLED"], "cmp_1"]);
    });

  it("deletes the campaign that the refresh of its destroy missed in the list", async () => {
    await refreshMissing(declared);
    await stack.destroy();
    assert.deepEqual(held(bench), ["cmp_1 REMOVED"]);
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

  it("warns before it launches with another token than that of a dead command", async () => {
    const credentials = ["full-access-token", "other-token"].map((value) => ({
      value,
      kind: "personal-token" as const,
    }));
    await bench.close();
    bench = await startBench({}, { credentials });
    stack = new StackedCampaign(bench);
    bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
    await failureOf(stack.up(declared));
    const later = bench.later({ accessToken: "other-token" });
    await stack.in(later).up(declared);
    assert.match(
      later.said.join("\n"),
      /^If an earlier command launched .* MONEY MAY BE MOVING TWICE: the token, or the path .* ends in "-[0-9a-f]{7}" and 5 more digits, and delete it\.$/m,
    );
  });
});
