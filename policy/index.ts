import type { Policies } from "@pulumi/policy";
import { approvedExtraFields } from "./approved-extra-fields";
import { approvedLandingPages, approvedWebhookTargets } from "./approved-urls";
import { dailySpend } from "./daily-spend";
import { protectedInStacks } from "./protected-in-stacks";
import type { Rule } from "./rule";
import { signedWebhooks } from "./signed-webhooks";
import { unknownValues } from "./unknown-values";

export { approvedExtraFields } from "./approved-extra-fields";
export { approvedLandingPages, approvedWebhookTargets } from "./approved-urls";
export { dailySpend } from "./daily-spend";
export { servePolicyPack } from "./pack";
export { protectedInStacks } from "./protected-in-stacks";
export type { Rule } from "./rule";
export { signedWebhooks } from "./signed-webhooks";

/**
 * The rules for a policy pack (default: all), and a warning for every value that they cannot check before the `up`. Each
 * rule is mandatory and reads its settings from the pack's configuration, under its name.
 *
 * ```ts
 * import { servePolicyPack, workspaceAppsPolicies } from "pulumi-workspace-apps/policy";
 *
 * servePolicyPack("workspace-apps", workspaceAppsPolicies(), {
 *   "daily-spend": { caps: { "*": { USD: 5_000_000 } } },
 *   …
 * });
 * ```
 */
export function workspaceAppsPolicies(rules: readonly Rule[] = allRules()): Policies {
  return [...rules.map(({ policy }) => policy), unknownValues(rules)];
}

function allRules(): Rule[] {
  return [
    dailySpend(),
    protectedInStacks(),
    approvedLandingPages(),
    approvedExtraFields(),
    approvedWebhookTargets(),
    signedWebhooks(),
  ];
}
