import assert from "node:assert/strict";
import fc from "fast-check";
import { didYouMean } from "../provider/did-you-mean";
import { settingKeys } from "../provider/settings";

describe("The suggestion for a misspelled name", () => {
  const slips: [what: string, written: string, known: string][] = [
    ["other capital letters", "agentID", "agentId"],
    ["other punctuation", "WORKSPACE_APPS_APIKEY", "WORKSPACE_APPS_API_KEY"],
    ["a missing letter", "webook.create", "webhook.create"],
    ["an extra letter", "reviews", "review"],
    ["a wrong letter", "revuew", "review"],
    ["swapped letters", "--prot", "--port"],
    ["several typing errors in a long name", "lanchQuarentineSecond", "launchQuarantineSeconds"],
  ];
  for (const [what, written, known] of slips)
    it(`is found for ${what}`, () => {
      assert.equal(didYouMean(written, ["simulator", known, "doctor"]), known);
    });

  it("is the closest of several names", () => {
    assert.equal(
      didYouMean("launchSetleSeconds", ["launchQuarantineSeconds", "launchSettleSeconds"]),
      "launchSettleSeconds",
    );
    assert.equal(didYouMean("search", ["serach", "searchs", "search"]), "search");
  });

  it("is missing when the names differ by more than typing errors", () => {
    for (const name of ["region", "accessKey", "token", "page", "role", "", "--"])
      assert.equal(didYouMean(name, [...settingKeys, "name", "sort"]), undefined, name);
  });

  it("is found for any single typing error in any setting", () => {
    const slip = fc.constantFrom(...settingKeys).chain((key) =>
      fc.record({
        key: fc.constant(key),
        at: fc.nat(key.length - 2),
        kind: fc.constantFrom("drop", "double", "swap"),
      }),
    );
    fc.assert(
      fc.property(slip, ({ key, at, kind }) => {
        const [before, one, two, after] = [key.slice(0, at), key.charAt(at), key.charAt(at + 1), key.slice(at + 2)];
        const middle = { drop: two, double: one + one + two, swap: two + one }[kind as "drop"];
        assert.equal(didYouMean(before + middle + after, settingKeys), key);
      }),
    );
  });
});
