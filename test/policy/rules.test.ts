import assert from "node:assert/strict";
import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import {
  approvedExtraFields,
  approvedWebhookTargets,
  dailySpend,
  protectedInStacks,
  type Rule,
  servePolicyPack,
  signedWebhooks,
  workspaceAppsPolicies,
} from "../../policy";
import { unknownValues } from "../../policy/unknown-values";
import { packagedTypePrefix, typePrefix } from "../../provider/pulumi/urn";

interface Resource {
  kind: string;
  name?: string;
  stack?: string;
  props?: Record<string, unknown>;
  protect?: boolean;
}

/** The violations of a rule for resources that are declared one after the other. */
async function said(policy: Rule["policy"], settings: object, ...resources: Resource[]): Promise<string[]> {
  const messages: string[] = [];
  for (const { kind, name = "tested", stack = "dev", props = { appId: "app-1" }, protect = false } of resources) {
    const type = kind.includes(":") ? kind : `${typePrefix}${kind}`;
    const args = {
      type,
      name,
      urn: `urn:pulumi:${stack}::project::${type}::${name}`,
      props,
      opts: { protect },
      getConfig: () => settings,
    } as unknown as ResourceValidationArgs;
    const { validateResource } = policy as ResourceValidationPolicy;
    assert.ok(typeof validateResource === "function");
    await validateResource(args, (message) => messages.push(message));
  }
  return messages;
}

/** The SDK's representation of properties with an unknown value. */
function withUnknown(property: string, known: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.defineProperty({ ...known }, property, {
    get: () => {
      throw new Error("can't be known during preview");
    },
  });
}

describe("The rule daily-spend", () => {
  const campaign = (name: string, dailyBudgetMicros: unknown, more: Record<string, unknown> = {}): Resource => ({
    kind: "AdCampaign",
    name,
    props: { appId: "app-1", dailyBudgetMicros, ...more },
  });
  const judged = (settings: object, ...resources: Resource[]): Promise<string[]> =>
    said(dailySpend().policy, settings, ...resources);
  const ten = { caps: { dev: { USD: 10 } } };

  it("allows spend up to the cap, and not more", async () => {
    assert.deepEqual(await judged(ten, campaign("a", 6), campaign("b", 4)), []);
    assert.equal((await judged(ten, campaign("a", 6), campaign("b", 5))).length, 1);
  });

  it("counts a campaign whose app is not known yet, if all caps are in one currency", async () => {
    const unknown = { ...campaign("a", 11), props: withUnknown("appId", { dailyBudgetMicros: 11 }) };
    assert.equal((await judged(ten, unknown)).length, 1);
    assert.deepEqual(await judged({ caps: { dev: { USD: 10, EUR: 10 } } }, unknown), []);
  });

  it("counts a campaign that is checked again only once, with its last budget", async () => {
    assert.deepEqual(await judged(ten, campaign("a", 9), campaign("a", 9), campaign("a", 1), campaign("b", 9)), []);
  });

  it("counts campaigns that may be running, and not those declared as paused", async () => {
    assert.deepEqual(await judged(ten, campaign("a", 9, { paused: true }), campaign("b", 10)), []);
    assert.equal((await judged(ten, campaign("a", 9), campaign("b", 10, { paused: false }))).length, 1);
    const unknown = { ...campaign("b", 10), props: withUnknown("paused", { appId: "app-1", dailyBudgetMicros: 10 }) };
    assert.equal((await judged(ten, campaign("a", 9), unknown)).length, 1);
  });

  it("never adds up two currencies", async () => {
    const settings = { caps: { dev: { USD: 10, EUR: 10 } }, currencies: { "app-1": "USD", "app-2": "EUR" } };
    const inEuros = campaign("b", 9, { appId: "app-2" });
    assert.deepEqual(await judged(settings, campaign("a", 9), inEuros), []);
    assert.match(
      String(await judged(settings, campaign("a", 9), inEuros, campaign("c", 2))),
      /is USD 0\.000011, above its cap of USD 0\.00001 a day/,
    );
  });

  it("refuses campaigns that no cap covers", async () => {
    assert.match(
      String(await judged({ caps: { prod: { USD: 10 } } }, campaign("a", 1))),
      /currency of AdCampaign "a" in stack dev is unknown/,
    );
    const elsewhere = { caps: { dev: { USD: 10 } }, currencies: { "app-1": "EUR" } };
    assert.match(String(await judged(elsewhere, campaign("a", 1))), /Stack dev has no cap in EUR/);
    const several = { caps: { dev: { USD: 10, EUR: 10 } } };
    assert.match(String(await judged(several, campaign("a", 1))), /currency of AdCampaign "a" in stack dev is unknown/);
  });

  it("prefers a stack's own cap to the cap for all stacks", async () => {
    const settings = { caps: { "*": { USD: 5 }, prod: { USD: 50 } } };
    assert.deepEqual(await judged(settings, { ...campaign("a", 50), stack: "prod" }), []);
    assert.equal((await judged(settings, campaign("a", 6))).length, 1);
  });

  it("refuses a budget that is not a whole number, and adds exactly", async () => {
    assert.match(String(await judged(ten, campaign("a", 0.5))), /must be a whole number of micros/);
    assert.match(String(await judged(ten, campaign("a", "6"))), /must be a whole number of micros/);
    const max = Number.MAX_SAFE_INTEGER;
    const settings = { caps: { dev: { USD: max } } };
    assert.match(
      String(await judged(settings, campaign("a", max), campaign("b", max), campaign("c", 1))),
      /is USD 18,014,398,509\.481983, above its cap of USD 9,007,199,254\.740991 a day/,
    );
  });
});

