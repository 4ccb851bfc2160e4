import type { Policies } from "@pulumi/policy";
import { typePrefix } from "../provider/pulumi/urn";
import { partsOfUrn } from "../provider/pulumi/urn";

/** A rule of this package's pack. */
export interface Rule {
  /** For Pulumi's own `PolicyPack`. */
  readonly policy: Policies[number];
  /** The arguments without which it cannot judge, by kind of resource. */
  readonly needs: Readonly<Partial<Record<Kind, readonly string[]>>>;
}

export type Kind = "AdCampaign" | "TestFlow" | "Webhook";

/** What the rules look at of a resource. */
export interface Declared {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Readonly<Record<string, unknown>>;
}

export function isKind({ type }: Declared, kind: Kind): boolean {
  return type === `${typePrefix}${kind}`;
}

/** Of a URN, because only Pulumi Cloud gives a pack the stack's name in its tags. */
export function stackOf({ urn }: Declared): string {
  return partsOfUrn(urn).stack;
}

/** Stands for every stack that is not named. */
export const anyStack = "*";

/** What is not known before the `up`. */
export const unknown = Symbol("unknown");

/** A property, where reading it plainly would throw: what the SDK does with a value that is unknown during preview. */
export function valueOf({ props }: Declared, property: string): unknown {
  try {
    return props[property];
  } catch {
    return unknown;
  }
}
