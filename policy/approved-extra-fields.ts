import { isKind, type Rule, unknown, valueOf } from "./rule";

interface Settings {
  approved?: string[];
}

/**
 * `extraFields` reach the service as they are: another budget or another address could stand in them, past the rules for
 * the arguments.
 */
export function approvedExtraFields(): Rule {
  return {
    needs: { AdCampaign: ["extraFields"] },
    policy: {
      name: "approved-extra-fields",
      description: "Campaigns have approved extra fields only.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          approved: {
            type: "array",
            items: { type: "string", minLength: 1 },
            description:
              "The names of fields that may stand in extraFields; none unless given. Their values are not judged.",
          },
        },
      },
      validateResource: (resource, report) => {
        if (!isKind(resource, "AdCampaign")) return;
        const { approved = [] } = resource.getConfig<Settings>();
        const fields = valueOf(resource, "extraFields");
        if (fields === unknown) return;
        const others = Object.keys(fields ?? {}).filter((name) => !approved.includes(name));
        if (others.length > 0)
          report(
            `extraFields of AdCampaign "${resource.name}" hold ${others.join(", ")}, which no rule can judge. Leave them out, or have their names added to "approved" of approved-extra-fields in the policy's configuration.`,
          );
      },
    },
  };
}
