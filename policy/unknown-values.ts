import type { ResourceValidationPolicy } from "@pulumi/policy";
import { checked, isKind, type PolicyKind, type Rule, unknownValue, valueOf } from "./rule";

/**
 * Reports which rule could not check which value. It is a policy of its own, so that a team can make it mandatory and
 * refuse plans that cannot be checked completely. During `up`, every value is known before its resource is created.
 */
export function unknownValues(rules: readonly Rule[]): ResourceValidationPolicy {
  return checked({
    name: "unknown-values",
    description: "A rule cannot check a value that is not known during preview.",
    enforcementLevel: "advisory",
    configSchema: { properties: {} },
    validateResource: (resource, report) => {
      for (const { policy, needs } of rules)
        for (const [kind, properties] of Object.entries(needs) as [PolicyKind, readonly string[]][])
          for (const property of isKind(resource, kind) ? properties : [])
            if (valueOf(resource, property) === unknownValue)
              report(
                `${property} of ${kind} "${resource.name}" is not known yet, so ${policy.name} did not check it. The \`pulumi up\` checks it before the object is created, and may refuse it then. To check it now, set a constant value in the program.`,
              );
    },
  });
}
