import { launchIntentLifecycle, linkedOutputs } from "../../provider/resources/ad-campaign/intent";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import type { Properties } from "./host";
import type { Declaration, Program } from "./schedule";
import { keyOf } from "./witness";

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
  /** Intents that were replaced and not deleted yet. */
  readonly replacedIntents: { name: string; intent: Resource }[] = [];
  /** What the program was before each of its changes. */
  readonly history: Declaration[][] = [];
  isLocked = false;
  /** The errors of the last command that was not a preview. */
  lastErrors: readonly string[] = [];
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

  /** Whether the state has the intent under which the campaign was launched. */
  intends(campaign: string, launchedAt: number): boolean {
    const all = [...this.intents.values(), ...this.replacedIntents.map(({ intent }) => intent)];
    return all.some(
      ({ outputs }) =>
        outputs["campaignId"] === undefined &&
        keyIn(outputs) === campaign &&
        Date.parse(String(outputs["writtenAt"])) <= launchedAt,
    );
  }

  /** The unconfirmed launches in the state, by declared campaign: when each was sent, and its resource. */
  unconfirmed(): Map<string, { at: number; resource: string }> {
    return new Map(
      [...this.state].flatMap(([resource, { outputs, isPendingReplacement }]) =>
        outputs["launchState"] === "unconfirmed" && !isPendingReplacement
          ? [[keyIn(outputs), { at: Date.parse(String(outputs["launchAttemptedAt"])), resource }]]
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
