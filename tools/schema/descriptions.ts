import { type AnyLifecycle, companions } from "../../provider/registry";
import {
  type Declared,
  type Example,
  exampleSection,
  parseExample,
  python,
  Reference,
  splitExample,
  typescript,
  yaml,
} from "./examples";
import { tokenOf } from "./spec";

/* The descriptions of resources and look-ups, from the doc comments of their classes and functions. */

export function lookupDescription(doc: string): string {
  const { prose, example } = splitExample(doc);
  return paragraphs(prose, exampleSection([typescript(example)]));
}

export function resourceDescription(doc: string, lifecycle: AnyLifecycle): string {
  const { prose, example } = splitExample(doc);
  const parsed = parseExample(example);
  const section = exampleSection([typescript(example), yaml(parsed), python(parsed)]);
  return paragraphs(prose, section, ...importSection(lifecycle));
}

export function campaignDescription(doc: string, lifecycle: AnyLifecycle): string {
  const { prose, example } = splitExample(doc);
  const parsed = withLaunchIntent(parseExample(example));
  const section = exampleSection([typescript(example), yaml(parsed), python(parsed)]);
  return paragraphs(
    prose,
    "**In YAML, Python, Go, .NET and Java the program declares the `LaunchIntent` itself**, with the same `appId` and `deletionPolicy`, and gives its id as `launchIntent`. Only the TypeScript and JavaScript classes register it themselves. A campaign that is adopted by a known `campaignId` needs none.",
    section,
    ...importSection(lifecycle),
  );
}

/** The example comes from the campaign. */
export function intentDescription(docOfCampaign: string): string {
  const parsed = withLaunchIntent(parseExample(splitExample(docOfCampaign).example));
  return paragraphs(
    "Holds the key of a launch: 7 hexadecimal digits in the name of each campaign that is launched under it. Pulumi forgets a resource whose creation was interrupted. The next command finds the intent in the state, looks for the campaign of its key in the app's list, and uses it. If the campaign is no longer declared, the command deletes or pauses it by the `deletionPolicy`.",
    "Declare one for each `AdCampaign` that launches, with the same `appId` and `deletionPolicy`, and give its id to the campaign as `launchIntent`. A campaign that is adopted by a known `campaignId` needs none. The TypeScript and JavaScript classes of `pulumi-workspace-apps/packaged` register it themselves.",
    "Creating it reads the campaign list. Removing it from the stack reads the list again, unless its campaign was in the state.",
    exampleSection([yaml(parsed), python(parsed)]),
  );
}

/** The example of a campaign as languages write it whose classes do not register the intent. */
function withLaunchIntent({ resources, outputs }: Example): Example {
  const inputs = Object.keys(companions.LaunchIntent.inputs.shape);
  const both = ({ args, ...campaign }: Declared): Declared[] => {
    const intent: Declared = {
      kind: companions.LaunchIntent.kind,
      variable: `${campaign.variable}Intent`,
      name: `${campaign.name}-intent`,
      args: args.filter(({ name }) => inputs.includes(name)),
    };
    return [intent, { ...campaign, args: [...args, { name: "launchIntent", value: new Reference(intent, "id") }] }];
  };
  return { resources: resources.flatMap(both), outputs };
}

function importSection({ kind, importing }: AnyLifecycle): string[] {
  if (importing === undefined) return [];
  const id = importing.id.join("/");
  return ["## Import", `The id is \`${id}\`.`, `\`\`\`sh\npulumi import ${tokenOf(kind)} name ${id}\n\`\`\``];
}

function paragraphs(...texts: readonly string[]): string {
  return texts.join("\n\n");
}
