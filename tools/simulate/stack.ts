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
  /** By the resource's name. */
  readonly state = new Map<string, Resource>();
  isLocked = false;
  /** The errors of the last command that was not a preview. */
  lastErrors: readonly string[] = [];
  /** The state may be wrong in a way that only a refresh can find. */
  hasDrifted = false;

  constructor(
    readonly number: number,
    readonly program: Program,
  ) {}

  /** The campaigns in the state, by the service's id. */
  managed(): Set<string> {
    return new Set([...this.state.values()].flatMap((resource) => campaignIdOf(resource) ?? []));
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

/** What the program gives the engine for a resource. */
export function inputsOf({ resource, ...declared }: Declaration): Properties {
  const given = Object.entries(declared).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    campaignType: "SMART",
    landingPage: "https://shop.example.com/",
    [placeKey]: resource,
    __provider: "exports.handler=…",
  };
}
