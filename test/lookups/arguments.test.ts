import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { membersLookup } from "../../provider/lookups/members";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { lookups } from "../../provider/registry";
import { onService } from "./support";

const app = { appId: "a" };
const limit = "limit must be a whole number from 1 to 100";
const country = "countryCode must be two letters (ISO 3166-1 alpha-2), such as CH, or empty to search everywhere";
const language = "language must be as in an Accept-Language header, such as de or de-CH,de;q=0.8";
const seconds = "waitForScan.timeoutSeconds must be a number of seconds above 0 and up to 3600";
const day = "startDate must be a day that exists, as YYYY-MM-DD";
const pageSize = "pageSize must be a whole number from 1 to 100";
const time = "lastActive.gte must be an ISO 8601 time";

/** For each look-up: its wrong arguments, and the message without what all messages have in common. */
const refused: Readonly<Record<string, Readonly<Record<string, readonly [args: object, message: string | RegExp]>>>> = {
  getMembers: {
    "a long search": [{ search: "x".repeat(257) }, "search must have 0 to 256 characters"],
    "too many terms": [{ searchTerms: Array(201).fill("a") }, "searchTerms must hold at most 200"],
    "a long term": [{ searchTerms: ["a", "x".repeat(257)] }, "searchTerms[1] must have 0 to 256 characters"],
    "too many roles": [{ roles: Array(21).fill("owner") }, "roles must hold at most 20"],
    "an unknown role": [{ roles: ["king"] }, /^roles\[0\] must be one of "owner", /],
    "too many statuses": [{ inviteStatuses: Array(4).fill("joined") }, "inviteStatuses must hold at most 3"],
    "an unknown status": [{ inviteStatuses: ["lost"] }, /^inviteStatuses\[0\] must be one of "joined", /],
    "sortBy alone": [{ sortBy: "role" }, "sortBy requires sortDir"],
    "sortDir alone": [{ sortDir: "asc" }, "sortDir requires sortBy"],
    "an unknown order": [{ sortBy: "age", sortDir: "up" }, /^sortBy must be one of .*; sortDir must be one of /],
    "a page too small": [{ pageSize: 0 }, pageSize],
    "half a page": [{ pageSize: 1.5 }, pageSize],
    "a wrong range": [{ appsOwned: { gte: "3" } }, "appsOwned.gte must be a number"],
    "a wrong bound": [{ agentsOwned: { above: 3 } }, "agentsOwned.above: unknown argument"],
    "no time": [{ lastActive: { gte: "yesterday" } }, time],
    "an invalid day": [{ lastActive: { gte: "2026-02-30T00:00:00Z" } }, time],
    "a misspelled name": [{ serach: "x" }, 'serach: unknown argument; did you mean "search"?'],
  },
  getGeoTargets: {
    "no app": [{}, "appId is required"],
    "an empty app": [{ appId: "" }, "appId must not be empty"],
    "a limit too small": [{ ...app, limit: 0 }, limit],
    "a limit too large": [{ ...app, limit: 101 }, limit],
    "half a limit": [{ ...app, limit: 2.5 }, limit],
    "a limit as text": [{ ...app, limit: "3" }, limit],
    "a blank country": [{ ...app, countryCode: " " }, country],
    "a country of one letter": [{ ...app, countryCode: "C" }, country],
    "a country of three letters": [{ ...app, countryCode: "CHE" }, country],
    "a country with a digit": [{ ...app, countryCode: "1A" }, country],
    "a country with other letters": [{ ...app, countryCode: "ÄÖ" }, country],
    "a country as number": [{ ...app, countryCode: 7 }, "countryCode must be a string"],
    "several wrong values": [
      { limit: 0, countryCode: "x", app: "a" },
      /^appId is required; countryCode must be .*; limit must be .*; app: unknown argument$/,
    ],
  },
  getSearchThemes: {
    "an empty language": [{ ...app, language: "" }, language],
    "a language with another header": [{ ...app, language: "de\r\nX-Other: 1" }, language],
    "the name of a language": [{ ...app, language: "französisch" }, language],
  },
  getSearchTerms: {
    "startDate alone": [{ ...app, startDate: "2026-01-01" }, "startDate requires endDate"],
    "endDate alone": [{ ...app, endDate: "2026-01-01" }, "endDate requires startDate"],
    "an invalid day": [{ ...app, startDate: "2026-02-30", endDate: "2026-03-01" }, day],
    "a day in another form": [{ ...app, startDate: "1.2.2026", endDate: "2026-03-01" }, day],
    "dates in reverse order": [
      { ...app, startDate: "2026-03-02", endDate: "2026-03-01" },
      "startDate must not be after endDate",
    ],
    "an unknown range": [{ ...app, dateRange: "LAST_8_DAYS" }, /^dateRange must be one of "TODAY", /],
  },
  getAdAssets: {
    "an empty session": [{ ...app, sessionId: "" }, "sessionId must not be empty: leave it out to read the library"],
    "an empty campaign": [{ ...app, campaignId: "" }, "campaignId must not be empty: leave it out to read no campaign"],
  },
  getSecurityScan: {
    "no seconds": [{ ...app, waitForScan: {} }, seconds],
    "0 seconds": [{ ...app, waitForScan: { timeoutSeconds: 0 } }, seconds],
    "negative seconds": [{ ...app, waitForScan: { timeoutSeconds: -1 } }, seconds],
    "too many seconds": [{ ...app, waitForScan: { timeoutSeconds: 3601 } }, seconds],
    "seconds as text": [{ ...app, waitForScan: { timeoutSeconds: "5" } }, seconds],
    "a wait without seconds": [{ ...app, waitForScan: true }, "waitForScan must be an object with timeoutSeconds"],
  },
  getRecords: {
    "the entity User": [{ ...app, entityName: "User" }, /^entityName must not be User: /],
  },
  getUserStats: {
    "an output": [{ appId: pulumi.output("a") }, "appId is an Output; use getUserStatsOutput"],
  },
};

