import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { mayBeUnconfirmed } from "./kinds/ad-campaign";
import { urnOfKind } from "../../provider/pulumi/urn";
import { known } from "./hidden-values";
import type { Change } from "./kind-review";

/*
 * A campaign belongs to the launch intent whose key its `launchIntent` is. An intent without a campaign in the state is the
 * trace of a command that may have launched one and was interrupted.
 */

/** The campaigns that `up` or destroy looks for: their intent is removed, and no campaign of its key is in the state. */
export function interruptedLaunches(changes: readonly Change[], companions: readonly Change[]): readonly Change[] {
  return companions
    .filter(({ kind, action }) => kind === launchIntentLifecycle.kind && (action === "delete" || action === "replace"))
    .filter((intent) => !intent.wasRetained && !changes.some((campaign) => settles(campaign, intent)))
    .map((intent) => ({
      ...intent,
      urn: campaignUrn(intent.urn),
      kind: adCampaignLifecycle.kind,
      action: "delete",
      // Looked for like an unconfirmed launch.
      before: { ...intent.before, launchState: "unconfirmed" },
      after: {},
    }));
}

/** Whether the provider sees in this command what became of the campaign of an intent, so that the intent does nothing. */
function settles(campaign: Change, intent: Change): boolean {
  const { action, before, after, isPendingReplacement, wasRetained } = campaign;
  if (!isOf(campaign, intent) || isPendingReplacement) return false;
  switch (action) {
    case "delete":
    case "replace":
      return !wasRetained;
    case "update":
      return !mayBeUnconfirmed(before);
    case "same":
      // With `--target`, one that is left out keeps the key, and the provider does not see it.
      return known(after["launchIntent"]) === undefined;
    case "create":
    case "gone":
      return false;
  }
}

/** Where the plan hides the key, the campaign has the name and the parent of its intent. */
function isOf({ kind, urnBefore, before }: Change, intent: Change): boolean {
  if (kind !== adCampaignLifecycle.kind || before["launchIntent"] === undefined) return false;
  const [own, key] = [known(before["launchIntent"]), known(intent.before["key"])];
  return own === undefined || key === undefined ? urnBefore === campaignUrn(intent.urnBefore) : own === key;
}

function campaignUrn(urn: string): string {
  return urnOfKind(urn, adCampaignLifecycle.kind);
}
