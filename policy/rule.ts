import type { Policies, ResourceValidation, ResourceValidationPolicy } from "@pulumi/policy";
import { kindOfType, partsOfUrn } from "../provider/pulumi/urn";
import { settingProblems } from "./settings";

/** A rule of the policy pack. */
export interface Rule {
  /** For Pulumi's own `PolicyPack`. */
  readonly policy: Policies[number];
  /** The arguments that the rule needs to know, by kind of resource. */
  readonly needs: Readonly<Partial<Record<PolicyKind, readonly string[]>>>;
}

/** The kinds that rules are about. Not taken from the registry, which would bring its types to every user of a pack. */
export type PolicyKind = "AdCampaign" | "TestFlow" | "Webhook";

/** The parts of a resource that the rules read. */
export interface PolicyResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/**
 * A policy that skips what `--target` and `--exclude` leave out, and checks its own settings, because Pulumi does not say
 * which of them are unknown.
 */
export function checked<T extends ResourceValidationPolicy & { validateResource: ResourceValidation }>(policy: T): T {
  return {
    ...policy,
    validateResource: (resource, report) => {
      if (isStack(resource)) for (const problem of settingProblems(policy, resource.getConfig())) report(problem);
      if (isLeftOut(resource)) return undefined;
      return policy.validateResource(resource, report);
    },
  };
}

/** The root of every stack, which Pulumi checks before all else. */
function isStack({ type }: PolicyResource): boolean {
  return type === "pulumi:pulumi:Stack";
}

/**
 * Whether `--target` or `--exclude` leaves out a new resource. Pulumi passes it without any argument. All others have
 * some: every kind requires one, and an unchanged resource comes with the arguments in state.
 */
function isLeftOut({ props }: PolicyResource): boolean {
  return Object.keys(props).length === 0;
}

export function isKind({ type }: PolicyResource, kind: PolicyKind): boolean {
  return kindOfType(type) === kind;
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
