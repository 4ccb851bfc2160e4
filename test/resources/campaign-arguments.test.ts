import { argumentsIn } from "../../provider/resources/shared/lifecycle";
import assert from "node:assert/strict";
import { StackedCampaign } from "../support/stacked-campaign";
import { createHash } from "node:crypto";
import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import { nameKey, placeKey } from "../../provider/pulumi/hidden-inputs";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { SettingsError } from "../../provider/settings";
import { campaign, declared, requests, held } from "../support/campaigns";
import { type Bench, startBench } from "../support/deployment";

const unknown: string = runtime.unknownValue;
const optional = {
  businessName: "Shop",
  keywordThemes: ["shoes"],
  searchThemes: ["buy shoes"],
  geoTargets: ["geoTargetConstants/1"],
  logoUrl: "https://shop.example.com/logo.png",
  phoneNumber: "+41",
  timezone: "Europe/Berlin",
  extraFields: { deep: { inside: [1] } },
  paused: true,
  campaignId: "cmp_1",
  deletionPolicy: "pause",
};
const everything = { ...declared, ...optional };

describe("AdCampaign arguments", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const checked = async (news: object, deployment = bench, name = "spring"): Promise<string[]> => {
    const { check } = dynamicProvider(adCampaignLifecycle, () => deployment);
    const hidden = { [placeKey]: `project/stack/${name}`, [nameKey]: name };
    const answer = await check?.({}, { ...hidden, ...withIntent(news, deployment, name), ...news });
    return (answer?.failures ?? []).map(({ reason }) => reason);
  };

  /** The launch intent that comes before a campaign that launches. */
  const withIntent = (news: object, { launches }: Bench, name: string): object => {
    const {
      appId = "",
      deletionPolicy,
      campaignId,
    } = news as { appId?: string; deletionPolicy?: string; campaignId?: string };
    if (campaignId !== undefined) return {};
    const key = createHash("sha256").update(name).digest("hex").slice(0, 7);
    launches.of(key).intent = { apps: [appId], deletionPolicy, readBy: "" };
    return { launchIntent: key };
  };

  it("pass without a request when the service would accept them", async () => {
    assert.deepEqual(await checked(declared), []);
    assert.deepEqual(await checked(everything), []);
    assert.deepEqual(requests(bench), []);
  });

  it("are reported when they are missing", async () => {
    assert.deepEqual((await checked({})).sort(), [
      "appId is required [WA1101]",
      "campaignType is required [WA1101]",
      "dailyBudgetMicros is required [WA1101]",
      "landingPage is required [WA1101]",
    ]);
  });

  it("are reported when they do not exist", async () => {
    assert.deepEqual(await checked({ ...declared, dailyBudget: 5 }), ["dailyBudget: unknown argument [WA1102]"]);
  });

  const refused: [string, object, string][] = [
    ...["PERFORMANCE_MAX", "performance-max", "PMax", "Performance Max"].map(
      (campaignType): [string, object, string] => [
        `${campaignType} without a logo`,
        { campaignType },
        "logoUrl is required for a Performance Max campaign [WA1101]",
      ],
    ),
    ["11 search themes", { searchThemes: Array(11).fill("a") }, "searchThemes must hold at most 10 themes [WA1101]"],
    [
      "a search theme of 81 characters",
      { searchThemes: ["a", "é".repeat(81)] },
      "searchThemes[1] must have 1 to 80 characters [WA1101]",
    ],
    ["a string as search themes", { searchThemes: "a" }, "searchThemes must be a list of strings [WA1101]"],
    ["a string as keyword themes", { keywordThemes: "a" }, "keywordThemes must be a list of strings [WA1101]"],
    ["an empty theme", { keywordThemes: [" "] }, "keywordThemes[0] must not be empty [WA1101]"],
    ["an empty search theme", { searchThemes: [""] }, "searchThemes[0] must have 1 to 80 characters [WA1101]"],
    ["an empty location", { geoTargets: [""] }, "geoTargets[0] must not be empty [WA1101]"],
    ["a budget of 0", { dailyBudgetMicros: 0 }, "dailyBudgetMicros must be above 0 [WA1101]"],
    ["a budget of -1", { dailyBudgetMicros: -1 }, "dailyBudgetMicros must be above 0 [WA1101]"],
    ...[1.5, NaN, Infinity, "5000000", null].map((dailyBudgetMicros): [string, object, string] => [
      `a budget of the ${typeof dailyBudgetMicros} ${String(dailyBudgetMicros)}`,
      { dailyBudgetMicros },
      dailyBudgetMicros === null
        ? "dailyBudgetMicros is required [WA1101]"
        : `dailyBudgetMicros must be a whole number of micros${typeof dailyBudgetMicros === "string" ? ", not a string" : ""}: 5000000 is 5 units of currency [WA1101]`,
    ]),
    ...[
      "shop.example.com",
      "/page",
      "ftp://shop.example.com/",
      "javascript:alert(1)",
      "https://",
      "https:shop",
      String.raw`https://shop.example.com\@evil.example/`,
    ].map((landingPage): [string, object, string] => [
      `the landing page ${landingPage}`,
      { landingPage },
      "landingPage must be an absolute URL that begins with https:// or http://, without white space and backslashes [WA1101]",
    ]),
    [
      "a logo that is not a URL",
      { logoUrl: "x" },
      "logoUrl must be an absolute URL that begins with https:// or http://, without white space and backslashes [WA1101]",
    ],
    ...["", "+01:00", "Europe/Nowhere", "Berlin"].map((timezone): [string, object, string] => [
      `the time zone "${timezone}"`,
      { timezone },
      "timezone must be an IANA time zone such as Europe/Berlin or UTC [WA1101]",
    ]),
    ["an empty app id", { appId: "" }, "appId must not be empty [WA1101]"],
    ["an app id that is a path", { appId: ".." }, 'appId must not be "..", which would name another path [WA1101]'],
    ["an empty name", { campaignName: " \t" }, "campaignName must not be empty [WA1101]"],
    ["an empty type", { campaignType: "" }, "campaignType must not be empty [WA1101]"],
    ["an empty business name", { businessName: "" }, "businessName must not be empty [WA1101]"],
    ["an empty phone number", { phoneNumber: "" }, "phoneNumber must not be empty [WA1101]"],
    ["an empty id", { campaignId: "" }, "campaignId must not be empty [WA1101]"],
    ["a list as extra fields", { extraFields: [] }, "extraFields must be an object of campaign fields [WA1101]"],
    ...["daily_budget_micros", "dailyBudgetMicros"].map((key): [string, object, string] => [
      `an extra field ${key}`,
      { extraFields: { fine: 1, [key]: 9 } },
      `extraFields.${key} shadows the argument dailyBudgetMicros; give it there [WA1101]`,
    ]),
    [
      "an extra field timezone",
      { extraFields: { timezone: 1 } },
      "extraFields.timezone shadows the argument timezone; give it there [WA1101]",
    ],
    ["a string as paused", { paused: "yes" }, "paused must be true or false, not a string [WA1101]"],
    [
      "an unknown policy",
      { deletionPolicy: "disable" },
      'deletionPolicy must be one of "delete", "pause", "retain" [WA1101]',
    ],
    ["a number as type", { campaignType: 5 }, "campaignType must be a string [WA1101]"],
    ["a number as name", { campaignName: 5 }, "campaignName must be a string [WA1101]"],
  ];
  for (const [what, given, expected] of refused)
    it(`fail for ${what}`, async () => {
      assert.deepEqual(await checked({ ...declared, ...given }), [expected]);
    });

  const passed: [string, object][] = [
    ["a Performance Max campaign with a logo", { campaignType: "PERFORMANCE_MAX", logoUrl: optional.logoUrl }],
    ["an adopted Performance Max campaign without a logo", { campaignType: "PMAX", campaignId: "cmp_1" }],
    ["a type that only begins with PMAX", { campaignType: "PMAX_LITE" }],
    ["10 search themes of 80 characters", { searchThemes: Array(10).fill("😀".repeat(80)) }],
    ["a budget of 10,000", { dailyBudgetMicros: 10_000 }],
    ["a landing page over http", { landingPage: "http://shop.example.com/a?b#c" }],
    ...["UTC", "Etc/UTC", "Europe/Berlin"].map((timezone): [string, object] => [
      `the time zone ${timezone}`,
      { timezone },
    ]),
    ["a nested extra field", { extraFields: { other: { timezone: 1, campaign_name: 2 } } }],
  ];
  for (const [what, given] of passed)
    it(`pass with ${what}`, async () => {
      assert.deepEqual(await checked({ ...declared, ...given }), []);
    });

  it("fail for a budget above maxDailyBudgetMicros, and pass up to it", async () => {
    const limited = bench.later({ maxDailyBudgetMicros: "5000000" });
    assert.deepEqual(await checked(declared, limited), []);
    assert.deepEqual(await checked({ ...declared, dailyBudgetMicros: 5_000_001 }, limited), [
      "dailyBudgetMicros is 5.000001 a day, above the limit of 5.00 that workspace-apps:maxDailyBudgetMicros (or WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS) sets [WA1224]",
    ]);
  });

  describe("with a budget below 10,000", () => {
    const unconverted = { ...declared, dailyBudgetMicros: 25 };
    const meant =
      "dailyBudgetMicros is 0.000025 a day, so the amount was probably not converted to micros. 25000000 micros is 25.00 a day; apps.micros(25) converts";
    const code = " [WA1105]";
    const warning = [
      meant.replace(" is ", ' of campaign "Spring sale" of app app-1 is ').replace(/^/, "The ") + "." + code,
    ];
    const warnings = (): string[] => bench.said.filter((line) => line.startsWith("The dailyBudgetMicros"));
    const rechecked = async (olds: object, news: object): Promise<string[]> => {
      const { check } = dynamicProvider(adCampaignLifecycle, () => bench);
      const place = { [placeKey]: "spring" };
      const answer = await check?.({ ...place, ...olds }, { ...place, ...news });
      return (answer?.failures ?? []).map(({ reason }) => reason);
    };

    it("fail for a launch, with the number that was meant", async () => {
      assert.deepEqual(await checked(unconverted), [meant + code]);
      assert.match(
        (await checked({ ...declared, dailyBudgetMicros: 9_999 })).join(),
        /is 0\.009999 a day.* 9999000000 micros is 9,999\.00 a day; apps\.micros\(9999\) converts \[WA1105\]$/,
      );
      assert.deepEqual(bench.said, []);
    });

    it("fail for a change of the budget, which launches another campaign", async () => {
      assert.deepEqual(await rechecked(declared, unconverted), [meant + code]);
    });

    it("pass for an adopted campaign and for one in state, with a warning", async () => {
      assert.deepEqual(await checked({ ...unconverted, campaignId: "cmp_1" }), []);
      assert.deepEqual(warnings(), warning);
      assert.deepEqual(await rechecked(unconverted, unconverted), []);
      assert.deepEqual(warnings(), warning);
      assert.deepEqual(await rechecked({ ...unconverted, campaignId: "cmp_1" }, unconverted), []);
    });

    it("warn once, however often they are checked", async () => {
      const { check } = dynamicProvider(adCampaignLifecycle, () => bench);
      for (let times = 0; times < 3; times++) await check?.(unconverted, { [placeKey]: "spring", ...unconverted });
      assert.deepEqual(warnings(), warning);
    });

    it("are not judged while it is unknown whether they adopt", async () => {
      assert.deepEqual(await checked({ ...unconverted, campaignId: unknown }), []);
      assert.deepEqual(bench.said, []);
    });
  });

  it("are also checked when the settings are wrong, and both problems are reported", async () => {
    const { check } = dynamicProvider(adCampaignLifecycle, () => {
      throw new SettingsError("no baseUrl");
    });
    const answer = await check?.({}, { ...declared, campaignName: "" });
    assert.deepEqual(answer?.failures, [
      { property: "", reason: "campaignName must not be empty [WA1101]" },
      { property: "", reason: "no baseUrl" },
    ]);
  });

  describe("that are unknown at preview", () => {
    for (const key of Object.keys(everything))
      it(`never fail: ${key}`, async () => {
        assert.deepEqual(await checked({ ...everything, [key]: unknown }), []);
      });

    it("never fail inside lists and objects, next to known and wrong values", async () => {
      const limited = bench.later({ maxDailyBudgetMicros: "1" });
      const inside = {
        ...everything,
        dailyBudgetMicros: unknown,
        searchThemes: [unknown, ""],
        geoTargets: [unknown],
        extraFields: { network: unknown, deep: [unknown] },
      };
      assert.deepEqual(await checked(inside, limited), ["searchThemes[1] must have 1 to 80 characters [WA1101]"]);
      assert.deepEqual(await checked({ ...declared, campaignType: "PMAX", logoUrl: unknown }), []);
      assert.deepEqual(await checked({ ...declared, campaignType: unknown }), []);
      assert.deepEqual(await checked({ ...declared, extraFields: { timezone: unknown } }), [
        "extraFields.timezone shadows the argument timezone; give it there [WA1101]",
      ]);
      assert.deepEqual(await checked({ ...declared, campaignType: "PMAX", campaignId: unknown }), []);
    });
  });

  it("never throw and never send a request, whatever they are", async () => {
    const json = fc.jsonValue().filter((value) => !/"(toString|valueOf)"/.test(JSON.stringify(value)));
    const value = fc.oneof(json, fc.constantFrom(unknown, "", "..", "PMAX", NaN, 1e21, "https://x.example.com"));
    const inputs = fc.record(Object.fromEntries(Object.keys(everything).map((key) => [key, value])), {
      requiredKeys: [],
    });
    await fc.assert(
      fc.asyncProperty(inputs, async (given) => {
        for (const failure of await checked(given))
          assert.ok(
            Object.keys(everything).some((key) => failure.replace(/^: /, "").startsWith(key)),
            failure,
          );
      }),
      { numRuns: 500 },
    );
    assert.deepEqual(requests(bench), []);
  });

  describe("that need an operation that must not be called", () => {
    const without = (id: string): Bench => bench.later({ endpoints: JSON.stringify({ [id]: "none" }) });

    it("are refused when the list is missing, also for adoption", async () => {
      for (const given of [declared, { ...declared, campaignId: "cmp_1" }])
        assert.match(
          (await checked(given, without("campaign.list"))).join(),
          /^campaign\.list is set to "none".*\n {2}- Set the path .*: \{"campaign\.list": "GET .*"\}\.$/s,
        );
    });

    it("are refused when launching is missing, unless they adopt", async () => {
      const bare = without("campaign.launch");
      assert.match(
        (await checked(declared, bare)).join(),
        /campaign\.launch .*\n {2}- Or adopt an existing campaign by its c/s,
      );
      assert.deepEqual(await checked({ ...declared, campaignId: "cmp_1" }, bare), []);
    });

    it("are refused when pausing is missing, only when they pause", async () => {
      const bare = without("campaign.pause");
      assert.match(
        (await checked({ ...declared, paused: true }, bare)).join(),
        /campaign\.pause .*\n {2}- Or leave paused out/s,
      );
      assert.deepEqual(await checked(declared, bare), []);
      assert.deepEqual(await checked({ ...declared, paused: false }, bare), []);
    });

    it("pass for a campaign that exists", async () => {
      const { check } = dynamicProvider(adCampaignLifecycle, () => without("campaign.list"));
      assert.deepEqual((await check?.(declared, declared))?.failures, []);
    });
  });

  describe("declared twice", () => {
    it("are refused with both names, by campaign name or by id", async () => {
      assert.deepEqual(await checked(declared, bench, "spring"), []);
      assert.deepEqual(await checked({ ...declared, campaignName: " Spring  sale" }, bench, "copy"), [
        `campaignName is declared twice: "spring" and "copy" both declare the campaign "Spring sale" of app app-1. Declare it once [WA1104]`,
      ]);
      assert.deepEqual(await checked({ ...declared, campaignName: "A", campaignId: "x" }, bench, "a"), []);
      assert.deepEqual(await checked({ ...declared, campaignName: "B", campaignId: "x" }, bench, "b"), [
        `campaignId is declared twice: "a" and "b" both declare the campaign x of app app-1. Declare it once [WA1104]`,
      ]);
    });

    it("pass where each adopts a campaign of that name by its id, and only there", async () => {
      assert.deepEqual(await checked({ ...declared, campaignId: "x" }, bench, "a"), []);
      assert.deepEqual(await checked({ ...declared, campaignId: "y" }, bench, "b"), []);
      const twice = `campaignName is declared twice: "a" and "c" both declare the campaign "Spring sale" of app app-1. Declare it once [WA1104]`;
      assert.deepEqual(await checked(declared, bench, "c"), [twice]);
      assert.deepEqual(await checked({ ...declared, campaignId: unknown }, bench, "c"), [twice]);
    });

    it("pass in different apps, under different names, and for the same resource checked again", async () => {
      assert.deepEqual(await checked(declared), []);
      assert.deepEqual(await checked(declared), []);
      assert.deepEqual(await checked({ ...declared, appId: "app-2" }, bench, "second"), []);
      assert.deepEqual(await checked({ ...declared, campaignName: "spring sale" }, bench, "third"), []);
      assert.deepEqual(await checked({ ...declared, campaignName: unknown }, bench, "fourth"), []);
    });
  });

  it("are the same after a refresh", async () => {
    const { campaignId: _, ...launched } = everything;
    const state = await campaign.create(launched, bench);
    assert.deepEqual(JSON.parse(JSON.stringify(argumentsIn(adCampaignLifecycle, state))), {
      ...launched,
      launchIntent: state.launchIntent,
    });
  });
});

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
});
