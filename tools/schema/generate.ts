import ts from "typescript";
import { z } from "zod";
import manifest from "../../package.json";
import { type AnyLifecycle, type AnyLookup, companions, kinds, lookups } from "../../provider/registry";
import { defaultsOf } from "../../provider/resources/shared/lifecycle";
import { configNamespace, environmentName, isSecretSetting, type SettingKey } from "../../provider/settings";
import { Declarations, docOf, type Member } from "./declarations";
import { campaignDescription, intentDescription, lookupDescription, resourceDescription } from "./descriptions";
import { languages } from "./languages";
import {
  type FunctionSpec,
  type ObjectSpec,
  type PackageSpec,
  type Properties,
  type PropertySpec,
  type ResourceSpec,
  tokenOf,
} from "./spec";
import { capitalized, Types } from "./types";

/** The path of the committed schema. The plugin serves it. */
export const schemaFile = "plugin/schema.json";

/** The text that the committed schema must have. */
export function schemaText(): string {
  return `${JSON.stringify(packageSchema(), undefined, 2)}\n`;
}

export function packageSchema(): PackageSpec {
  return new Generator().schema();
}

/** Only in the schema: the classes of the Node package register the intent of a campaign themselves. */
const launchIntent: PropertySpec = {
  type: "string",
  description:
    "The id of the LaunchIntent of this campaign, with the same appId and deletionPolicy. Not needed with a known campaignId.",
};

/** An intent has the types of its campaign's arguments, and says what they mean for it. */
const intentArguments: Readonly<Record<string, string>> = {
  appId:
    "The id of the app in which the campaign is launched, as the campaign has it. A change keeps the key: the intent remembers every app.",
  deletionPolicy:
    "Campaigns of the key may not be in the state. This policy decides whether to `delete` them permanently, to `pause` them, or to `retain` them, so that they continue to spend. It must be the campaign's policy. If it is left out, it is `delete`.",
};

/** An argument of a resource. */
interface Argument extends Member {
  readonly spec: PropertySpec;
  readonly isRequired: boolean;
}

class Generator {
  private readonly declarations = new Declarations("provider/index.ts", "provider/pulumi/provider-arguments.ts");
  private readonly types = new Types(this.declarations);

  /**
   * Without a version, which would outdate the committed file at every release. The plugin adds its own when it answers
   * `GetSchema`, and that is where SDK generation gets it from.
   */
  schema(): PackageSpec {
    const settings = this.settings();
    const resources = { ...this.kinds(), ...this.companions() };
    const functions = lookups.map((lookup) => [tokenOf(lookup.name), this.lookup(lookup)] as const);
    return {
      name: configNamespace,
      displayName: "Workspace Apps",
      description: manifest.description,
      keywords: [...manifest.keywords.filter((keyword) => keyword !== "dynamic-provider"), "kind/native"],
      license: manifest.license,
      language: languages,
      config: { variables: withEnvironment(settings.properties) },
      provider: {
        description:
          "The settings of one workspace. As the option `provider` of resources and look-ups it manages another workspace in the same program. Omitted settings have their defaults. The stack's configuration and the environment are not read, so that no token reaches another workspace.",
        inputProperties: settings.properties,
        requiredInputs: settings.required ?? [],
      },
      resources,
      functions: Object.fromEntries(functions),
      types: this.types.all(),
    };
  }

  private settings(): ObjectSpec {
    const node = this.declarations.find(
      "provider/pulumi/provider-arguments.ts",
      "ProviderArgs",
      ts.isInterfaceDeclaration,
    );
    const { properties, ...rest } = this.types.object(this.declarations.membersOf(node), "Provider");
    return { ...rest, properties: withSecrets(properties, (name) => isSecretSetting(name as SettingKey)) };
  }

  private kinds(): Record<string, ResourceSpec> {
    const all = Object.values(kinds);
    return Object.fromEntries(all.map((lifecycle) => [tokenOf(lifecycle.kind), this.kind(lifecycle)]));
  }

  private kind(lifecycle: AnyLifecycle): ResourceSpec {
    const node = this.class(lifecycle.kind);
    const args = this.arguments(lifecycle.kind, lifecycle);
    const spec = this.resource(lifecycle, args, this.declarations.membersOf(node));
    if (lifecycle.kind !== "AdCampaign")
      return { description: resourceDescription(docOf(node).text, lifecycle), ...spec };
    return {
      description: campaignDescription(docOf(node).text, lifecycle),
      ...spec,
      inputProperties: { ...spec.inputProperties, launchIntent },
    };
  }

  private class(kind: string): ts.ClassDeclaration {
    return this.declarations.find(fileOf(kind), kind, ts.isClassDeclaration);
  }

