import type { ResourceValidationPolicy } from "@pulumi/policy";
import { isKind, type Kind, type Rule, unknown, valueOf } from "./rule";

/**
 * Says which rule could not judge what. A policy of its own, so that a team can make it mandatory: then a plan that
 * cannot be judged is refused. During `up` every value is known when its resource is judged, before it is made.
 */
export function unknownValues(rules: readonly Rule[]): ResourceValidationPolicy {
  return {
    name: "unknown-values",
    description: "A rule cannot judge a value that is not known during preview.",
    enforcementLevel: "advisory",
    validateResource: (resource, report) => {
      for (const { policy, needs } of rules)
        for (const [kind, properties] of Object.entries(needs) as [Kind, readonly string[]][])
          for (const property of isKind(resource, kind) ? properties : [])
            if (valueOf(resource, property) === unknown)
              report(
                `${property} of ${kind} "${resource.name}" is not known yet, so ${policy.name} did not judge it. The \`up\` judges it before the object is made, and may refuse it then. Give the value itself in the program to have it judged now.`,
              );
    },
  };
}
