import { launchIntentLifecycle, linkedOutputs } from "../../provider/resources/ad-campaign/intent";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import type { Properties } from "./host";
import type { Declaration, Program } from "./schedule";
import { keyOf } from "./witness";

/** The service's clock is known to the second. */
const wholeSecond = 1_000;

/** A resource as the state keeps it. */
export interface Resource {
  id: string;
  inputs: Properties;
  outputs: Properties;
  /** Its last step ended in an initialization failure. */
  isUninitialized: boolean;
  /** Deleted by a replacement that has not created the new one yet. */
  isPendingReplacement: boolean;
}

/** A stack: its program and its state. */
export class Stack {
  /** The campaigns in the state, by the name of the resource. */
  readonly state = new Map<string, Resource>();
  /** Their launch intents, by the same name. */
  readonly intents = new Map<string, Resource>();
  /** When each intent was written, by its id: the time in its outputs may be that of a machine which is behind. */
  readonly writtenAt = new Map<string, number>();
  /** Intents that were replaced and not deleted yet, with the id of the one that replaced each. */
  readonly replacedIntents: { name: string; intent: Resource; by: string }[] = [];
  /** What the program was before each of its changes. */
  readonly history: Declaration[][] = [];
  isLocked = false;
  /** The errors of the last command that was not a preview. */
  lastErrors: readonly string[] = [];
  /** The ids of the launch intents that this command dealt with. None if it was killed. */
  dealtWith: ReadonlySet<string> = new Set();
  /** The state may be wrong in a way that only a refresh can find. */
  hasDrifted = false;

  constructor(
    readonly number: number,
    readonly program: Program,
  ) {}

  /** The name under which the state has a resource, which `aliases` may have changed. */
  nameOf({ resource, alias }: Declaration): string {
    const has = (name: string): boolean => this.state.has(name) || this.intents.has(name);
    const isFree = this.program.campaigns.every((other) => other.resource !== alias);
    return alias !== undefined && !has(resource) && has(alias) && isFree ? alias : resource;
  }

  /** The campaigns in the state, by the service's id. */
  managed(): Set<string> {
    return new Set([...this.state.values()].flatMap((resource) => campaignIdOf(resource) ?? []));
  }

  /** The intent in the state under which the campaign was launched: the last one that was written before. */
  intentOf(campaign: string, launchedAt: number): Resource | undefined {
    const all = [...this.replacedIntents.map(({ intent }) => intent), ...this.intents.values()];
    const writtenAt = ({ id }: Resource): number => this.writtenAt.get(id) ?? Infinity;
    return all
      .filter(({ outputs }) => outputs["campaignId"] === undefined && keyIn(outputs) === campaign)
      .filter((intent) => writtenAt(intent) <= launchedAt)
      .sort((one, other) => writtenAt(one) - writtenAt(other))
      .at(-1);
  }

  /** The intent of a resource, and those that it replaced. */
  withReplaced(name: string): Resource[] {
    const found = [this.intents.get(name)].flatMap((intent) => intent ?? []);
    for (const { intent, by } of this.replacedIntents.toReversed())
      if (found.some(({ id }) => id === by)) found.push(intent);
    return found;
  }

  /** The unconfirmed launches in the state, by declared campaign: when each was sent at the latest, and its resource. */
  unconfirmed(): Map<string, { at: number; resource: string }> {
    return new Map(
      [...this.state].flatMap(([resource, { outputs, isPendingReplacement }]) =>
        outputs["launchState"] === "unconfirmed" && !isPendingReplacement
          ? [[keyIn(outputs), { at: Date.parse(String(outputs["launchServiceTime"])) + wholeSecond, resource }]]
          : [],
      ),
    );
  }
}

export function campaignIdOf({ outputs, isPendingReplacement }: Resource): string | undefined {
  return isPendingReplacement ? undefined : (outputs["campaignId"] as string | undefined);
}

/** What destroy does with it. */
export function deletionPolicyOf({ outputs }: Resource): unknown {
  return outputs["deletionPolicy"] ?? (outputs["origin"] === "adopted" ? "retain" : "delete");
}

/** The declared campaign of inputs or outputs. */
export function keyIn({ appId, campaignName }: Properties): string {
  return keyOf(String(appId), String(campaignName));
}

/** What the program gives the engine for the launch intent of a resource. */
export function intentInputsOf(declared: Declaration): Properties {
  const names: readonly string[] = Object.keys(launchIntentLifecycle.inputs.shape);
  const inputs = Object.entries(inputsOf(declared));
  return Object.fromEntries(inputs.filter(([name]) => names.includes(name) || name === "__provider"));
}

/** What a campaign gets of its intent. */
export function linkTo(intent: Resource): Properties {
  return Object.fromEntries(linkedOutputs.map((name) => [name, intent.outputs[name]]));
}

/** What the program gives the engine for a resource. */
export function inputsOf({ resource, alias: _, ...declared }: Declaration): Properties {
  const given = Object.entries(declared).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    campaignType: "SMART",
    landingPage: "https://shop.example.com/",
    [placeKey]: resource,
    __provider: "exports.handler=…",
  };
}
