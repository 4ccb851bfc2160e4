import { ownProvider } from "../harness/own-provider";

/** A value of an argument: plain, secret, or known only after the change of another resource. */
export type Value =
  { is: "plain"; value: unknown } | { is: "secret"; value: unknown } | { is: "later"; value: unknown; of: string };

export type Kind = keyof typeof idOutputs;

/** One resource of a program. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly options: Options;
}

/** Resource options. Other resources are referred to by their names. */
export interface Options {
  readonly aliases?: readonly string[];
  readonly dependsOn?: string;
  readonly deletedWith?: string;
  readonly retainOnDelete?: boolean;
  readonly protect?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  /** The name of a component. */
  readonly parent?: string;
  /** The name of a provider of its own. */
  readonly provider?: string;
}

/** The outputs that are not known while their resource is created or changed. */
const idOutputs = {
  AdCampaign: "campaignId",
  Webhook: "webhookId",
  TestFlow: "flowId",
  EntityRecord: "recordId",
  CodingSession: "sessionId",
  ConversionTracking: "conversionId",
  FolderMembership: "id",
  IgnoredFinding: "id",
  // A resource of another package, which is deleted before it is replaced.
  Foreign: "value",
};

const componentType = "tested:index:Group";

/** The program never changes. It declares what a JSON file next to it lists. */
export const program = `
  const apps = require("pulumi-workspace-apps");
  const pulumi = require("@pulumi/pulumi");
  const idOutputs = ${JSON.stringify(idOutputs)};
  const foreign = {
    async create(inputs) { return { id: "foreign", outs: inputs }; },
    async diff(_, { value }, news) { return value === news.value ? {} : { replaces: ["value"], deleteBeforeReplace: true }; },
  };
  class Foreign extends pulumi.dynamic.Resource {
    constructor(name, args, options) { super(foreign, name, args, options); }
  }
  const components = new Map();
  const made = new Map();
  const componentOf = (name) => {
    if (!components.has(name)) components.set(name, new pulumi.ComponentResource("${componentType}", name));
    return components.get(name);
  };
  const providers = new Map();
  const providerOf = (name) => {
    if (!providers.has(name)) providers.set(name, ${ownProvider("name")});
    return providers.get(name);
  };
  const valueOf = ({ is, value, of }) => {
    if (is === "plain") return value;
    if (is === "secret") return pulumi.secret(value);
    const { kind, resource } = made.get(of);
    return resource[idOutputs[kind]].apply(() => value);
  };
  for (const { kind, name, args, options } of require("./declared.json")) {
    const { aliases, dependsOn, deletedWith, parent, provider, ...others } = options;
    const resource = new (kind === "Foreign" ? Foreign : apps[kind])(
      name,
      Object.fromEntries(Object.entries(args).map(([key, value]) => [key, valueOf(value)])),
      {
        ...others,
        ...(aliases && { aliases: aliases.map((alias) => ({ name: alias })) }),
        ...(dependsOn && { dependsOn: [made.get(dependsOn).resource] }),
        ...(deletedWith && { deletedWith: made.get(deletedWith).resource }),
        ...(parent && { parent: componentOf(parent) }),
        ...(provider && { provider: providerOf(provider) }),
      },
    );
    made.set(name, { kind, resource });
  }
`;

/** Without references to resources that are not declared before, which a program cannot have. */
export function runnable(declared: readonly Declared[]): Declared[] {
  const names = new Set<string>();
  return declared.map((one) => {
    const isKnown = (name: string | undefined): boolean => name === undefined || names.has(name);
    const { dependsOn, deletedWith, ...options } = one.options;
    const args = Object.entries(one.args).map(([key, value]): [string, Value] =>
      value.is === "later" && !isKnown(value.of) ? [key, { is: "plain", value: value.value }] : [key, value],
    );
    names.add(one.name);
    return {
      ...one,
      args: Object.fromEntries(args),
      options: {
        ...options,
        ...(dependsOn !== undefined && isKnown(dependsOn) ? { dependsOn } : {}),
        ...(deletedWith !== undefined && isKnown(deletedWith) ? { deletedWith } : {}),
      },
    };
  });
}
