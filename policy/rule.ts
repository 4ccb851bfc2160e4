import type { Policies } from "@pulumi/policy";
import { partsOfUrn, typePrefix } from "../provider/pulumi/urn";

/** A rule of the policy pack. */
export interface Rule {
  /** For Pulumi's own `PolicyPack`. */
  readonly policy: Policies[number];
  /** The arguments that the rule needs to know, by kind of resource. */
  readonly needs: Readonly<Partial<Record<PolicyKind, readonly string[]>>>;
}

/** The kinds that rules are about. Not taken from the registry, which would bring its types to every user of a pack. */
export type PolicyKind = "AdCampaign" | "TestFlow" | "Webhook";

/** What the rules read of a resource. */
export interface PolicyResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Readonly<Record<string, unknown>>;
}

export function isKind({ type }: PolicyResource, kind: PolicyKind): boolean {
  return type === `${typePrefix}${kind}`;
}

/** From the URN, because only Pulumi Cloud gives the stack's name in the tags. */
export function stackOf({ urn }: PolicyResource): string {
  return partsOfUrn(urn).stack;
}

/** Stands for every stack that is not named in the settings. */
export const anyStack = "*";

/** A value that is not known during preview. */
export const unknownValue = Symbol("unknown value");

/** The value of a property. The SDK throws if it is read and not known during preview. */
export function valueOf({ props }: PolicyResource, property: string): unknown {
  try {
    return props[property];
  } catch {
    return unknownValue;
  }
}
