import { type EnforcementLevel, type Policies, PolicyPack, type PolicyPackConfig } from "@pulumi/policy";
import { allRules, requireKnownSettings } from "./settings";

/**
 * Serves a policy pack with settings from its own code. Throws if they name a rule, a setting or an enforcement level that
 * does not exist. With the SDK's `PolicyPack`, a rule whose settings have no enforcement level would become a warning. The
 * SDK sends the missing level as 0, which means advisory.
 */
export function servePolicyPack(name: string, policies: Policies, settings: PolicyPackConfig = {}): void {
  requireKnownSettings(policies, settings);
  const served = policies.map((policy) =>
    levelOf(policy, settings) === "disabled" ? withoutRequired(policy) : policy,
  );
  new PolicyPack(name, { policies: served }, withLevels(policies, settings));
}

function withLevels(policies: Policies, settings: PolicyPackConfig): PolicyPackConfig {
  const known = new Map(policies.map((policy) => [policy.name, policy]));
  const withLevel = Object.entries(settings).map(([name, given]): [string, PolicyPackConfig[string]] => {
    const policy = known.get(name);
    const isComplete = typeof given === "string" || policy === undefined;
    return [name, isComplete ? given : { ...given, enforcementLevel: levelOf(policy, settings) }];
  });
  return Object.fromEntries(withLevel);
}

function levelOf({ name, enforcementLevel }: Policies[number], settings: PolicyPackConfig): EnforcementLevel {
  return givenLevel(settings[name]) ?? givenLevel(settings[allRules]) ?? enforcementLevel ?? "mandatory";
}

function givenLevel(given: PolicyPackConfig[string] | undefined): EnforcementLevel | undefined {
  return typeof given === "string" ? given : given?.enforcementLevel;
}

/** Pulumi asks for the required settings of a rule that is turned off, too. */
function withoutRequired<T extends Policies[number]>(policy: T): T {
  return policy.configSchema === undefined
    ? policy
    : { ...policy, configSchema: { ...policy.configSchema, required: [] } };
}
