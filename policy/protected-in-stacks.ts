import { anyStack, checked, isKind, type PolicyKind, type Rule, stackOf } from "./rule";

/** Their deletion cannot be undone. */
const protectedKinds: readonly PolicyKind[] = ["AdCampaign", "TestFlow"];

interface Settings {
  stacks: string[];
}

/** With `protect: true`, Pulumi refuses to delete or replace a resource until the option is removed. */
export function protectedInStacks(): Rule {
  return {
    needs: {},
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
        },
        required: ["stacks"],
      },
      validateResource: (resource, report) => {
        const kind = protectedKinds.find((one) => isKind(resource, one));
        if (kind === undefined || resource.opts.protect) return;
        const { stacks } = resource.getConfig<Settings>();
        const stack = stackOf(resource);
        if (stacks.includes(stack) || stacks.includes(anyStack))
          report(
            `${kind} "${resource.name}" is not protected. Stack ${stack} requires protection, because deleting it is permanent. Add the option { protect: true }.`,
          );
      },
    }),
  };
}