describe("Every rule", () => {
  const settings = { caps: { dev: { USD: 10 } }, stacks: ["*"], approved: [] };

  it("reports the same for resources of the packaged form", async () => {
    const campaign = { appId: "app-1", dailyBudgetMicros: 6, landingPage: "https://a.example/" };
    const props = { ...campaign, extraFields: { language: "de" } };
    const resources = (prefix: string): Resource[] => [
      { kind: `${prefix}AdCampaign`, name: "a", props },
      { kind: `${prefix}AdCampaign`, name: "b", props },
      { kind: `${prefix}TestFlow` },
      { kind: `${prefix}Webhook`, props: withUnknown("signed", { targetUrl: "https://a.example/" }) },
      { kind: `${prefix}Webhook`, props: { targetUrl: "https://a.example/" } },
    ];
    // A rule remembers the campaigns that it has counted.
    const packs = [workspaceAppsPolicies(), workspaceAppsPolicies()] as const;
    for (const [index, policy] of packs[0].entries()) {
      const [dynamic, packaged] = [policy, packs[1][index] ?? assert.fail()];
      const expected = await said(dynamic, settings, ...resources(typePrefix));
      assert.notDeepEqual(expected, [], policy.name);
      assert.deepEqual(await said(packaged, settings, ...resources(packagedTypePrefix)), expected, policy.name);
    }
  });

  it("does not take a resource of another package for one of this", async () => {
    for (const kind of ["other:index:Webhook", "pulumi-nodejs:dynamic/other:Webhook"])
      assert.deepEqual(await said(signedWebhooks().policy, {}, { kind }), []);
  });

  it("reports nothing about launch intents", async () => {
    const intent: Resource = { kind: "LaunchIntent", name: "a", props: { appId: "app-1", deletionPolicy: "delete" } };
    for (const policy of workspaceAppsPolicies().filter((one) => "validateResource" in one))
      assert.deepEqual(await said(policy, settings, intent), [], policy.name);
  });

  it("leaves out a new resource that --target leaves out, which Pulumi passes without arguments", async () => {
    for (const policy of workspaceAppsPolicies())
      for (const kind of ["AdCampaign", "LaunchIntent", "TestFlow", "Webhook"])
        assert.deepEqual(await said(policy, settings, { kind, props: {} }), [], `${policy.name}, ${kind}`);
    // An argument that is really missing leaves others.
    const unsigned = { kind: "Webhook", props: { agentId: "agent-1" } };
    assert.equal((await said(signedWebhooks().policy, {}, unsigned)).length, 1);
  });

  it("reports a setting that it does not have or misses, once for the stack", async () => {
    const stack = { kind: "pulumi:pulumi:Stack", props: {} };
    const misspelled = { caps: { dev: { USD: 10 } }, currencys: {} };
    assert.deepEqual(await said(dailySpend().policy, misspelled, stack), [
      'Unknown setting "currencys" of daily-spend. Did you mean "currencies"?',
    ]);
    assert.deepEqual(await said(dailySpend().policy, {}, stack), ['The setting "caps" of daily-spend is missing.']);
    assert.deepEqual(await said(signedWebhooks().policy, {}, stack), []);
  });
});

