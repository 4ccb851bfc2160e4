import assert from "node:assert/strict";
import fc from "fast-check";
import type { Inputs } from "../../provider/resources/ad-campaign/campaign";
import {
  baseName,
  keyIn,
  keyPattern,
  launchArguments,
  nameOfLaunch,
  newKey,
  normalizedName,
  sameArgument,
} from "../../provider/resources/ad-campaign/campaign-name";
import { declared } from "../support/campaigns";

const key = "1f0c9a2";
const whole = {
  ...declared,
  businessName: "Shop",
  keywordThemes: ["mugs", "gifts"],
  searchThemes: ["buy mugs", "buy gifts"],
  geoTargets: ["geoTargetConstants/2756", "geoTargetConstants/2276"],
  logoUrl: "https://shop.example.com/logo.png",
  phoneNumber: "+41 44 000 00 00",
  extraFields: { eu_political: false, more: { a: [1, 2], b: null } },
} as Inputs;

const nameWith = (change: Partial<Record<keyof Inputs, unknown>>, by = key): string =>
  nameOfLaunch({ ...whole, ...change } as Inputs, by);
const hashWith = (change: Partial<Record<keyof Inputs, unknown>>): string => nameWith(change).slice(-5);

const hexadecimal = (digits: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...Array.from({ length: 16 }, (_, digit) => digit.toString(16))),
    minLength: digits,
    maxLength: digits,
  });
const names = fc.string({ unit: "binary", minLength: 1 });
const inputs = fc
  .record(
    {
      appId: fc.string({ minLength: 1 }),
      campaignName: names,
      campaignType: fc.constantFrom("SMART", "PERFORMANCE_MAX"),
      dailyBudgetMicros: fc.integer({ min: 1 }),
      landingPage: fc.webUrl(),
      businessName: fc.string(),
      keywordThemes: fc.array(fc.string()),
      searchThemes: fc.array(fc.string()),
      geoTargets: fc.array(fc.string()),
      logoUrl: fc.webUrl(),
      phoneNumber: fc.string(),
      extraFields: fc.dictionary(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: ["appId", "campaignName", "campaignType", "dailyBudgetMicros", "landingPage"] },
  )
  .map((values) => values as Inputs);

/** The same value with the keys of all its objects in the opposite order. */
function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== "object" || value === null) return value;
  const reversed = Object.entries(value).reverse();
  return Object.fromEntries(reversed.map(([name, inner]) => [name, withKeysReversed(inner)]));
}

