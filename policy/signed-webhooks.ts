import { checked, isKind, type Rule, valueOf } from "./rule";

/** Without a signature, anyone who knows the target URL can send forged events to it. */
export function signedWebhooks(): Rule {
  return {
    needs: { Webhook: ["signed"] },
    policy: checked({
      name: "signed-webhooks",
      description: "Webhooks are signed.",
      enforcementLevel: "mandatory",
      configSchema: { properties: {} },
      validateResource: (resource, report) => {
        if (!isKind(resource, "Webhook")) return;
        const signed = valueOf(resource, "signed");
        // If `signed` is left out, the webhook may be unsigned.
        if (signed === false || signed === undefined)
          report(`Webhook "${resource.name}" is not declared as signed. Set signed: true.`);
      },
    }),
  };
}