describe("The rule approved-webhook-targets", () => {
  const approves = async (approved: string[], targetUrl: string): Promise<boolean> =>
    (await said(approvedWebhookTargets().policy, { approved }, { kind: "Webhook", props: { targetUrl } })).length === 0;

  for (const [entry, url, expected] of [
    ["hooks.example.com", "https://hooks.example.com/a?b=c", true],
    ["hooks.example.com", "https://HOOKS.example.com.:8443/", true],
    ["hooks.example.com", "https://other.hooks.example.com/", false],
    ["hooks.example.com", "https://hooks.example.com@example.net/", false],
    ["hooks.example.com", "https://hooks.example.com.example.net/", false],
    ["hooks.example.com", "https://example.net/hooks.example.com", false],
    ["*.example.com", "https://hooks.example.com/", true],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://badexample.com/", false],
    ["Bücher.example", "https://xn--bcher-kva.example/", true],
    ["hooks.example.com/team", "https://hooks.example.com/team", true],
    ["hooks.example.com/team", "https://hooks.example.com/team/a", true],
    ["hooks.example.com/team", "https://hooks.example.com/teams", false],
    ["hooks.example.com/team/", "https://hooks.example.com/team/../other", false],
    ["hooks.example.com/team/", "https://hooks.example.com/team/%2e%2e/other", false],
    ["hooks.example.com/team", "https://hooks.example.com/other/../team/a", false],
    ["hooks.example.com/team", "https://hooks.example.com/team/..%2fother", false],
    ["hooks.example.com/team", "https://hooks.example.com/team/%2E%2e%5Cother", false],
    ["hooks.example.com/team", "https://hooks.example.com/team/%252e%252e/other", false],
    ["hooks.example.com/team", "https://hooks.example.com/team%252fother", false],
    ["hooks.example.com/team", "https://hooks.example.com/team/%c0%ae%c0%ae/other", false],
    ["hooks.example.com/team", "https://hooks.example.com/team/50%25?next=..%2fother", true],
    ["hooks.example.com", "https://hooks.example.com/any/..%2fother", true],
    ["hooks.example.com", String.raw`https://hooks.example.com\@evil.example/x`, false],
    ["hooks.example.com", String.raw`https:\\hooks.example.com/`, false],
    ["hooks.example.com", "https://user@evil.example@hooks.example.com/", false],
    ["hooks.example.com", "https://@hooks.example.com/", false],
    ["hooks.example.com", " https://hooks.example.com/", false],
    ["hooks.example.com", "https://hooks.exam\tple.com/", false],
    ["hooks.example.com", "https:hooks.example.com", false],
    ["hooks.example.com", "https:///hooks.example.com/", false],
    ["hooks.example.com", "no URL", false],
  ] as const)
    it(`with ${entry} ${expected ? "approves" : "refuses"} ${JSON.stringify(url)}`, async () => {
      assert.equal(await approves([entry], url), expected);
    });

  it("approves nothing when no target is approved, and does not repeat the URL", async () => {
    const webhook = { kind: "Webhook", props: { targetUrl: "https://hidden.example.com/hidden" } };
    const [message = ""] = await said(approvedWebhookTargets().policy, { approved: [] }, webhook);
    assert.match(message, /not on an approved host \(none\)/);
    assert.doesNotMatch(message, /hidden/);
  });
});

describe("The rule approved-extra-fields", () => {
  const rule = (settings: object, extraFields?: unknown): Promise<string[]> =>
    said(approvedExtraFields().policy, settings, { kind: "AdCampaign", props: { extraFields } });

  it("refuses fields that no rule covers, by name and without their values", async () => {
    const fields = { final_url: "https://hidden.example.com/", total_budget_micros: 9, language: "de" };
    const [message = ""] = await rule({ approved: ["language"] }, fields);
    assert.match(message, /^extraFields of AdCampaign "tested" contains final_url, total_budget_micros, which/);
    assert.doesNotMatch(message, /hidden/);
    assert.equal((await rule({}, { language: "de" })).length, 1);
  });

  it("approves a campaign without extra fields, and with approved ones", async () => {
    assert.deepEqual(await rule({}), []);
    assert.deepEqual(await rule({}, {}), []);
    assert.deepEqual(await rule({ approved: ["language"] }, { language: "de" }), []);
  });
});

