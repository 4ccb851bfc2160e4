import assert from "node:assert/strict";
import { parse } from "yaml";
import { z } from "zod";
import { type AnyLifecycle, companions, kinds, lookups } from "../../provider/registry";
import { isSecretSetting, settingKeys } from "../../provider/settings";
import { parseExample, python, yaml } from "../../tools/schema/examples";
import { schemaText } from "../../tools/schema/generate";
import type { ObjectSpec, PackageSpec, Properties } from "../../tools/schema/spec";

const lifecycles = Object.values(kinds);
const token = (name: string): string => `workspace-apps:index:${name}`;

describe("The package schema", () => {
  let text: string;
  let schema: PackageSpec;
  before(() => {
    text = schemaText();
    schema = JSON.parse(text) as PackageSpec;
  });

  const resource = (kind: string) => {
    const spec = schema.resources[token(kind)];
    assert.ok(spec?.properties && spec.required, `${kind} is missing`);
    return { ...spec, properties: spec.properties, required: spec.required };
  };
  const lookup = (name: string) => {
    const spec = schema.functions[token(name)];
    assert.ok(spec, `${name} is missing`);
    return spec;
  };

  it("names the kinds, companions and look-ups of the registry, and nothing else", () => {
    assert.deepEqual(Object.keys(schema.resources), [...Object.keys(kinds), ...Object.keys(companions)].map(token));
    assert.deepEqual(
      Object.keys(schema.functions),
      lookups.map(({ name }) => token(name)),
    );
  });

  it("describes every resource, look-up, type and property", () => {
    const undescribed = propertyLists(schema).flatMap(([owner, properties]) =>
      Object.entries(properties).flatMap(([name, { description }]) => (description === "" ? [`${owner}.${name}`] : [])),
    );
    assert.deepEqual(undescribed, []);
    for (const [name, { description }] of Object.entries({ ...schema.resources, ...schema.functions }))
      assert.match(description, /\w/, name);
    assert.doesNotMatch(text, /@link|@default|@internal/);
  });

  it("refers only to types that it has, and has none that nothing refers to", () => {
    const referred = new Set([...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, name = ""]) => name));
    assert.deepEqual([...referred].sort(), Object.keys(schema.types));
  });

  it("has the arguments of the lifecycles, and requires those that have no default", () => {
    for (const lifecycle of lifecycles) {
      const { inputProperties, requiredInputs } = resource(lifecycle.kind);
      assert.deepEqual(Object.keys(inputProperties).sort(), Object.keys(lifecycle.inputs.shape).sort(), lifecycle.kind);
      assert.deepEqual([...requiredInputs].sort(), requiredBy(lifecycle), lifecycle.kind);
    }
  });

  it("has the arguments of the look-ups", () => {
    for (const { name, args } of lookups) {
      const { properties, required = [] } = lookup(name).inputs;
      const json = z.toJSONSchema(args, { unrepresentable: "any", io: "input" });
      assert.deepEqual(Object.keys(properties).sort(), Object.keys(json.properties ?? {}).sort(), name);
      assert.deepEqual([...required].sort(), [...(json.required ?? [])].sort(), name);
    }
  });

  it("shows arguments and outputs as outputs, and the dynamic form as an alias", () => {
    for (const { kind, inputs, outputs } of [...lifecycles, companions.LaunchIntent]) {
      const { properties, aliases } = resource(kind);
      // Node's classes, which register the intent themselves, do not show its id.
      const args = Object.keys(inputs.shape).filter((name) => name !== "launchIntent");
      assert.deepEqual(Object.keys(properties).sort(), [...args, ...outputs].sort(), kind);
      assert.deepEqual(aliases, [{ type: `pulumi-nodejs:dynamic/workspace-apps:${kind}` }]);
    }
  });

  it("requires the outputs that are always there", () => {
    assert.deepEqual(resource("Webhook").required, [
      "agentId",
      "targetUrl",
      "events",
      "enabled",
      "webhookId",
      "hasSecret",
      "createdDate",
    ]);
    assert.deepEqual(lookup("explainRun").outputs.required, ["outcome"]);
  });

  it("marks secrets", () => {
    for (const { kind, outputs, secretOutputs = [] } of [...lifecycles, companions.LaunchIntent])
      assert.deepEqual(
        secretsOf(resource(kind).properties),
        outputs.filter((name) => secretOutputs.includes(name)),
        kind,
      );
    assert.deepEqual(secretsOf(resource("Webhook").properties), ["secret"]);
    assert.deepEqual(secretsOf(lookup("getConnectorFields").outputs.properties), ["connectionConfig"]);
    assert.deepEqual(secretsOf(schema.provider.inputProperties), settingKeys.filter(isSecretSetting));
    assert.deepEqual(secretsOf(schema.config.variables), ["accessToken", "apiKey"]);
  });

  it("has every setting in the configuration and in the Provider, which reads no environment", () => {
    assert.deepEqual(Object.keys(schema.config.variables), settingKeys);
    assert.deepEqual(Object.keys(schema.provider.inputProperties), settingKeys);
    assert.deepEqual(schema.provider.requiredInputs, ["baseUrl", "accessToken"]);
    assert.deepEqual(schema.config.variables["baseUrl"]?.defaultInfo, { environment: ["WORKSPACE_APPS_BASE_URL"] });
    assert.doesNotMatch(JSON.stringify(schema.provider), /defaultInfo|"default"/);
  });

  it("says what replaces a resource and what an argument is by default", () => {
    for (const { kind, replacedBy, inputs: declared } of lifecycles) {
      const inputs = Object.entries(resource(kind).inputProperties);
      const replacing = inputs.filter(([, spec]) => spec.willReplaceOnChanges).map(([name]) => name);
      assert.deepEqual(replacing.sort(), [...replacedBy].sort(), kind);
      const given = inputs.filter(([, spec]) => spec.default !== undefined).map(([name, spec]) => [name, spec.default]);
      const { properties = {} } = z.toJSONSchema(declared, { unrepresentable: "any", io: "input" });
      const filledIn = Object.entries(properties).flatMap(([name, type]) =>
        typeof type === "object" && type.default !== undefined ? [[name, type.default]] : [],
      );
      assert.deepEqual(Object.fromEntries(given), Object.fromEntries(filledIn), kind);
    }
  });

  it("has enumerations with the values that the lifecycles accept", () => {
    for (const { kind, inputs } of lifecycles) {
      const { properties = {} } = z.toJSONSchema(inputs, { unrepresentable: "any", io: "input" });
      const policy = properties["deletionPolicy"];
      if (typeof policy !== "object") continue;
      assert.deepEqual(valuesOf(schema, `${kind}DeletionPolicy`), policy.enum, kind);
    }
    assert.deepEqual(valuesOf(schema, "WebhookEvent"), ["message.created", "message.completed"]);
  });

  it("shows arguments of an enumeration as texts in outputs, which YAML passes on to the argument of another resource", () => {
    for (const { kind } of lifecycles) {
      const { properties, inputProperties } = resource(kind);
      const types = Object.keys(inputProperties).map((name) => properties[name]?.items ?? properties[name] ?? {});
      assert.doesNotMatch(JSON.stringify(types), /DeletionPolicy"|WebhookEvent"/, kind);
    }
  });

  it("keeps budgets out of 32-bit integers", () => {
    assert.equal(resource("AdCampaign").inputProperties["dailyBudgetMicros"]?.type, "number");
    assert.equal(lookup("getMembers").inputs.properties["pageSize"]?.type, "integer");
  });

  it("shows for every kind a YAML program whose arguments are valid", () => {
    for (const lifecycle of lifecycles) {
      const [, code = ""] = /```yaml\n([^`]*)```/.exec(resource(lifecycle.kind).description) ?? [];
      const declared = Object.values((parse(code) as YamlProgram).resources);
      const own = declared.find(({ type }) => type === token(lifecycle.kind));
      const { launchIntent: _, ...args } = own?.properties ?? {};
      const { error } = lifecycle.inputs.safeParse(withDerived(lifecycle, args));
      assert.equal(error, undefined, lifecycle.kind);
    }
  });

  it("lets programs in other languages declare the LaunchIntent of a campaign", () => {
    const { inputProperties, requiredInputs } = resource("LaunchIntent");
    const campaign = resource("AdCampaign");
    assert.deepEqual(Object.keys(inputProperties).sort(), Object.keys(companions.LaunchIntent.inputs.shape).sort());
    assert.deepEqual(requiredInputs, ["appId"]);
    assert.equal(campaign.inputProperties["launchIntent"]?.type, "string");
    assert.equal(campaign.properties["launchIntent"], undefined);
    for (const { description } of [campaign, resource("LaunchIntent")]) {
      assert.match(description, /```yaml[^`]*launchIntent: \$\{springIntent\.id\}/);
      assert.match(description, /```python[^`]*launch_intent=spring_intent\.id/);
    }
  });
});

interface YamlProgram {
  readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: Record<string, unknown> }>>;
}

describe("The examples of the package schema", () => {
  const example = parseExample(`
    const vat = new apps.EntityRecord("german-vat", {
        appId: "app-1",
        fields: { validFrom: "2026-01-01", tags: ["a", { b: 1, c: "d" }], isLocal: true }, // all fields
        budget: apps.micros(2.5),
    });
    export const recordId = vat.recordId;
  `);

  it("are translated to YAML", () => {
    assert.equal(
      yaml(example),
      [
        "```yaml",
        "resources:",
        "  germanVat:",
        "    type: workspace-apps:index:EntityRecord",
        "    properties:",
        '      appId: "app-1"',
        "      fields: # all fields",
        '        validFrom: "2026-01-01"',
        "        tags:",
        '          - "a"',
        "          - b: 1",
        '            c: "d"',
        "        isLocal: true",
        "      budget: 2500000",
        "outputs:",
        "  recordId: ${germanVat.recordId}",
        "```",
      ].join("\n"),
    );
  });

  it("are translated to Python", () => {
    assert.equal(
      python(example),
      [
        "```python",
        "import pulumi",
        "import pulumi_workspace_apps as apps",
        "",
        "vat = apps.EntityRecord(",
        '    "german-vat",',
        '    app_id="app-1",',
        "    fields={",
        '        "validFrom": "2026-01-01",',
        '        "tags": ["a", {"b": 1, "c": "d"}],',
        '        "isLocal": True,',
        "    },  # all fields",
        "    budget=2500000,",
        ")",
        'pulumi.export("recordId", vat.record_id)',
        "```",
      ].join("\n"),
    );
  });

  it("are refused when they are more than plain declarations", () => {
    assert.throws(() => parseExample("for (const app of ids) use(app);"), /cannot be translated: for/);
    assert.throws(() => parseExample('const a = new apps.TestFlow("a", { appId: other });'), /translated: other/);
  });
});

