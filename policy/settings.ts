import type { EnforcementLevel, Policies, PolicyPackConfig } from "@pulumi/policy";
import { didYouMean } from "../provider/did-you-mean";
import { programError } from "../provider/pulumi/sdk";

type Policy = Pick<Policies[number], "name" | "configSchema">;

/** `remediate` acts as `mandatory` for rules that cannot repair a resource. */
const levels: readonly EnforcementLevel[] = ["advisory", "mandatory", "remediate", "disabled"];
const levelKey = "enforcementLevel";

/** Stands for all rules, with a level and no settings. */
export const allRules = "all";

/** Throws if the settings of a pack name a rule, a setting or a level that does not exist: it would have no effect. */
export function requireKnownSettings(policies: readonly Policy[], settings: PolicyPackConfig): void {
  const known = [...policies, { name: allRules, configSchema: { properties: {} } }];
  const problems = Object.entries(settings).flatMap(([name, given]: [string, unknown]) => {
    const policy = known.find((one) => one.name === name);
    if (policy === undefined)
      return [
        `Unknown rule "${name}". ${suggestion(
          name,
          known.map((one) => one.name),
        )}`,
      ];
    return problemsOf(policy, given);
  });
  if (problems.length > 0)
    throw programError(
      "WA2030",
      ["The settings of the policy pack are wrong.", ...problems.map((one) => `  - ${one}`)].join("\n"),
    );
}

function problemsOf(policy: Policy, given: unknown): string[] {
  if (typeof given === "string") return levelProblems(policy, given);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return [`The settings of ${policy.name} must be an object, or an enforcement level: ${quoted(levels)}.`];
  const { [levelKey]: level, ...properties } = given as Record<string, unknown>;
  return [...(level === undefined ? [] : levelProblems(policy, level)), ...unknownSettings(policy, properties)];
}

function levelProblems({ name }: Policy, level: unknown): string[] {
  if ((levels as readonly unknown[]).includes(level)) return [];
  return [
    `Unknown enforcement level ${JSON.stringify(level)} of ${name}. Use one of ${quoted(levels)}. "disabled" turns the rule off, and "advisory" makes it a warning.`,
  ];
}

/** The problems of the settings that a rule received, wherever they come from. */
export function settingProblems(policy: Policy, given: object): string[] {
  const missing = (policy.configSchema?.required ?? []).filter((name) => !(name in given));
  return [
    ...unknownSettings(policy, given),
    ...missing.map((name) => `The setting "${name}" of ${policy.name} is missing.`),
  ];
}

/** A policy without a schema accepts any setting. */
function unknownSettings({ name, configSchema }: Policy, given: object): string[] {
  if (configSchema === undefined) return [];
  const known = Object.keys(configSchema.properties);
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  return unknown.map((key) => `Unknown setting "${key}" of ${name}. ${suggestion(key, known)}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const nearest = didYouMean(name, known);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  return known.length === 0 ? "Remove it: there are none." : `Remove it, or use one of ${quoted(known)}.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
