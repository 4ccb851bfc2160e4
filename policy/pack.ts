import { type Policies, PolicyPack, type PolicyPackConfig } from "@pulumi/policy";

/**
 * Serves a pack with settings that stand in its own code. Given to `PolicyPack` as they are, settings of a rule that do
 * not repeat its enforcement level would turn it into a mere warning: the level left out is sent as 0, which is advisory.
 */
export function servePolicyPack(name: string, policies: Policies, settings: PolicyPackConfig = {}): void {
  new PolicyPack(name, { policies }, withLevels(policies, settings));
}

function withLevels(policies: Policies, settings: PolicyPackConfig): PolicyPackConfig {
  const levels = new Map(policies.map(({ name, enforcementLevel = "mandatory" }) => [name, enforcementLevel]));
  const leveled = Object.entries(settings).map(([name, given]): [string, PolicyPackConfig[string]] => {
    const level = levels.get(name);
    return [name, typeof given === "string" || level === undefined ? given : { enforcementLevel: level, ...given }];
  });
  return Object.fromEntries(leveled);
}
