import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();
const appId = "app-shop";

// Every field is sent unchanged: the service does not document what a test consists of.
const checkout = new apps.TestFlow("checkout", {
  appId,
  definition: {
    name: "Checkout",
    steps: ["Put a mug into the cart", "Pay with the test card", "Expect a receipt"],
  },
});

// Looked at and found to be harmless. Destroy makes them count again.
const harmless = {
  "sample-key": "9f2c4a7d", // the payment provider's public test key
  "open-catalogue": "41be07aa", // products are public on purpose
};
for (const [name, fingerprint] of Object.entries(harmless)) new apps.IgnoredFinding(name, { appId, fingerprint });

// The goals stay in the advertising account permanently. Another `trackingRun` creates what is missing by then.
const tracking = new apps.ConversionTracking("tracking", {
  appId,
  wireEvents: true,
  rerun: config.get("trackingRun"),
});

// Launched once for this text. Every change of it launches another session.
const session = new apps.CodingSession("alt-texts", {
  appId,
  title: "Add alternative texts",
  prompt: config.get("task") ?? "Give every product image an alternative text, and test that none is empty.",
  expectedRepositoryFullName: "example/app", // refuses to work on any other
});

export const flowId = checkout.flowId;
export const trackingPrompt = tracking.composerPrompt;
export const trackingSkipped = tracking.skippedReason.apply((reason) => reason ?? false);
export const sessionId = session.sessionId;
