import { isRemoved, type ListedCampaign } from "../../service/campaigns";
import { ProviderError } from "../../service/errors";
import { hidden } from "../shared/adoption";
import type { Deployment } from "../shared/deployment";
import type { Imported } from "../shared/lifecycle";
import { type Confirmed, type Identified, identifiedName, type Inputs, replacing, toStateFromList } from "./campaign";
import {
  declarableValues,
  differingValues,
  findById,
  isPaused,
  type ListedValues,
  listedValues,
  readCampaigns,
  unreadableList,
} from "./campaign-list";
import { keyIn } from "./campaign-name";

/**
 * Adopts an existing campaign by its id. Adoption reads the list and changes nothing. Nobody knows whose pause it shows, so
 * a campaign that is listed and declared as paused is paused afterwards.
 */
export async function adopt(inputs: Inputs, campaignId: string, deployment: Deployment): Promise<Confirmed> {
  const campaign = await findAdoptable(inputs, campaignId, deployment);
  return toStateFromList(inputs, campaign, { origin: "adopted", pausedBy: "service" }, deployment.service);
}

/** The campaign to import, with the values that the list shows. The others may be declared later. */
export async function readImported(
  { appId, campaignId }: Identified,
  deployment: Deployment,
): Promise<Imported<Inputs, Confirmed>> {
  const campaign = await findLive({ appId, campaignId }, deployment);
  const shown = listedValues(campaign);
  const isShown = (key: keyof Inputs): boolean =>
    key === "appId" || key === "campaignId" || shown[key as keyof ListedValues] !== undefined;
  // The caller refuses where a required argument is missing.
  const inputs = { appId, campaignId, ...declarableValues(campaign) } as Inputs;
  const kept = { origin: "adopted", pausedBy: "service" } as const;
  const state = toStateFromList(inputs, campaign, kept, deployment.service);
  return { state, leftOut: replacing.filter((key) => !isShown(key)) };
}

/** The campaign to adopt, which must be what is declared. */
export async function findAdoptable(
  inputs: Inputs,
  campaignId: string,
  deployment: Deployment,
): Promise<ListedCampaign> {
  const { appId } = inputs;
  const campaign = await findLive({ appId, campaignId }, deployment);
  requireOfNoOther(campaign, inputs, deployment);
  const differing = differingValues(campaign, inputs);
  const isOtherwise = inputs.paused !== undefined && inputs.paused !== isPaused(campaign);
  if (differing.length > 0 || isOtherwise)
    throw new ProviderError({
      code: "WA1302",
      what: `The ${identifiedName({ appId, campaignId })} was not adopted: it differs in ${[...differing, ...(isOtherwise ? ["paused"] : [])].join(", ")} from what is declared. Nothing was changed.`,
      known: isOtherwise ? [`Its status is ${campaign.status}.`] : [],
      next: [
        ...(differing.length > 0 ? [`${declareOwn}: ${ownValues(campaign, differing)}.`] : []),
        ...(isOtherwise ? ["Leave paused out until the campaign is adopted, then declare it."] : []),
      ],
    });
  return campaign;
}

const declareOwn = "Declare its own values, because a campaign cannot be changed in place";

/** A campaign of another resource's key stays that resource's: its intent would delete or pause it one day. */
function requireOfNoOther(campaign: ListedCampaign, { appId, launchIntent }: Inputs, { launches }: Deployment): void {
  const key = keyIn(campaign.campaign_name);
  if (key === undefined || key === launchIntent || launches.of(key).intent === undefined) return;
  throw new ProviderError({
    code: "WA1236",
    what: `The ${identifiedName({ appId, campaignId: campaign.id })} was not adopted: its name has the key of the LaunchIntent ${key}, which is in the program.`,
    known: ["The resource of that intent deletes or pauses every other campaign of its key by its deletionPolicy."],
    next: [
      "To keep this campaign: give its campaignId to the resource of that intent.",
      "To keep the other one: remove this resource. Without its campaignId, `pulumi up` may launch another campaign for it.",
    ],
  });
}

/** The campaign in a fresh list. Throws if it is not there, or removed. */
async function findLive({ appId, campaignId }: Identified, deployment: Deployment): Promise<ListedCampaign> {
  const object = identifiedName({ appId, campaignId });
  if (deployment.ledger.fateOf(object) === "ended")
    throw new ProviderError({
      code: "WA1235",
      what: `The ${object} was not adopted: this command has just deleted or paused it for another resource.`,
      next: [
        "Run `pulumi up` again. If the campaign was paused, it is adopted then; if it was deleted, remove its campaignId.",
      ],
    });
  const rows = await readCampaigns(appId, deployment, "fresh").catch((error: unknown) => {
    throw new ProviderError({
      code: "WA1223",
      what: `The ${object} was not adopted.`,
      ...unreadableList(error, deployment),
    });
  });
  const campaign = findById(rows, campaignId);
  if (campaign === undefined || isRemoved(campaign)) throw notAdoptable(appId, campaignId, rows);
  return campaign;
}

/** A phone number may be a secret of the program. */
function ownValues(campaign: ListedCampaign, names: readonly (keyof ListedValues)[]): string {
  const listed = listedValues(campaign);
  return names.map((name) => `${name}: ${name === "phoneNumber" ? hidden : JSON.stringify(listed[name])}`).join(", ");
}

function notAdoptable(appId: string, campaignId: string, rows: readonly ListedCampaign[]): ProviderError {
  const byPlatformId = rows.find((row) => row.platform_campaign_id === campaignId);
  if (byPlatformId !== undefined)
    return new ProviderError({
      code: "WA1301",
      what: `${campaignId} is the ad platform's id of a campaign, so nothing was adopted.`,
      next: [`Declare campaignId "${byPlatformId.id}" instead.`],
    });
  const [why, next] =
    findById(rows, campaignId) === undefined
      ? ["is not in the list", "Check campaignId and appId."]
      : ["was removed, which is permanent", "Leave campaignId out only to launch another campaign."];
  return new ProviderError({
    code: "WA1301",
    what: `Campaign ${campaignId} of app ${appId} was not adopted: it ${why}.`,
    next: [next],
  });
}