describe("The rule protected-in-stacks", () => {
  const count = async (stacks: string[], resource: Resource): Promise<number> =>
    (await said(protectedInStacks().policy, { stacks }, resource)).length;

  it("requires protection of campaigns and tests in the named stacks", async () => {
    for (const [stacks, resource, expected] of [
      ["prod", { kind: "AdCampaign", stack: "prod" }, 1],
      ["prod", { kind: "TestFlow", stack: "prod" }, 1],
      ["*", { kind: "TestFlow", stack: "any" }, 1],
      ["prod", { kind: "AdCampaign", stack: "prod", protect: true }, 0],
      ["prod", { kind: "AdCampaign", stack: "production" }, 0],
      ["prod", { kind: "Webhook", stack: "prod" }, 0],
    ] as const)
      assert.equal(await count([stacks], resource), expected, JSON.stringify(resource));
  });

  /** The message for a resource of stack prod, if there is one. */
  const message = async (protection: string | undefined, kind: string, deletionPolicy?: unknown, protect = false) => {
    const settings = { stacks: ["prod"], ...(protection === undefined ? {} : { protection }) };
    const props = { appId: "app-1", ...(deletionPolicy === undefined ? {} : { deletionPolicy }) };
    const messages = await said(protectedInStacks().policy, settings, { kind, stack: "prod", props, protect });
    assert.ok(messages.length <= 1);
    return messages[0];
  };

  it("requires the option whatever the deletionPolicy is, unless its settings say otherwise", async () => {
    for (const protection of [undefined, "protect"])
      for (const policy of [undefined, "delete", "pause", "retain"]) {
        assert.equal(
          await message(protection, "AdCampaign", policy),
          'AdCampaign "tested" is not protected. Stack prod requires protection, because deleting it is permanent. Declare the option { protect: true }.',
        );
        assert.equal(await message(protection, "AdCampaign", policy, true), undefined);
      }
  });

  it("accepts a deletionPolicy that keeps the object instead, if its settings say so", async () => {
    const either = "protect-or-policy";
    for (const [kind, policies] of Object.entries({ AdCampaign: ["pause", "retain"], TestFlow: ["retain"] })) {
      for (const policy of policies) assert.equal(await message(either, kind, policy), undefined);
      for (const policy of [undefined, "delete"]) {
        assert.equal(await message(either, kind, policy, true), undefined);
        assert.match((await message(either, kind, policy)) ?? "", /is not protected and declares no deletionPolicy/);
      }
    }
    assert.equal(
      await message(either, "AdCampaign"),
      'AdCampaign "tested" is not protected and declares no deletionPolicy that keeps it. Stack prod requires protection or a deletionPolicy that keeps it, because deleting it is permanent. Declare the option { protect: true }, or deletionPolicy: "retain" or "pause".',
    );
  });

  it("demands both if its settings say so, and names only what is missing", async () => {
    const both = "protect-and-policy";
    assert.equal(await message(both, "AdCampaign", "pause", true), undefined);
    assert.equal(await message(both, "TestFlow", "retain", true), undefined);
    const requires =
      "Stack prod requires protection and a deletionPolicy that keeps it, because deleting it is permanent.";
    assert.equal(
      await message(both, "AdCampaign", "retain"),
      `AdCampaign "tested" is not protected. ${requires} Declare the option { protect: true }.`,
    );
    for (const policy of [undefined, "delete"])
      assert.equal(
        await message(both, "TestFlow", policy, true),
        `TestFlow "tested" declares no deletionPolicy that keeps it. ${requires} Declare deletionPolicy: "retain".`,
      );
    assert.equal(
      await message(both, "AdCampaign", "delete"),
      `AdCampaign "tested" is not protected and declares no deletionPolicy that keeps it. ${requires} Declare the option { protect: true }, and deletionPolicy: "retain" or "pause".`,
    );
  });
});

describe("The warning unknown-values", () => {
  it("names the resource, the argument and the rule, and each rule ignores the unknown value", async () => {
    const approves: [Rule, object] = [approvedWebhookTargets(), { approved: [] }];
    const protects: [Rule, object] = [protectedInStacks(), { stacks: ["*"], protection: "protect-and-policy" }];
    const rules = [approvedWebhookTargets(), signedWebhooks(), protectedInStacks(), dailySpend()];
    const spends: [Rule, object] = [dailySpend(), { caps: { dev: { USD: 10, EUR: 10 } } }];
    for (const [[rule, settings], kind, property, known] of [
      [approves, "Webhook", "targetUrl", { signed: true }],
      [[signedWebhooks(), {}], "Webhook", "signed", { targetUrl: "https://a.example/" }],
      [protects, "TestFlow", "deletionPolicy", { appId: "app-1" }],
      [spends, "AdCampaign", "dailyBudgetMicros", { appId: "app-1" }],
      [spends, "AdCampaign", "appId", { dailyBudgetMicros: 99 }],
    ] as [[Rule, object], string, string, Record<string, unknown>][]) {
      const resource = { kind, props: withUnknown(property, known), protect: true };
      assert.match(
        String(await said(unknownValues(rules), {}, resource)),
        new RegExp(`^${property} of ${kind} "tested" .* ${rule.policy.name} did not check it`),
      );
      assert.deepEqual(await said(rule.policy, settings, resource), []);
    }
  });
});

