import type { Deployment } from "../../engine/lifecycle";
import { Refusal } from "../../service/errors";
import { claim } from "../ownership";
import { byId, differing, isRemoved, type Listed, listedValues, type Rewritten } from "./listing";
import { campaignsOf, unreadable } from "./reads";
import { claimOf, type Confirmed, type Inputs, seen } from "./state";

/** Takes over an existing campaign. It cannot be changed in place, so what is declared must be what it is. */
export async function adopt(inputs: Inputs, campaignId: string, deployment: Deployment): Promise<Confirmed> {
  const { appId } = inputs;
  const object = claimOf({ ...inputs, campaignId });
  claim(deployment, object);
  if (deployment.claims.isGivenUp(object))
    throw new Refusal(
      `The ${object} cannot be adopted: this command has just deleted or paused it for another resource.`,
    );
  const rows = await campaignsOf(appId, deployment, "fresh").catch((error: unknown) => {
    throw new Refusal(`Campaign ${campaignId} cannot be adopted: ${unreadable(error, deployment)}`);
  });
  const campaign = byId(rows, campaignId);
  if (campaign === undefined || isRemoved(campaign)) throw new Refusal(notThere(appId, campaignId, rows));
  const differs = differing(campaign, inputs);
  if (differs.length > 0)
    throw new Refusal(
      `Campaign ${campaignId} of app ${appId} differs in ${differs.join(", ")} from what is declared, and a campaign cannot be changed in place: declare its own values (${listedOnes(campaign, differs)}). Nothing was changed.`,
    );
  return seen(inputs, campaign, { origin: "adopted" }, deployment.service);
}

function listedOnes(campaign: Listed, names: readonly (keyof Rewritten)[]): string {
  const listed = listedValues(campaign);
  return names.map((name) => `${name}: ${JSON.stringify(listed[name])}`).join(", ");
}

function notThere(appId: string, campaignId: string, rows: readonly Listed[]): string {
  const meant = rows.find((row) => row.platform_campaign_id === campaignId);
  if (meant !== undefined) return `${campaignId} is the ad platform's id: declare campaignId "${meant.id}" instead.`;
  const why = byId(rows, campaignId) === undefined ? "is not in the list" : "was removed, which is permanent";
  return `Campaign ${campaignId} of app ${appId} cannot be adopted: it ${why}. Check campaignId and appId.`;
}
