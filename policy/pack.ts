import { type Policies, PolicyPack, type PolicyPackConfig } from "@pulumi/policy";

/**
 * Serves a policy pack with settings from its own code. With the SDK's `PolicyPack`, settings of a rule without an
 * enforcement level would turn the rule into a warning: the SDK sends the missing level as 0, which means advisory.
 */
export function servePolicyPack(name: string, policies: Policies, settings: PolicyPackConfig = {}): void {
  new PolicyPack(name, { policies }, withLevels(policies, settings));
}

function withLevels(policies: Policies, settings: PolicyPackConfig): PolicyPackConfig {
  const levels = new Map(policies.map(({ name, enforcementLevel = "mandatory" }) => [name, enforcementLevel]));
  const withLevel = Object.entries(settings).map(([name, given]): [string, PolicyPackConfig[string]] => {
    const level = levels.get(name);
    return [name, typeof given === "string" || level === undefined ? given : { enforcementLevel: level, ...given }];
  });
  return Object.fromEntries(withLevel);
}
