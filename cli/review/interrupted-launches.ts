import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { urnOfKind } from "../../provider/pulumi/urn";
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
  const written = new Set(intents.filter(({ action }) => action !== "delete").map(campaignUrn));
  const inState = new Set(intents.filter(({ action }) => action === "same" || action === "update").map(campaignUrn));
  return {
    // A replacement may be listed with its parts.
    leaving: [...new Map(leavingIntents(companions).map((intent) => [nonceOf(intent) ?? intent, intent])).values()]
      .filter((intent) => !changes.some((campaign) => isAccountedFor(intent, campaign)))
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

/** The changes, where a campaign that Pulumi only forgets is ended by its intent, which leaves without being forgotten. */
export function withEndingIntents(changes: readonly Change[], companions: readonly Change[]): readonly Change[] {
  const ending = leavingIntents(companions).filter(
    ({ wasRetained, before }) => !wasRetained && before["deletionPolicy"] !== "retain",
  );
  return changes.map((change) => {
    const isForgotten = (change.action === "delete" || change.action === "replace") && change.wasRetained;
    const intent = isForgotten ? ending.find((one) => isOf(one, change)) : undefined;
    if (intent === undefined) return change;
    // By its own policy.
    const { deletionPolicy = "delete" } = intent.before;
    return { ...change, wasRetained: false, before: { ...change.before, deletionPolicy } };
  });
}

/** Intents that end a campaign if they find one. With a `campaignId`, they do nothing. */
function leavingIntents(companions: readonly Change[]): readonly Change[] {
  return companions
    .filter(({ kind, action }) => kind === launchIntentLifecycle.kind && (action === "delete" || action === "replace"))
    .filter(({ before }) => known(before["campaignId"]) === undefined);
}

/** Whether the plan shows what becomes of the campaign of an intent. It does not for one that is gone or was replaced. */
function isAccountedFor(intent: Change, campaign: Change): boolean {
  const isListed = !["create", "gone"].includes(campaign.action) && !campaign.isPendingReplacement;
  // Beside a leaving intent, a campaign is unchanged if it is declared by its id. Otherwise --target leaves it out, and the
  // intent does not know that it is in state.
  const isUntargeted = campaign.action === "same" && known(campaign.after["campaignId"]) === undefined;
  return isListed && !isUntargeted && isOf(intent, campaign);
}

/**
 * Whether this campaign of the state was launched under this intent. A resource that was renamed with aliases may have taken
 * another intent. States of 0.1.0 do not have the nonce, and it may be hidden. An adopted one was launched under none.
 */
function isOf(intent: Change, { kind, urnBefore, before }: Change): boolean {
  if (kind !== adCampaignLifecycle.kind) return false;
  const [own, nonce] = [known(before["intent"]), nonceOf(intent)];
  if (own === undefined && known(before["origin"]) === "adopted") return false;
  return own === undefined || nonce === undefined
    ? urnBefore === campaignUrn({ urn: intent.urnBefore })
    : own === nonce;
}

function nonceOf({ before }: Change): unknown {
  return known(before["nonce"]);
}

/** The campaign has the form, the name and the parent of its intent. */
function campaignUrn({ urn }: { readonly urn: string }): string {
  return urnOfKind(urn, adCampaignLifecycle.kind);
}
