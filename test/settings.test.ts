import assert from "node:assert/strict";
import fc from "fast-check";
import { operations } from "../provider/service/operations";
import { environmentName, readSettings, type SettingKey, settingKeys, SettingsError } from "../provider/settings";
import { anyText } from "./service/support/any-text";

type Given = Partial<Record<SettingKey, string>>;

const required: Given = { baseUrl: "https://service.example.com", accessToken: "the-token" };

function read(config: Given, environment: Record<string, string> = {}) {
  return readSettings((key) => config[key], environment);
}

function inEnvironment(given: Given): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [environmentName(key as SettingKey), text]));
}

/** One line for each problem. */
function problems(config: Given, environment: Record<string, string> = {}): string[] {
  try {
    read(config, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split("\n");
    throw error;
  }
  return [];
}

/** The table of the contract: key, variable, a text and its value, and another text with another value. */
const table: [SettingKey, string, text: string, meaning: unknown, other: string][] = [
  [
    "baseUrl",
    "WORKSPACE_APPS_BASE_URL",
    "https://a.example.com/x/",
    "https://a.example.com/x",
    "https://b.example.com",
  ],
  ["accessToken", "WORKSPACE_APPS_ACCESS_TOKEN", "token-a", "token-a", "token-b"],
  ["apiKey", "WORKSPACE_APPS_API_KEY", "key-a", "key-a", "key-b"],
  ["endpoints", "WORKSPACE_APPS_ENDPOINTS", '{"webhook.list":"none"}', { "webhook.list": "none" }, "{}"],
  ["documentedOnly", "WORKSPACE_APPS_DOCUMENTED_ONLY", "true", true, "false"],
  ["rateLimits", "WORKSPACE_APPS_RATE_LIMITS", '{"member.list":7}', { "member.list": 7 }, "{}"],
  ["requestTimeoutSeconds", "WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS", "12.5", 12.5, "60"],
  ["launchSettleSeconds", "WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS", "0", 0, "60"],
  ["launchQuarantineSeconds", "WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS", "0", 0, "60"],
  ["maxDailyBudgetMicros", "WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS", "5000000", 5_000_000, "1"],
  ["maxAppDailyBudgetMicros", "WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS", "5000000", 5_000_000, "1"],
];

describe("The settings", () => {
  it("are those of the contract", () => {
    assert.deepEqual([...settingKeys].sort(), table.map(([key]) => key).sort());
  });

  it("have defaults for all but the base URL and the token", () => {
    assert.deepEqual(read(required), {
      ...required,
      endpoints: {},
      documentedOnly: false,
      rateLimits: {},
      requestTimeoutSeconds: 30,
      launchSettleSeconds: 30,
      launchQuarantineSeconds: 900,
    });
  });

  for (const [key, variable, text, meaning, other] of table)
    it(`read ${key} from the stack's configuration, then from ${variable}`, () => {
      assert.equal(environmentName(key), variable);
      assert.deepEqual(read({ ...required, [key]: text })[key], meaning);
      const elsewhere = inEnvironment(required);
      assert.deepEqual(read({}, { ...elsewhere, [variable]: text })[key], meaning);
      assert.deepEqual(read({ [key]: text }, { ...elsewhere, [variable]: other })[key], meaning);
    });

  it("read the environment of the process unless told otherwise", () => {
    const variable = environmentName("baseUrl");
    const before = process.env[variable];
    process.env[variable] = "https://from-the-process.example.com";
    try {
      const given = (key: SettingKey) => (key === "accessToken" ? "t" : undefined);
      assert.equal(readSettings(given).baseUrl, process.env[variable]);
      assert.throws(() => readSettings(given, {}), SettingsError);
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, variable);
      else process.env[variable] = before;
    }
  });

  it("ignore spaces around a value, and treat an empty one as not set", () => {
    assert.equal(read({ ...required, accessToken: " the-token\n" }).accessToken, "the-token");
    assert.equal(read({ ...required, requestTimeoutSeconds: "  " }).requestTimeoutSeconds, 30);
    assert.match(problems({ ...required, accessToken: "" }).join(), /workspace-apps:accessToken is not set/);
    const elsewhere = inEnvironment({ baseUrl: "https://a.example.com" });
    assert.equal(read({ ...required, baseUrl: " " }, elsewhere).baseUrl, "https://a.example.com");
  });
});

