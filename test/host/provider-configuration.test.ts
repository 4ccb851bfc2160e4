import assert from "node:assert/strict";
import {
  changedSettings,
  configurationProblems,
  markedConfiguration,
  settingsIn,
} from "../../provider/pulumi/packaged/configuration";
import { unknownValue } from "../../provider/serializable";

/** The arguments of a Provider as YAML gives them: plain values. */
const plain = {
  baseUrl: "https://eu.example.com",
  accessToken: "token-of-eu",
  endpoints: { "webhook.create": "POST /hooks/{agent_id}", "webhook.get": "none" },
  documentedOnly: true,
  rateLimits: { "webhook.update": 50 },
  requestTimeoutSeconds: 12.5,
  maxDailyBudgetMicros: 20_000_000,
};

/** The same as the SDKs that Pulumi generates give them: JSON text, with Python's spaces and decimals. */
const asJson = {
  ...plain,
  endpoints: '{"webhook.create": "POST /hooks/{agent_id}", "webhook.get": "none"}',
  documentedOnly: "true",
  rateLimits: '{"webhook.update": 50}',
  requestTimeoutSeconds: "12.5",
  maxDailyBudgetMicros: "20000000.0",
};

const urn = "urn:pulumi:dev::tested::pulumi:providers:workspace-apps::eu";
const explicit = (given: object) => markedConfiguration(urn, { ...given });

/** Reasons alone: beside a property, the engine would print its value. */
function linesOf(ofUrn: string, given: object): string[] {
  const problems = configurationProblems(ofUrn, { ...given });
  assert.deepEqual([...new Set(problems.map(({ property }) => property))].join(), "");
  return problems.map(({ reason }) => reason);
}

describe("The configuration of a packaged Provider", () => {
  it("may have plain values or JSON text", () => {
    const { endpoints, documentedOnly, rateLimits, requestTimeoutSeconds, maxDailyBudgetMicros } = settingsIn(
      explicit(plain),
    );
    assert.deepEqual(
      { documentedOnly, rateLimits, requestTimeoutSeconds, maxDailyBudgetMicros },
      {
        documentedOnly: true,
        rateLimits: { "webhook.update": 50 },
        requestTimeoutSeconds: 12.5,
        maxDailyBudgetMicros: 20_000_000,
      },
    );
    assert.deepEqual(Object.keys(endpoints), ["webhook.create", "webhook.get"]);
    assert.deepEqual(settingsIn(explicit(asJson)), settingsIn(explicit(plain)));
  });

  for (const [name, given] of [
    ["plain values", { ...plain, documentedOnly: 1, rateLimits: { "webhook.update": 0 }, endpoints: ["none"] }],
    ["JSON text", { ...plain, documentedOnly: "1", rateLimits: '{"webhook.update": 0}', endpoints: '["none"]' }],
  ] as const)
    it(`has every wrong one of ${name} reported`, () => {
      assert.deepEqual(
        linesOf(urn, explicit(given)).map((line) => line.split(" ")[2]),
        ["endpoints", "documentedOnly", "rateLimits"],
      );
    });

  it("is never shown, because it may hold a secret", () => {
    const { baseUrl: _, accessToken, ...others } = plain;
    const given = {
      ...others,
      baseUrl: "https://me:secret@example.com",
      apiKey: "two words",
      acessToken: accessToken,
      requestTimeoutSeconds: "token-of-eu",
    };
    const fix = "Set it in the arguments of the Provider. [WA1001]";
    assert.deepEqual(linesOf(urn, explicit(given)).sort(), [
      `The Provider's accessToken is not set; apiKey alone is not enough, because many operations take only the token. ${fix}`,
      `The Provider's apiKey must be one line of printable characters without spaces. ${fix}`,
      `The Provider's baseUrl must not carry credentials, a query or a fragment. ${fix}`,
      `The Provider's requestTimeoutSeconds must be a number of seconds. ${fix}`,
      'unknown argument "acessToken". Did you mean "accessToken"? [WA1002]',
    ]);
  });

  it("does not come from the environment, which only the stack's provider reads", () => {
    const ofStack = urn.replace(/eu$/, "default_0_1_0");
    const variables = { WORKSPACE_APPS_ACCESS_TOKEN: "token-of-the-stack", WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO: "1" };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      const { baseUrl } = plain;
      assert.match(linesOf(urn, explicit({ baseUrl })).join("\n"), /^The Provider's accessToken is not set\.[^\n]*$/);
      assert.equal(settingsIn(markedConfiguration(ofStack, { baseUrl })).accessToken, "token-of-the-stack");
      assert.deepEqual(linesOf(ofStack, plain), [
        "Unknown setting WORKSPACE_APPS_MAX_DAILY_BUDGET_MICRO. Did you mean WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS? [WA1002]",
      ]);
    } finally {
      process.env = before;
    }
  });

  it("of a project with the same name may have the project's own keys, but no misspelled setting", () => {
    const own = urn.replace("::tested::", "::workspace-apps::").replace(/eu$/, "default");
    assert.deepEqual(linesOf(own, { ...plain, region: "eu" }), []);
    assert.match(linesOf(own, { ...plain, acessToken: "t" }).join(), /Did you mean .*accessToken/);
    assert.match(linesOf(urn, explicit({ ...plain, region: "eu" })).join(), /unknown argument "region"/);
  });

  it("comes from a Provider whose name only begins like the engine's own", () => {
    const named = (name: string) => markedConfiguration(urn.replace(/eu$/, name), plain);
    for (const name of ["default_eu", "defaults"]) assert.notDeepEqual(named(name), plain);
    for (const name of ["default", "default_0_1_0"]) assert.deepEqual(named(name), plain);
  });

  it("has its names and its known values checked while a value is not known", () => {
    const given = { ...plain, baseUrl: unknownValue, accessToken: unknownValue, rateLimits: unknownValue };
    assert.deepEqual(linesOf(urn, explicit(given)), []);
    assert.deepEqual(linesOf(urn, explicit({ ...given, acessToken: "t", documentedOnly: "1" })), [
      'unknown argument "acessToken". Did you mean "accessToken"? [WA1002]',
      "The Provider's documentedOnly must be true or false. Set it in the arguments of the Provider. [WA1001]",
    ]);
  });

  it("changes only where a setting does", () => {
    assert.deepEqual(changedSettings(explicit(plain), explicit({ ...plain })), []);
    assert.deepEqual(changedSettings(explicit(plain), explicit({ ...plain, rateLimits: { "webhook.update": 60 } })), [
      "rateLimits",
    ]);
  });
});
