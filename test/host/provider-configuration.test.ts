import assert from "node:assert/strict";
import {
  changedSettings,
  configurationProblems,
  markedConfiguration,
  settingsIn,
} from "../../provider/pulumi/packaged/configuration";

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
    it(`reports every wrong one of ${name}`, () => {
      const problems = configurationProblems(explicit(given)).join("\n");
      for (const key of ["documentedOnly", "rateLimits", "endpoints"]) assert.match(problems, new RegExp(key));
    });

  it("does not have the stack's token", () => {
    const { WORKSPACE_APPS_ACCESS_TOKEN: before } = process.env;
    process.env["WORKSPACE_APPS_ACCESS_TOKEN"] = "token-of-the-stack";
    try {
      const { baseUrl } = plain;
      assert.match(configurationProblems(explicit({ baseUrl })).join("\n"), /accessToken/);
      const ofEngine = markedConfiguration(urn.replace(/eu$/, "default_0_1_0"), { baseUrl });
      assert.equal(settingsIn(ofEngine).accessToken, "token-of-the-stack");
    } finally {
      if (before === undefined) delete process.env["WORKSPACE_APPS_ACCESS_TOKEN"];
      else process.env["WORKSPACE_APPS_ACCESS_TOKEN"] = before;
    }
  });

  it("changes only where a setting does", () => {
    assert.deepEqual(changedSettings(explicit(plain), explicit({ ...plain })), []);
    assert.deepEqual(changedSettings(explicit(plain), explicit({ ...plain, rateLimits: { "webhook.update": 60 } })), [
      "rateLimits",
    ]);
  });
});
