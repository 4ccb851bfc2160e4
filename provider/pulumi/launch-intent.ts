import * as pulumi from "@pulumi/pulumi";
import { launchIntentLifecycle, linkedOutputs } from "../resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../resources/ad-campaign/lifecycle";
import type { Form } from "./form";
import { isLater } from "./later";
import { registration } from "./registration";
import { shortTraces } from "./traces";
import { kindOfType, partsOfUrn, urnOfKind } from "./urn";

/** Step 0 of docs/launch-safety.md. Programs do not construct it: a campaign that launches does. */
class LaunchIntent extends pulumi.CustomResource {
  constructor(form: Form, name: string, args: object, options: pulumi.CustomResourceOptions) {
    const registered = registration(form, launchIntentLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}

/**
 * Registers the launch intent of a campaign, and returns what the campaign gets of it. A campaign that is adopted by a
 * known id has none.
 */
export function linkToIntent(
  form: Form,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: pulumi.CustomResourceOptions = {},
): Record<string, unknown> | undefined {
  const isRead = options.id !== undefined || options.import !== undefined;
  if (typeof args["campaignId"] === "string" || isRead) return undefined;
  const names = Object.keys(launchIntentLifecycle.inputs.shape);
  const intent = new LaunchIntent(
    form,
    name,
    {
      ...Object.fromEntries(names.map((key) => [key, args[key]])),
      deletionPolicy: options.retainOnDelete === true ? "retain" : args["deletionPolicy"],
    },
    intentOptions(options, names),
  );
  const outputs = intent as unknown as Record<string, unknown>;
  return Object.fromEntries(linkedOutputs.map((key) => [key, outputs[key]]));
}

/** The options that say where a resource lives hold for both. The others are about the campaign. */
function intentOptions(options: pulumi.CustomResourceOptions, names: readonly string[]): pulumi.CustomResourceOptions {
  const { parent, provider, aliases = [], ignoreChanges = [], transforms, transformations, retainOnDelete } = options;
  return {
    ...(parent === undefined ? {} : { parent }),
    ...(provider === undefined ? {} : { provider }),
    ...(transforms === undefined ? {} : { transforms }),
    ...(transformations === undefined ? {} : { transformations }),
    // Said of the campaign, it is the intent's policy. Said of a parent, Pulumi lets both go without a call.
    ...(retainOnDelete === undefined ? {} : { retainOnDelete: false }),
    aliases: aliases.map(intentAlias),
    ignoreChanges: ignoreChanges
      .flatMap((path) => (path === "*" ? names : [path]))
      .filter((path) => names.includes(path.replace(/[.[].*/, "")))
      // Pulumi retains the campaign, so the intent must learn it: it would find the campaign, and delete it.
      .filter((path) => path !== "deletionPolicy" || retainOnDelete !== true),
    // A parent's protection would keep it in the stack after its campaign.
    protect: false,
  };
}

/** The aliases of a campaign are those of its intent too: renaming a campaign moves both. */
function intentAlias(alias: pulumi.Input<string | pulumi.Alias>): pulumi.Input<string | pulumi.Alias> {
  return isLater(alias)
    ? pulumi.output(alias as pulumi.Input<string>).apply(withIntentType)
    : withIntentType(alias as string | pulumi.Alias);
}

function withIntentType(alias: string): string;
function withIntentType(alias: string | pulumi.Alias): string | pulumi.Alias;
function withIntentType(alias: string | pulumi.Alias): string | pulumi.Alias {
  if (typeof alias !== "string")
    return isOfCampaign(alias.type) ? { ...alias, type: intentTypeFor(alias.type) } : alias;
  return isOfCampaign(partsOfUrn(alias).type) ? urnOfKind(alias, launchIntentLifecycle.kind) : alias;
}

function isOfCampaign(type: unknown): type is string {
  return typeof type === "string" && kindOfType(type) === adCampaignLifecycle.kind;
}

function intentTypeFor(campaignType: string): string {
  return campaignType.slice(0, -adCampaignLifecycle.kind.length) + launchIntentLifecycle.kind;
}
