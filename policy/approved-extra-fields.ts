import { checked, isKind, type Rule, unknownValue, valueOf } from "./rule";

interface Settings {
  approved?: string[];
}

/** `extraFields` are sent unchanged, so they could contain a budget or a URL that the other rules do not check. */
export function approvedExtraFields(): Rule {
  return {
    needs: { AdCampaign: ["extraFields"] },
    policy: checked({
      name: "approved-extra-fields",
      description: "Campaigns have only approved extra fields.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          approved: {
            type: "array",
            items: { type: "string", minLength: 1 },
            description:
              "The names of the fields that extraFields may contain. None by default. Their values are not checked.",
          },
        },
      },
      validateResource: (resource, report) => {
        if (!isKind(resource, "AdCampaign")) return;
        const { approved = [] } = resource.getConfig<Settings>();
        const fields = valueOf(resource, "extraFields");
        if (fields === unknownValue) return;
        const unapproved = Object.keys(fields ?? {}).filter((name) => !approved.includes(name));
        if (unapproved.length > 0)
          report(
            `extraFields of AdCampaign "${resource.name}" contains ${unapproved.join(", ")}, which no rule can check. Remove them, or add their names to "approved" of approved-extra-fields in the policy's configuration.`,
          );
      },
    }),
  };
}
