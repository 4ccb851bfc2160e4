import type { ResourceValidationArgs } from "@pulumi/policy";
import { anyStack, checked, isKind, type Rule, stackOf, unknownValue, valueOf } from "./rule";

/** The kinds whose deletion cannot be undone, with the policies under which a destroy keeps the object. */
const keepingPolicies = { AdCampaign: ["retain", "pause"], TestFlow: ["retain"] } as const;
type ProtectedKind = keyof typeof keepingPolicies;
const protectedKinds = Object.keys(keepingPolicies) as ProtectedKind[];

/** The requirements that the rule can have, in the words of its message. */
const protections = {
  protect: "protection",
  "protect-or-policy": "protection or a deletionPolicy that keeps it",
  "protect-and-policy": "protection and a deletionPolicy that keeps it",
} as const;

interface Settings {
  stacks: string[];
  protection?: keyof typeof protections;
}

/**
 * With `protect: true`, Pulumi refuses to delete or replace a resource until the option is removed. The command option
 * `--ignore-protect` bypasses that, but not a `deletionPolicy`, which the rule can accept instead or require as well.
 */
export function protectedInStacks(): Rule {
  return {
    needs: { AdCampaign: ["deletionPolicy"], TestFlow: ["deletionPolicy"] },
    policy: checked({
      name: "protected-in-stacks",
      description: "Campaigns and tests in these stacks are protected.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          stacks: {
            type: "array",
            items: { type: "string", minLength: 1 },
            description: `The names of the stacks; "${anyStack}" for all.`,
          },
          protection: {
            type: "string",
            enum: Object.keys(protections),
            description:
              "Whether to require the option protect (the default), a deletionPolicy that keeps the object, either, or both. --ignore-protect bypasses only the option.",
          },
        },
        required: ["stacks"],
      },
      validateResource: (resource, report) => {
        const kind = protectedKinds.find((one) => isKind(resource, one));
        if (kind === undefined) return;
        const { stacks, protection = "protect" } = resource.getConfig<Settings>();
        const stack = stackOf(resource);
        if (!stacks.includes(stack) && !stacks.includes(anyStack)) return;
        const isEither = protection === "protect-or-policy";
        const missing = [
          ...withoutProtect(resource),
          ...(protection === "protect" ? [] : withoutPolicy(resource, kind)),
        ];
        if (missing.length < (isEither ? 2 : 1)) return;
        const problems = missing.map(({ problem }) => problem).join(" and ");
        const fixes = missing.map(({ fix }) => fix).join(isEither ? ", or " : ", and ");
        report(
          `${kind} "${resource.name}" ${problems}. Stack ${stack} requires ${protections[protection]}, because deleting it is permanent. Declare ${fixes}.`,
        );
      },
    }),
  };
}

/** The missing protection, and how to declare it. */
interface Missing {
  readonly problem: string;
  readonly fix: string;
}

function withoutProtect({ opts }: ResourceValidationArgs): Missing[] {
  return opts.protect ? [] : [{ problem: "is not protected", fix: "the option { protect: true }" }];
}

/** The policy must be declared: a rule does not see whether the object was adopted, and so what the default is. */
function withoutPolicy(resource: ResourceValidationArgs, kind: ProtectedKind): Missing[] {
  const policies: readonly unknown[] = keepingPolicies[kind];
  const policy = valueOf(resource, "deletionPolicy");
  if (policy === unknownValue || policies.includes(policy)) return [];
  const fix = `deletionPolicy: ${policies.map((one) => JSON.stringify(one)).join(" or ")}`;
  return [{ problem: "declares no deletionPolicy that keeps it", fix }];
}
