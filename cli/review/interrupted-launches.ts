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
  const campaigns = new Map(changes.filter(({ action }) => action !== "create").map((change) => [change.urn, change]));
  // A resource that was renamed with aliases may have taken another intent.
  const managed = new Set<unknown>([...campaigns.values()].flatMap(({ before }) => known(before["intent"]) ?? []));
  return {
    // A replacement may be listed with its parts.
    leaving: [...new Map(leaving.map((intent) => [intent.before["nonce"], intent])).values()]
      .filter(({ before }) => known(before["campaignId"]) === undefined)
      .filter(
        (intent) => !isOf(intent, campaigns.get(campaignUrn(intent))) && !managed.has(known(intent.before["nonce"])),
      )
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
      change.action === "create" &&
      !isAdopted(change) &&
      // A new campaign writes its intent. Where the plan does not list it, it is unchanged.
      (inState.has(change.urn) || (unlisted > 0 && !written.has(change.urn))),
  };
}

/** Whether this campaign of the state was launched under this intent. States of 0.1.0 do not say it. */
function isOf({ before }: Change, campaign: Change | undefined): boolean {
  if (campaign === undefined) return false;
  const nonce = known(campaign.before["intent"]);
  return nonce === undefined || nonce === known(before["nonce"]);
}

/** The campaign has the name and the parent of its intent. */
function campaignUrn({ urn }: Change): string {
  return urn.replace(typed(launchIntentLifecycle.kind), typed(adCampaignLifecycle.kind));
}

function typed(kind: string): string {
  return `${typePrefix}${kind}::`;
}
