import assert from "node:assert/strict";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { membersLookup } from "../../provider/lookups/members";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { seen } from "../support/deployment";
import { onService } from "./support";

describe("Look-ups of one program run", () => {
  const { ask, simulator } = onService();

  it("share one request when they are equal, at once and later, however their arguments are written", async () => {
    await Promise.all([
      ask(geoTargetsLookup, { appId: "a", query: "x", countryCode: "CH" }),
      ask(geoTargetsLookup, { countryCode: "ch", query: "x", appId: "a", limit: undefined }),
    ]);
    await ask(geoTargetsLookup, { appId: "a", query: "x", countryCode: "CH", limit: null });
    assert.equal(simulator.requests.length, 1);
    await ask(geoTargetsLookup, { appId: "a", query: "y", countryCode: "CH" });
    await ask(geoTargetsLookup, { appId: "b", query: "x", countryCode: "CH" });
    assert.equal(simulator.requests.length, 3);
  });

  it("do not share requests with look-ups that waited for a resource", async () => {
    await ask(userStatsLookup, { appId: "a" });
    await ask(userStatsLookup, { appId: "a" }, "urn:one");
    await ask(userStatsLookup, { appId: "a" }, "urn:one");
    assert.deepEqual(seen(simulator), ["userStats.get", "userStats.get"]);
  });

  it("do not share requests when their arguments are secret, because an error may repeat them", async () => {
    await ask(userStatsLookup, { appId: "a" });
    await ask(userStatsLookup, { appId: "a" }, "", true);
    await ask(userStatsLookup, { appId: "a" }, "", true);
    assert.deepEqual(seen(simulator), ["userStats.get", "userStats.get"]);
  });

  it("share a failure while the request runs, and send another request afterwards", async () => {
    simulator.fault({ operation: "userStats.get", then: { status: 403 } });
    const both = await Promise.allSettled([ask(userStatsLookup, { appId: "a" }), ask(userStatsLookup, { appId: "a" })]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal(simulator.requests.length, 1);
    assert.equal((await ask(userStatsLookup, { appId: "a" })).activeUsers, 12);
  });

  it("get separate results, so that no caller changes the result of another one", async () => {
    const one = await ask(membersLookup, {});
    const held = one.members.length;
    one.members.length = 0;
    one.notes.push("changed");
    const other = await ask(membersLookup, {});
    assert.deepEqual([other.members.length, other.notes], [held, []]);
    assert.equal(simulator.requests.length, 1);
  });
});
