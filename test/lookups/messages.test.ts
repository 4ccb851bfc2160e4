import assert from "node:assert/strict";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup } from "../../provider/lookups/campaigns";
import { membersLookup } from "../../provider/lookups/members";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import type { AnyLookup } from "../../provider/registry";
import { Canaries } from "../support/canaries";
import { lookupFixtures } from "../support/lookup-fixtures";
import { onService } from "./support";

/** The first word of each line of a message, with its indentation. */
function shapeOf(message: string): string[] {
  return message.split("\n").map((line) => /^ *\S*/.exec(line)?.[0] ?? "");
}

describe("A message of a look-up", () => {
  const { ask, failure, lines, simulator } = onService();

  it("shows no secret argument, in any form, in a path or in the service's message", async () => {
    const detail = "There is no app canary/arg.";
    simulator.fault({ operation: "userStats.get", times: 2, then: { status: 403, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "canary/arg" }, true);
    assert.match(message, /^getUserStats: .*403/);
    assert.doesNotMatch(message, /canary/);
    assert.match(
      await failure(userStatsLookup, { appId: "canary/arg" }),
      /said: .*canary\/arg.*Request: .*canary%2Farg/s,
    );
    simulator.fault({ operation: "member.list", times: 99, then: { status: 429, headers: { "retry-after": "20" } } });
    assert.match(await failure(membersLookup, { search: "canary" }, true), /The rate limit was reached.*rateLimits/s);
    assert.doesNotMatch(lines.said.join(), /canary/);
  });

  it("removes terminal control characters from everything that the service sends", async () => {
    const detail = [{ loc: ["body", "\u001b[2J\nerror: full-access-token"], msg: "\u202ebad", type: "x" }];
    simulator.fault({ operation: "userStats.get", then: { status: 422, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "a" });
    assert.deepEqual(shapeOf(message), ["getUserStats:", "  The", "  Request:"]);
    assert.doesNotMatch(message.replaceAll("\n", ""), /\p{Cc}|\u202e|full-access-token/u);
    const row = { campaign_name: "x", status: "ENABLED", platform_campaign_id: "7" };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [{ ...row, id: "\u001b[2J\nc" }] } });
    const hint = await failure(campaignLookup, { appId: "a", campaignId: "7" });
    assert.deepEqual(shapeOf(hint), ["getCampaign:", "  -"]);
    assert.doesNotMatch(hint.replaceAll("\n", ""), /\p{Cc}/u);
    const body = { status: "pending\n\u001b[2Jerror: gone", result: {} };
    simulator.fault({ operation: "scan.get", then: { status: 200, body } });
    const { notes } = await ask(securityScanLookup, { appId: "a" });
    assert.match(notes.join(), /an earlier scan \(status pending \[2Jerror: gone\)/);
    assert.doesNotMatch(notes.join(), /\p{Cc}/u);
  });

  it("shows no part of a long secret argument, nor of one with line breaks or control characters", async () => {
    const long = Array.from({ length: 400 }, (_, index) => `canary${String(index)}`).join("-");
    const request = "Request: GET http://";
    for (const [appId, line] of [
      [long, request],
      ["canary/ü ".repeat(40), request],
      ["canary\n7\u0007canary", "(message hidden: it may repeat submitted data)"],
    ] as const) {
      simulator.fault({ operation: "userStats.get", then: { status: 403, body: { detail: `No app ${appId}!` } } });
      const message = await failure(userStatsLookup, { appId }, true);
      assert.ok(message.split("\n")[2]?.startsWith(`  ${line}`), message);
      assert.doesNotMatch(message, /canary/, message);
      simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
      assert.doesNotMatch(await failure(campaignLookup, { appId, campaignId: "7" }, true), /canary/);
    }
  });

  it("lists five problems of a response and says that there are more", async () => {
    const library = Array.from({ length: 5_000 }, () => ({ status: 7 }));
    simulator.fault({ operation: "asset.list", times: 5, then: { status: 200, body: { library } } });
    const message = await failure(adAssetsLookup, { appId: "a" });
    assert.match(message, /library\.4\.status: [^;]*; and more\. \[WA1513\]\n/);
    assert.ok(message.length < 1_500, String(message.length));
  });
});

const canaries = new Canaries();
const accessToken = canaries.make("token", "+/=");
const apiKey = canaries.make("key", `"~`);
const secret = canaries.make("argument", "ü /+%");

/** The secret in the place of every text that may be any. */
function withSecret({ args: schema }: AnyLookup, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isAny = (name: string): boolean => schema.safeParse({ ...args, [name]: secret }).success;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isAny(name) ? secret : value]));
}

describe("A secret that the service repeats to a look-up", () => {
  const { failure, lines, simulator } = onService({ accessToken, apiKey });

  for (const { lookup, args } of lookupFixtures)
    it(`is not shown by ${lookup.name}`, async () => {
      const own = [accessToken, apiKey, secret];
      const texts = [...own, ...own.map(encodeURIComponent), ...own.map((text) => JSON.stringify(text))];
      const all = texts.join(" | ");
      for (const then of [
        { status: 403, body: { detail: all } },
        { status: 422, body: { detail: texts.map((msg) => ({ loc: ["query", msg], msg, type: "x" })) } },
        { status: 500, body: `<html>${all}</html>` },
        { status: 200, body: { [all]: texts } },
      ]) {
        simulator.clearFaults();
        simulator.fault({ operation: lookup.operation, times: "always", then });
        const shown = [await failure(lookup, withSecret(lookup, args), true), ...lines.said, ...lines.warned];
        assert.deepEqual(canaries.foundIn(shown.join("\n")), [], shown.join("\n"));
      }
    });
});
