import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { typePrefix } from "../../provider/pulumi/urn";
import { known } from "../../provider/review/hidden-values";
import type { Change } from "../../provider/review/kind-review";
import { isAdopted } from "./changes";

/*
 * What the launch intents in a plan say about campaigns. A campaign registers its intent before itself, so an intent in
 * state without its campaign is the trace of a command that may have launched it and was interrupted.
 */

export interface InterruptedLaunches {
  /** Campaigns that are not in state, and that `up` or destroy looks for because their intent leaves the stack. */
  readonly leaving: readonly Change[];
  /** Whether an earlier command may have launched the campaign that this change creates. */
  readonly mayRun: (change: Change) => boolean;
}

/** `unlisted`: how many unchanged resources the plan does not list. */
export function interruptedLaunches(
  changes: readonly Change[],
  companions: readonly Change[],
  unlisted: number,
): InterruptedLaunches {
  const intents = companions.filter(({ kind }) => kind === launchIntentLifecycle.kind);
  const leaving = intents.filter(({ action }) => action === "delete" || action === "replace");
  const written = new Set(intents.filter(({ action }) => action !== "delete").map(campaignUrn));
  const inState = new Set(intents.filter(({ action }) => action === "same" || action === "update").map(campaignUrn));
  // Pending replacements and objects that are gone leave nothing in hand.
  const campaigns = changes.filter(
    ({ action, isPendingReplacement }) => !["create", "gone"].includes(action) && !isPendingReplacement,
  );
  return {
    // A replacement may be listed with its parts.
    leaving: [...new Map(leaving.map((intent) => [known(intent.before["nonce"]) ?? intent, intent])).values()]
      .filter(({ before }) => known(before["campaignId"]) === undefined)
      .filter((intent) => !campaigns.some((campaign) => isOf(intent, campaign) && !isSpared(campaign, intent)))
      .map((intent): Change => ({
        ...intent,
        urn: campaignUrn(intent),
        kind: adCampaignLifecycle.kind,
        action: "delete",
        // Looked for like an unconfirmed launch.
        before: { ...intent.before, launchState: "unconfirmed" },
        after: {},
      })),
    mayRun: (change) =>
      change.kind === adCampaignLifecycle.kind &&
      (change.action === "create" || change.isPendingReplacement) &&
      !isAdopted(change) &&
      // A new campaign writes its intent. Where the plan does not list it, it is unchanged.
      (inState.has(change.urn) || (unlisted > 0 && !written.has(change.urn))),
  };
}

/**
 * Whether this campaign of the state was launched under this intent. A resource that was renamed with aliases may have taken
 * another intent. States of 0.1.0 do not say it.
 */
function isOf(intent: Change, { urn, before }: Change): boolean {
  const { intent: nonce } = before;
  return nonce === undefined ? urn === campaignUrn(intent) : known(nonce) === known(intent.before["nonce"]);
}

/** Whether Pulumi forgets the campaign and not its intent, which then looks for the campaign and ends it. */
function isSpared({ action, wasRetained }: Change, intent: Change): boolean {
  const leaves = action === "delete" || action === "replace";
  return leaves && wasRetained && !intent.wasRetained && intent.before["deletionPolicy"] !== "retain";
}

/** The campaign has the name and the parent of its intent. */
function campaignUrn({ urn }: Change): string {
  return urn.replace(typed(launchIntentLifecycle.kind), typed(adCampaignLifecycle.kind));
}

function typed(kind: string): string {
  return `${typePrefix}${kind}::`;
}