describe("The settings of a pack", () => {
  const serve = (settings: object) => (): void => {
    servePolicyPack("tested", workspaceAppsPolicies(), settings as Record<string, "disabled">);
  };

  for (const [settings, problem] of [
    [{ "daily-spnd": { caps: {} } }, 'Unknown rule "daily-spnd". Did you mean "daily-spend"?'],
    [{ budgets: "disabled" }, /Unknown rule "budgets"\. Remove it, or use one of "daily-spend", .*, "all"\./],
    [{ "daily-spend": { cap: {} } }, 'Unknown setting "cap" of daily-spend. Did you mean "caps"?'],
    [{ "signed-webhooks": { stacks: [] } }, 'Unknown setting "stacks" of signed-webhooks. Remove it: there are none.'],
    [
      { "signed-webhooks": "off" },
      /Unknown enforcement level "off" of signed-webhooks\..* "disabled" turns the rule off/,
    ],
    [
      { "signed-webhooks": { enforcementLevel: "Disabled" } },
      /Unknown enforcement level "Disabled" of signed-webhooks/,
    ],
    [{ all: { enforcementLevel: "none" } }, /Unknown enforcement level "none" of all/],
    [
      { "signed-webhooks": false },
      /The settings of signed-webhooks must be an object, or an enforcement level: "advisory"/,
    ],
    [{ "signed-webhooks": null }, /The settings of signed-webhooks must be an object/],
  ] as const)
    it(`are refused with a suggestion: ${JSON.stringify(settings)}`, () => {
      assert.throws(serve(settings), (error: Error) => {
        assert.match(error.message, /^The settings of the policy pack are wrong\. \[WA2030\]\n {2}- /);
        if (typeof problem === "string") assert.ok(error.message.includes(problem), error.message);
        else assert.match(error.message, problem);
        // Pulumi prints the stack trace of an error that has one.
        assert.equal(error.stack, error.message);
        return true;
      });
    });
});

describe("All rules together", () => {
  const settings: Record<string, object> = {
    "daily-spend": { caps: { dev: { USD: 10 } } },
    "protected-in-stacks": { stacks: ["dev"] },
    "approved-landing-pages": { approved: ["shop.example.com"] },
    "approved-webhook-targets": { approved: ["hooks.example.com/team"] },
  };
  /** A stack that keeps all rules, but for what is changed. */
  function stack({ webhook = {}, campaign = {}, second = {}, protect = true } = {}): Resource[] {
    const props = { appId: "app-1", dailyBudgetMicros: 6, landingPage: "https://shop.example.com/spring", ...campaign };
    const targetUrl = "https://hooks.example.com/team/replies";
    return [
      { kind: "Webhook", props: { targetUrl, signed: true, ...webhook } },
      { kind: "AdCampaign", name: "spring", protect, props },
      { kind: "AdCampaign", name: "summer", protect, props: { ...props, dailyBudgetMicros: 4, ...second } },
      { kind: "TestFlow", protect, props: { definition: {} } },
    ];
  }
  /** The names of the rules that report something. */
  async function reporting(resources: Resource[]): Promise<string[]> {
    const names: string[] = [];
    for (const policy of workspaceAppsPolicies())
      if ((await said(policy, settings[policy.name] ?? {}, ...resources)).length > 0) names.push(policy.name);
    return names;
  }

  it("report nothing in a stack that keeps them", async () => {
    assert.deepEqual(await reporting(stack()), []);
  });

  for (const [rule, breaks] of Object.entries({
    "daily-spend": { second: { dailyBudgetMicros: 5 } },
    "protected-in-stacks": { protect: false },
    "approved-landing-pages": { campaign: { landingPage: "https://shop.example.com.example.net/" } },
    "approved-extra-fields": { second: { extraFields: { final_url: "https://shop.example.com/" } } },
    "approved-webhook-targets": { webhook: { targetUrl: "https://hooks.example.com/other" } },
    "signed-webhooks": { webhook: { signed: false } },
  }))
    it(`report only ${rule} where only that is broken`, async () => {
      assert.deepEqual(await reporting(stack(breaks)), [rule]);
    });
});