  /** The arguments of a launch intent are arguments of its campaign too. */
  private companions(): Record<string, ResourceSpec> {
    const { LaunchIntent: lifecycle } = companions;
    const campaign = this.arguments("AdCampaign", lifecycle);
    const state = this.declarations.find(
      "provider/resources/ad-campaign/intent.ts",
      "State",
      ts.isInterfaceDeclaration,
    );
    const args = Object.keys(lifecycle.inputs.shape).map((name): Argument => {
      const argument = campaign.find((each) => each.name === name);
      const doc = intentArguments[name];
      if (argument === undefined || doc === undefined) throw new Error(`LaunchIntent.${name} has no description`);
      return { ...argument, doc: { text: doc }, spec: { ...argument.spec, description: doc } };
    });
    const spec = this.resource(lifecycle, args, [...args, ...this.declarations.membersOf(state)]);
    const description = intentDescription(docOf(this.class("AdCampaign")).text);
    return { [tokenOf(lifecycle.kind)]: { description, ...spec } };
  }

  /** The arguments that the interface of a kind declares, for a lifecycle that has them all or some of them. */
  private arguments(kind: string, lifecycle: AnyLifecycle): Argument[] {
    const node = this.declarations.find(fileOf(kind), `${kind}Args`, ts.isInterfaceDeclaration);
    const defaults = defaultsOf(lifecycle);
    return this.declarations.membersOf(node).map((member) => {
      const value = defaults[member.name];
      const spec: PropertySpec = {
        ...this.types.property(member, kind),
        ...(typeof value === "boolean" || typeof value === "number" || typeof value === "string"
          ? { default: value }
          : {}),
        ...(lifecycle.replacedBy.includes(member.name) ? { willReplaceOnChanges: true as const } : {}),
      };
      return { ...member, spec, isRequired: !this.types.mayBeUndefined(member) };
    });
  }

  private resource(
    { kind, inputs, outputs, secretOutputs = [] }: AnyLifecycle,
    args: readonly Argument[],
    members: readonly Member[],
  ): Omit<ResourceSpec, "description"> {
    const shown = [...args.map(({ name }) => name), ...outputs].map((name) => {
      const member = members.find((each) => each.name === name);
      if (member === undefined) throw new Error(`${kind} does not declare its output ${name}`);
      return member;
    });
    const properties = shown.map((member): [string, PropertySpec] => {
      const argument = args.find(({ name }) => name === member.name);
      const spec =
        argument === undefined
          ? this.types.property(member, kind)
          : this.types.withoutEnumerations(outputOf(argument, member));
      return [member.name, spec];
    });
    return {
      properties: withSecrets(Object.fromEntries(properties), (name) => secretOutputs.includes(name)),
      required: shown.filter((member) => !this.types.mayBeUndefined(member)).map(({ name }) => name),
      inputProperties: withIntegers(Object.fromEntries(args.map(({ name, spec }) => [name, spec])), inputs),
      requiredInputs: args.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      aliases: [{ type: `pulumi-nodejs:dynamic/${configNamespace}:${kind}` }],
    };
  }

  private lookup({ name, args, secretResults = [] }: AnyLookup): FunctionSpec {
    const node = this.declarations.lookup(name);
    const [parameter] = node.parameters;
    const result = node.type && ts.isTypeReferenceNode(node.type) ? node.type.typeArguments?.[0] : undefined;
    if (parameter?.type === undefined || result === undefined) throw new Error(`${name} does not declare its types`);
    const owner = capitalized(name);
    const inputs = this.types.object(this.declarations.membersOf(parameter.type), owner);
    const outputs = this.types.object(this.declarations.membersOf(result), owner);
    return {
      description: lookupDescription(docOf(node).text),
      inputs: { ...inputs, properties: withIntegers(inputs.properties, args) },
      outputs: { ...outputs, properties: withSecrets(outputs.properties, (key) => secretResults.includes(key)) },
    };
  }
}

function fileOf(kind: string): string {
  return `provider/resources/${kind.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase()}/index.ts`;
}

/** An argument as an output, with what the class says about it, if anything. */
function outputOf({ doc, spec }: Argument, declared: Member): PropertySpec {
  const { default: _, willReplaceOnChanges: __, ...output } = spec;
  return declared.doc.text === "" || declared.doc === doc ? output : { ...output, description: declared.doc.text };
}

/**
 * Integers of a schema have 32 bits in .NET and Java, which ends at 2147 in micros of a currency. So only whole
 * numbers that their bounds keep below that are integers, and all others are numbers, which hold every whole number up
 * to 2^53. Results have no bounds.
 */
function withIntegers(properties: Properties, args: z.ZodType): Properties {
  const { properties: json = {} } = z.toJSONSchema(args, { unrepresentable: "any", io: "input" });
  const isSmall = (name: string): boolean => {
    const bounds = json[name];
    return typeof bounds === "object" && bounds.type === "integer" && (bounds.maximum ?? Infinity) < 2 ** 31;
  };
  return changed(properties, (name, spec) => (isSmall(name) ? { ...spec, type: "integer" } : spec));
}

/** Not for the arguments of a Provider: an SDK would read a variable of another workspace. */
function withEnvironment(properties: Properties): Properties {
  return changed(properties, (name, spec) => ({
    ...spec,
    defaultInfo: { environment: [environmentName(name as SettingKey)] },
  }));
}

function withSecrets(properties: Properties, isSecret: (name: string) => boolean): Properties {
  return changed(properties, (name, spec) => (isSecret(name) ? { ...spec, secret: true } : spec));
}

function changed(properties: Properties, change: (name: string, spec: PropertySpec) => PropertySpec): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, change(name, spec)]));
}
