import * as pulumi from "@pulumi/pulumi";
import { launchIntentLifecycle } from "../resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../resources/ad-campaign/lifecycle";
import { isLater } from "./sdk";
import { registration } from "./registration";
import { shortTraces } from "./traces";
import { type Form, kindOfType, partsOfUrn, urnOfKind } from "./urn";

/** Programs in TypeScript and JavaScript do not construct it: a campaign that launches does. */
class LaunchIntent extends pulumi.CustomResource {
  constructor(form: Form, name: string, args: object, options: pulumi.CustomResourceOptions) {
    const registered = registration(form, launchIntentLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}

/**
 * Registers the launch intent of a campaign before it, and returns the arguments and options with which the campaign depends
 * on it. An adopted campaign has one too. If the intent came and went with `campaignId`, commands and processes that do not
 * see the campaign would delete both.
 */
export function withLaunchIntent<Args extends object>(
  form: Form,
  name: string,
  args: Args,
  options: pulumi.CustomResourceOptions = {},
): [args: Args & { launchIntent?: pulumi.Output<string> }, options: pulumi.CustomResourceOptions] {
  // A JavaScript program may pass none, which `check` reports.
  const { appId, deletionPolicy, campaignId, campaignName } = (args as Record<string, unknown> | null) ?? {};
  if (options.id !== undefined || options.import !== undefined) return [args, options];
  // Pulumi does not call this package for what it retains, so that the policy must say the same.
  const policy = options.retainOnDelete === true ? "retain" : deletionPolicy;
  // An adopted campaign is retained by default. An id that is an output must not make the intent wait for it.
  const ofIntent = policy ?? (typeof campaignId === "string" ? "retain" : undefined);
  const intent = new LaunchIntent(form, name, { appId, deletionPolicy: ofIntent }, intentOptions(options));
  // An explicit dependency: then the engine refuses `--target` of a campaign without its new intent.
  const dependent = pulumi.mergeOptions(options, { dependsOn: [intent] });
  // A name that is an output may be a secret, and the launched name repeats it.
  const additionalSecretOutputs = isLater(campaignName) ? ["launchedName"] : [];
  return [
    { ...args, deletionPolicy: policy, launchIntent: intent.id },
    pulumi.mergeOptions(dependent, { additionalSecretOutputs } as pulumi.CustomResourceOptions),
  ];
}

/** The options that say where a resource lives and how it is kept hold for both. */
const sharedOptions: readonly string[] = [
  "parent",
  "provider",
  "protect",
  "retainOnDelete",
  "version",
  "pluginDownloadURL",
  "transforms",
  "transformations",
];

function intentOptions(options: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const { aliases = [], ignoreChanges = [] } = options;
  const names = Object.keys(launchIntentLifecycle.inputs.shape);
  return {
    ...(Object.fromEntries(
      Object.entries(options).filter(([name, value]) => sharedOptions.includes(name) && value !== undefined),
    ) as pulumi.CustomResourceOptions),
    aliases: aliases.map(intentAlias),
    ignoreChanges: ignoreChanges
      .flatMap((path) => (path === "*" ? names : [path]))
      .filter((path) => names.includes(path)),
  };
}

/** The aliases of a campaign are those of its intent too: renaming a campaign moves both. */
function intentAlias(alias: pulumi.Input<string | pulumi.Alias>): pulumi.Input<string | pulumi.Alias> {
  return isLater(alias)
    ? pulumi.output(alias as pulumi.Input<string>).apply((urn) => withIntentType(urn) as string)
    : withIntentType(alias as string | pulumi.Alias);
}

function withIntentType(alias: string | pulumi.Alias): string | pulumi.Alias {
  const { kind } = launchIntentLifecycle;
  const type = typeof alias === "string" ? partsOfUrn(alias).type : alias.type;
  if (typeof type !== "string" || kindOfType(type) !== adCampaignLifecycle.kind) return alias;
  if (typeof alias === "string") return urnOfKind(alias, kind);
  return { ...alias, type: type.slice(0, -adCampaignLifecycle.kind.length) + kind };
}
