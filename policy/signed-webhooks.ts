import { isKind, type Rule, valueOf } from "./rule";

/** Whoever knows the target's address could otherwise send it events of their own. */
export function signedWebhooks(): Rule {
  return {
    needs: { Webhook: ["signed"] },
    policy: {
      name: "signed-webhooks",
      description: "Webhooks are signed.",
      enforcementLevel: "mandatory",
      validateResource: (resource, report) => {
        if (!isKind(resource, "Webhook")) return;
        const signed = valueOf(resource, "signed");
        // Left out, signing is left as it is: nothing says that it is on.
        if (signed === false || signed === undefined)
          report(`Webhook "${resource.name}" does not say that its deliveries are signed. Declare signed: true.`);
      },
    },
  };
}