/** The arguments that a lifecycle requires and does not fill in itself. */
function requiredBy({ inputs, derived = {}, namedBy }: AnyLifecycle): string[] {
  const { required = [] } = z.toJSONSchema(inputs, { unrepresentable: "any", io: "input" });
  return required.filter((name) => !(name in derived) && name !== namedBy).sort();
}

function withDerived({ derived = {} }: AnyLifecycle, args: Record<string, unknown>): Record<string, unknown> {
  const computed = Object.entries(derived).map(([name, derive]): [string, unknown] => [
    name,
    derive?.(args, "project/stack/name", {}),
  ]);
  return { ...Object.fromEntries(computed), ...args };
}

function propertyLists({ config, provider, resources, functions, types }: PackageSpec): [string, Properties][] {
  const objects = Object.entries(types).filter((entry): entry is [string, ObjectSpec] => "properties" in entry[1]);
  return [
    ["config", config.variables],
    ["provider", provider.inputProperties],
    ...Object.entries(resources).flatMap(([name, { properties = {}, inputProperties }]): [string, Properties][] => [
      [name, properties],
      [name, inputProperties],
    ]),
    ...Object.entries(functions).flatMap(([name, { inputs, outputs }]): [string, Properties][] => [
      [name, inputs.properties],
      [name, outputs.properties],
    ]),
    ...objects.map(([name, { properties }]): [string, Properties] => [name, properties]),
  ];
}

function secretsOf(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, { secret }]) => (secret ? [name] : []));
}

function valuesOf({ types }: PackageSpec, name: string): string[] {
  const type = types[token(name)];
  assert.ok(type && "enum" in type, `${name} is not an enumeration`);
  return type.enum.map(({ value }) => value);
}