describe("A look-up sends no request", () => {
  const { failure, simulator } = onService();

  for (const [name, rows] of Object.entries(refused)) {
    const lookup = lookups.find((one) => one.name === name) ?? assert.fail(name);
    for (const [what, [args, words]] of Object.entries(rows))
      it(`of ${name} with ${what}`, async () => {
        const message = await failure(lookup, args);
        assert.match(message, new RegExp(`^${name}: .* No request was sent\\. \\[WA1101\\]$`));
        const problems = message.slice(`${name}: `.length).replace(/\.? No request was sent\. \[WA1101\]$/, "");
        if (typeof words === "string") assert.equal(problems, words);
        else assert.match(problems, words);
        assert.deepEqual(simulator.requests, []);
      });
  }

  it("with an Output for all arguments, or with none", async () => {
    const lookup = lookups.find(({ name }) => name === "getUserStats") ?? assert.fail();
    assert.equal(
      await failure(lookup, pulumi.output(app)),
      "getUserStats: the arguments are an Output. No request was sent. [WA1702]\n  - Use getUserStatsOutput.",
    );
    assert.match(await failure(lookup, null as unknown as object), /^getUserStats: the arguments: /);
    assert.deepEqual(simulator.requests, []);
  });
});

describe("The arguments of a look-up", () => {
  const isValid = (args: object): boolean => membersLookup.args.safeParse(args).success;

  it("may have every page size and every length within the bounds, and none beyond", () => {
    const sizes = fc.integer({ min: -5, max: 300 });
    fc.assert(fc.property(sizes, (pageSize) => isValid({ pageSize }) === (pageSize >= 1 && pageSize <= 100)));
    const texts = fc.string({ unit: "grapheme", minLength: 200, maxLength: 320 });
    fc.assert(
      fc.property(texts, (search) => {
        const fits = Array.from(search).length <= 256;
        return isValid({ search }) === fits && isValid({ searchTerms: [search] }) === fits;
      }),
    );
    const counts = fc.integer({ min: 0, max: 210 });
    fc.assert(fc.property(counts, (count) => isValid({ searchTerms: Array(count).fill("a") }) === count <= 200));
  });

  it("may have every pair of days in order, and none in reverse order", () => {
    const days = fc
      .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(days, days, (startDate, endDate) => {
        const { success } = searchTermsLookup.args.safeParse({ appId: "a", startDate, endDate });
        assert.equal(success, startDate <= endDate);
      }),
    );
  });
});
