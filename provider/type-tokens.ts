import { configNamespace } from "./settings";

/** How the type token of every resource of this package begins; its kind follows: `Webhook`, `AdCampaign`, …. */
export const typePrefix = `pulumi-nodejs:dynamic/${configNamespace}:`;
