import { anyStack, isKind, type Kind, type Rule, stackOf } from "./rule";

/** Deleting one of these cannot be undone. */
const permanent: readonly Kind[] = ["AdCampaign", "TestFlow"];

interface Settings {
  stacks: string[];
}

/** `protect: true` makes the engine refuse to delete or replace a resource until somebody takes it away. */
export function protectedInStacks(): Rule {
  return {
    needs: {},
    policy: {
      name: "protected-in-stacks",
      description: "Campaigns and tests are protected in these stacks.",
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
        const kind = permanent.find((one) => isKind(resource, one));
        if (kind === undefined || resource.opts.protect) return;
        const { stacks } = resource.getConfig<Settings>();
        const stack = stackOf(resource);
        if (stacks.includes(stack) || stacks.includes(anyStack))
          report(
            `${kind} "${resource.name}" is not protected, and stack ${stack} asks for it, because deleting it is permanent. Give it the option { protect: true }.`,
          );
      },
    },
  };
}