describe("A missing or malformed setting", () => {
  it("explains for a missing token why the API key alone is not enough", () => {
    const [first] = problems({ baseUrl: "https://a.example.com", apiKey: "key" });
    assert.match(
      first ?? "",
      /^workspace-apps:accessToken is not set; apiKey alone is not enough, because many operations take only the token\. Set it with/,
    );
    const byToken = Object.values(operations).filter(({ credential }) => credential === "token").length;
    assert.ok(byToken > Object.keys(operations).length / 3, "many");
    assert.doesNotMatch(problems({ ...required, accessToken: "two words", apiKey: "key" }).join(), /apiKey alone/);
  });

  const malformed: [SettingKey, string[], RegExp][] = [
    ["baseUrl", ["service.example.com", "/api", "https://"], /must be an absolute URL/],
    [
      "baseUrl",
      ["https://user:password@example.com", "https://example.com?a=b", "https://example.com#c"],
      /must not carry credentials, a query or a fragment/,
    ],
    ["baseUrl", ["http://service.example.com", "ftp://example.com"], /must be https \(plain http only for a loopback/],
    ["accessToken", ["two words", "line\nbreak", "tokén", "a\u0000b"], /must be one line of printable characters/],
    ["accessToken", ["Bearer abc"], /must be the token alone, without "Bearer"/],
    ["apiKey", ["two words", "line\nbreak", "kéy"], /must be one line of printable characters/],
    ["endpoints", ["{", "[]", "null", '"none"', "7", "webhook.list=none"], /must be a JSON object/],
    ["endpoints", ['{"webhook.lists":"none"}', '{"__proto__":"none"}'], /has an unknown operation "/],
    [
      "endpoints",
      [
        '{"webhook.list":7}',
        '{"webhook.list":null}',
        '{"webhook.list":"/api/{agent_id}"}',
        '{"webhook.list":"get /api/{agent_id}"}',
        '{"webhook.list":"HEAD /api/{agent_id}"}',
        '{"webhook.list":"GET api/{agent_id}"}',
        '{"webhook.list":"GET /api/{agent_id}?all=1"}',
        '{"webhook.list":"GET /api/{agent_id} /x"}',
        '{"webhook.list":"GET https://elsewhere.example.com/{agent_id}"}',
        '{"webhook.list":"None"}',
      ],
      /"webhook\.list" must be "METHOD \/path\/\{parameter\}" or "none"/,
    ],
    [
      "endpoints",
      [
        '{"webhook.delete":"DELETE /api/{agent_id}"}',
        '{"webhook.delete":"DELETE /api/{agent_id}/{webhook_id}/{webhook_id}"}',
        '{"webhook.delete":"DELETE /api/{agent_id}/{webhookId}"}',
        '{"webhook.delete":"DELETE /api/{agent_id}/{webhook_id"}',
      ],
      /"webhook\.delete" must use each of \{agent_id\}, \{webhook_id\} once and no other parameter/,
    ],
    ["documentedOnly", ["yes", "1", "True"], /must be true or false/],
    ["rateLimits", ["{", "[]", "100"], /must be a JSON object/],
    [
      "rateLimits",
      ['{"webhook.lists":100}'],
      /has an unknown operation "webhook\.lists" \(did you mean "webhook\.list"\?\)/,
    ],
    [
      "rateLimits",
      ['{"member.list":0}', '{"member.list":-1}', '{"member.list":1.5}', '{"member.list":"9"}', '{"member.list":null}'],
      /"member\.list" must be a whole number of requests per minute, at least 1/,
    ],
    ["requestTimeoutSeconds", ["soon", "30s", "Infinity", "NaN"], /must be a number of seconds|must be at most/],
    ["requestTimeoutSeconds", ["0", "-1"], /must be at least 0\.1 seconds/],
    ["requestTimeoutSeconds", ["86401"], /must be at most 86400 seconds/],
    ["launchSettleSeconds", ["soon", "-1", "86401"], /must be/],
    ["launchQuarantineSeconds", ["soon", "-1", "86401"], /must be/],
    ["maxDailyBudgetMicros", ["1.5", "much"], /must be a whole number of micros/],
    ["maxDailyBudgetMicros", ["0", "-5"], /must be above 0/],
    ["maxAppDailyBudgetMicros", ["1.5", "much"], /must be a whole number of micros/],
    ["maxAppDailyBudgetMicros", ["0", "-5"], /must be above 0/],
  ];

  for (const [key, texts, problem] of malformed)
    it(`is named by key and variable: ${key}, ${texts.map((text) => JSON.stringify(text)).join(", ")}`, () => {
      for (const text of texts)
        for (const found of [
          problems({ ...required, [key]: text }),
          problems({}, inEnvironment({ ...required, [key]: text })),
        ]) {
          assert.equal(found.length, 1, text);
          assert.match(found[0] ?? "", problem, text);
          assert.ok(found[0]?.startsWith(`workspace-apps:${key} `), text);
          assert.ok(found[0]?.includes(environmentName(key)), text);
        }
    });

  it("is reported together with all the others, each once", () => {
    const found = problems({ apiKey: "two words", documentedOnly: "yes", rateLimits: "[]" });
    assert.deepEqual(
      found.map((line) => line.split(" ")[0]),
      ["baseUrl", "accessToken", "apiKey", "documentedOnly", "rateLimits"].map((key) => `workspace-apps:${key}`),
    );
  });

  it("reports everything that is wrong within one setting", () => {
    const found = problems({ ...required, endpoints: '{"webhook.list":7,"no.such":"none"}' });
    assert.equal(found.length, 2);
    assert.match(found.join(), /"webhook\.list" must be .*"no\.such" \(use one of webhook\.create, /);
  });

  it("comes with the command that sets it, as a secret if it is one", () => {
    assert.match(problems({}).join("\n"), /`pulumi config set workspace-apps:baseUrl …`/);
    assert.match(problems({}).join("\n"), /`pulumi config set --secret workspace-apps:accessToken …`/);
    assert.match(
      problems({ ...required, apiKey: "a b" }).join(),
      /`pulumi config set --secret workspace-apps:apiKey …`/,
    );
  });

  it("never shows the value of a secret", () => {
    const secret = anyText(4).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(secret, secret, (accessToken, apiKey) => {
        const text = problems({ accessToken, apiKey }).join("\n");
        assert.notEqual(text, "", "the base URL is missing");
        for (const value of [accessToken, apiKey])
          if (!/^[\w :.…`-]+$/.test(value)) assert.ok(!text.includes(value.trim()), text);
      }),
    );
    const text = problems({
      baseUrl: "https://user:hunter22@example.com",
      accessToken: "hunter2 hunter3",
      apiKey: "hunter4\t5",
    });
    assert.doesNotMatch(text.join("\n"), /hunter/);
  });
});

describe("The base URL", () => {
  for (const host of ["localhost", "127.0.0.1", "127.8.9.10", "127.1", "[::1]", "[::ffff:127.0.0.1]"])
    it(`may use plain http for ${host}, which is this machine`, () => {
      const url = `http://${host}:8080`;
      assert.equal(read({ ...required, baseUrl: url }).baseUrl, new URL(url).origin);
    });

  for (const host of [
    ...["example.com", "10.0.0.1", "192.168.0.1", "0.0.0.0", "[::]", "[fe80::1]", "[::ffff:10.0.0.1]"],
    ...["localhost.example.com", "127.0.0.1.example.com", "host.local"],
  ])
    it(`must use https for ${host}`, () => {
      assert.match(problems({ ...required, baseUrl: `http://${host}:8080` }).join(), /must be https/);
    });

  for (const [given, spelling, why] of [
    ["HTTPS://Example.com", "https://example.com", "so that `readBy` in the state is of one service"],
    ["https://example.com:443/", "https://example.com", "so that `readBy` in the state is of one service"],
    ["https://example.com/a/b//", "https://example.com/a/b", "with its path and without trailing slashes"],
  ] as const)
    it(`is read as ${spelling} where it is ${given}, ${why}`, () => {
      assert.equal(read({ ...required, baseUrl: given }).baseUrl, spelling);
    });
});

describe("The endpoints setting", () => {
  it("accepts any operation, with its own endpoint or none", () => {
    const own = Object.fromEntries(Object.entries(operations).map(([id, { endpoint }]) => [id, endpoint]));
    assert.deepEqual(read({ ...required, endpoints: JSON.stringify(own) }).endpoints, own);
    const none = Object.fromEntries(Object.keys(operations).map((id) => [id, "none"]));
    assert.deepEqual(read({ ...required, endpoints: JSON.stringify(none) }).endpoints, none);
  });

  it("accepts the parameters in any order", () => {
    const endpoints = { "webhook.delete": "POST /hooks/{webhook_id}/remove-from/{agent_id}" };
    assert.deepEqual(read({ ...required, endpoints: JSON.stringify(endpoints) }).endpoints, endpoints);
  });
});