describe("The name of a campaign", () => {
  describe("the key", () => {
    it("is 7 random hexadecimal digits", () => {
      const keys = Array.from({ length: 500 }, newKey);
      for (const one of keys) assert.match(one, /^[0-9a-f]{7}$/);
      assert.ok(new Set(keys).size > 490, "the same key came again and again");
      for (const place of [0, 1, 2, 3, 4, 5, 6])
        assert.equal(new Set(keys.map((one) => one[place])).size, 16, `digit ${String(place)} is not random`);
    });

    it("is recognized only whole", () => {
      assert.ok(keyPattern.test("0123abc"));
      for (const other of ["", "0123ab", "0123abcd", "0123ABC", "0123abg", " 0123abc", "0123abc\n"])
        assert.ok(!keyPattern.test(other), other);
    });

    it("is found in the name of a launch, whatever the name is", () => {
      fc.assert(
        fc.property(inputs, hexadecimal(7), (declaredInputs, random) => {
          const name = nameOfLaunch(declaredInputs, random);
          assert.equal(keyIn(name), random);
          assert.equal(baseName(name), declaredInputs.campaignName);
        }),
      );
    });

    it("is not found in other names", () => {
      for (const name of [
        "Spring sale",
        "Spring sale-1f0c9a2",
        "Spring sale-1f0c9a23b7c",
        "Spring sale-1f0c9a23b7c4d",
        "Spring sale 1f0c9a23b7c4",
        "Spring sale-1F0C9A23B7C4",
        "Spring sale-1f0c9a23b7cg",
        "Spring sale-1f0c9a23b7c4 ",
        "Spring sale-1f0c9a23b7c4-2",
      ]) {
        assert.equal(keyIn(name), undefined, name);
        assert.equal(baseName(name), name);
      }
    });
  });

  describe("the name", () => {
    it("is campaignName, a hyphen, the key and 5 hexadecimal digits", () => {
      assert.match(nameWith({}), /^Spring sale-1f0c9a2[0-9a-f]{5}$/);
    });

    it("stays the same in later versions, so that they recognize a launch of this one", () => {
      assert.equal(nameOfLaunch(declared as Inputs, key), "Spring sale-1f0c9a2e0314");
    });

    it("has the same hash under every key", () => {
      assert.equal(nameWith({}, "0000000"), `Spring sale-0000000${hashWith({})}`);
    });

    it("loses one ending, not two", () => {
      assert.equal(baseName("Spring sale-1f0c9a23b7c4-1f0c9a23b7c4"), "Spring sale-1f0c9a23b7c4");
    });
  });

  describe("the hash changes with", () => {
    const changes: Record<(typeof launchArguments)[number], readonly unknown[]> = {
      appId: ["app-2"],
      campaignName: ["Spring Sale", "Springsale"],
      campaignType: ["smart"],
      dailyBudgetMicros: [5_000_001],
      landingPage: ["https://shop.example.com/x", "http://shop.example.com/", "https://shop.example.com/?a"],
      businessName: ["shop", undefined],
      keywordThemes: [["gifts", "mugs"], ["mugs"], [], undefined],
      searchThemes: [["buy gifts", "buy mugs"], ["buy mugs"], [], undefined],
      geoTargets: [["geoTargetConstants/2756"], [], undefined],
      logoUrl: ["https://shop.example.com/Logo.png", undefined],
      phoneNumber: ["+41 44 000 00 01", undefined],
      extraFields: [
        { eu_political: true, more: { a: [1, 2], b: null } },
        { eu_political: false, more: { a: [2, 1], b: null } },
        { eu_political: false, more: { a: [1, 2], b: 0 } },
        { eu_political: "false", more: { a: [1, 2], b: null } },
        undefined,
      ],
    };
    for (const argument of launchArguments)
      it(argument, () => {
        for (const value of changes[argument]) {
          assert.notEqual(hashWith({ [argument]: value }), hashWith({}), JSON.stringify(value));
          assert.equal(sameArgument(argument, whole[argument], value), false);
        }
      });
  });

  describe("the hash does not change with", () => {
    it("what changes in place, or only says how to find or delete the campaign", () => {
      for (const change of [
        { paused: true },
        { deletionPolicy: "pause" },
        { timezone: "Europe/Zurich" },
        { launchIntent: "abcdef0" },
      ])
        assert.equal(hashWith(change), hashWith({}));
    });

    const spellings: Partial<Record<(typeof launchArguments)[number], readonly unknown[]>> = {
      campaignName: ["  Spring  sale ", "Spring\tsale"],
      landingPage: ["https://shop.example.com", "HTTPS://Shop.Example.com:443/", "https://shop.example.com/."],
      geoTargets: [
        ["geoTargetConstants/2276", "geoTargetConstants/2756"],
        ["geoTargetConstants/2756", "geoTargetConstants/2276", "geoTargetConstants/2756"],
      ],
      logoUrl: ["https://SHOP.example.com/logo.png"],
      phoneNumber: ["+41 (44) 000-00-00", "41440000000"],
      extraFields: [{ more: { b: null, a: [1, 2] }, eu_political: false }],
    };
    for (const [argument, values] of Object.entries(spellings))
      it(`another spelling of ${argument}`, () => {
        for (const value of values) {
          assert.equal(hashWith({ [argument]: value }), hashWith({}), JSON.stringify(value));
          const name = argument as (typeof launchArguments)[number];
          assert.equal(sameArgument(name, whole[name], value), true);
        }
      });

    it("accents that are written in another way", () => {
      assert.equal(hashWith({ campaignName: "Caf\u00e9" }), hashWith({ campaignName: "Cafe\u0301" }));
      assert.equal(normalizedName(" Cafe\u0301 \n\t Sale "), "Caf\u00e9 Sale");
    });

    it("no places, no extra fields, or a phone number without digits, which say nothing", () => {
      assert.equal(hashWith({ geoTargets: [] }), hashWith({ geoTargets: undefined }));
      assert.equal(hashWith({ phoneNumber: "-" }), hashWith({ phoneNumber: undefined }));
      assert.equal(hashWith({ extraFields: {} }), hashWith({ extraFields: undefined }));
    });

    it("a landing page that is no URL, except by its text", () => {
      assert.equal(hashWith({ landingPage: "not a url" }), hashWith({ landingPage: "not a url" }));
      assert.notEqual(hashWith({ landingPage: "not a url" }), hashWith({ landingPage: "Not a url" }));
      assert.equal(hashWith({ logoUrl: "not a url" }), hashWith({ logoUrl: "not a url" }));
      assert.notEqual(hashWith({ logoUrl: "not a url" }), hashWith({ logoUrl: "Not a url" }));
    });

    it("the order of keys, in any arguments", () => {
      fc.assert(
        fc.property(inputs, hexadecimal(7), (declaredInputs, random) => {
          const reversed = withKeysReversed(declaredInputs) as Inputs;
          assert.equal(nameOfLaunch(reversed, random), nameOfLaunch(declaredInputs, random));
        }),
      );
    });

    it("the order and repeats of places", () => {
      fc.assert(
        fc.property(inputs, fc.array(fc.string(), { minLength: 1 }), (declaredInputs, geoTargets) => {
          const other = [...geoTargets, ...geoTargets].reverse();
          assert.equal(
            nameOfLaunch({ ...declaredInputs, geoTargets: other }, key),
            nameOfLaunch({ ...declaredInputs, geoTargets }, key),
          );
        }),
      );
    });
  });

  it("differs for arguments that a campaign cannot have at once", () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(...launchArguments), fc.string(), (one, argument, text) => {
        const other = { ...one, [argument]: text };
        assert.equal(
          nameOfLaunch(other, key).slice(-5) === nameOfLaunch(one, key).slice(-5),
          sameArgument(argument, one[argument], text),
        );
      }),
      // 5 digits are equal by chance once in a million times.
      { seed: 37 },
    );
  });

  it("compares names letter by letter", () => {
    assert.equal(sameArgument("campaignName", "AB", "A B"), false);
    assert.equal(sameArgument("campaignName", "a", "A"), false);
    assert.equal(normalizedName("AB"), "AB");
  });
});
