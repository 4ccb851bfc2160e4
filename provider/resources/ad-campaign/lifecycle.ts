import { isRemoved } from "../../service/campaigns";
import { ProviderError } from "../../service/errors";
import { money } from "../../service/money";
import { isPerformanceMax } from "../../service/shapes";
import type { Deployment } from "../shared/deployment";
import type { Lifecycle } from "../shared/lifecycle";
import { claim, deletionPolicyOf } from "../shared/ownership";
import {
  type Confirmed,
  declaredName,
  type Inputs,
  isConfirmed,
  kind,
  objectName,
  oneAtATime,
  schema,
  type State,
  toStateFromList,
} from "./campaign";
import {
  differingValues,
  findById,
  type ListedCampaign,
  listedValues,
  liveCampaigns,
  readCampaigns,
  sameValue,
  unreadableList,
} from "./campaign-list";
import { applyPaused, deleteCampaign, pauseCampaign, requireListedBefore } from "./changes";
import { differingFromIntent, type Link } from "./intent";
import { confirmListed, findUnconfirmed, launch, refreshUnconfirmed } from "./launch";
import { unconfirmedNote } from "./launch-messages";
import { isLaunch, unconvertedBudget } from "./unconverted-budget";

/** A campaign cannot be changed in place: all arguments but these three replace it. */
const changedInPlace: readonly string[] = ["paused", "deletionPolicy", "timezone"];

export const adCampaignLifecycle: Lifecycle<Inputs, State> = {
  kind,
  purpose: "Launches an advertising campaign",
  inputs: schema,
  outputs: [
    "platformCampaignId",
    "accountId",
    "accountCurrencyCode",
    "accountTimezone",
    "platformCustomerId",
    "launchState",
    "launchAttemptedAt",
    "createdDate",
  ],
  rules: [
    {
      properties: ["logoUrl", "campaignType", "campaignId"],
      problem: ({ logoUrl, campaignType, campaignId }) =>
        logoUrl === undefined && campaignId === undefined && isPerformanceMax(campaignType)
          ? "is required for a Performance Max campaign"
          : undefined,
    },
    {
      properties: ["dailyBudgetMicros", "campaignId"],
      problem: (inputs, _, earlier) => (isLaunch(inputs, earlier) ? unconvertedBudget(inputs) : undefined),
    },
    {
      properties: ["dailyBudgetMicros"],
      problem: ({ dailyBudgetMicros }, settings) =>
        settings?.maxDailyBudgetMicros !== undefined && dailyBudgetMicros > settings.maxDailyBudgetMicros
          ? `is ${money(dailyBudgetMicros, undefined)} a day, above the limit of ${money(settings.maxDailyBudgetMicros, undefined)} that workspace-apps:maxDailyBudgetMicros (or WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS) sets`
          : undefined,
    },
  ],
  warnings: [
    {
      properties: ["dailyBudgetMicros", "campaignId"],
      problem: (inputs) => {
        const unconverted = unconvertedBudget(inputs);
        return unconverted && `${unconverted}. That replaces the campaign`;
      },
    },
  ],
  declares: [
    { properties: ["campaignName", "appId"], object: declaredName },
    { properties: ["campaignId", "appId"], object: objectName },
  ],
  adoptedBy: "campaignId",
  leftAlone: ["paused"],
  replacedBy: (Object.keys(schema.shape) as (keyof Inputs)[]).filter((key) => !changedInPlace.includes(key)),
  // So that two never spend at once.
  deleteBeforeReplace: true,
  equal: {
    campaignName: (state, { campaignName }) => sameValue("campaignName", state.campaignName, campaignName),
    landingPage: (state, { landingPage }) => sameValue("landingPage", state.landingPage, landingPage),
    geoTargets: (state, { geoTargets }) => sameValue("geoTargets", state.geoTargets ?? [], geoTargets ?? []),
    phoneNumber: (state, { phoneNumber }) => sameValue("phoneNumber", state.phoneNumber ?? "", phoneNumber ?? ""),
    // Fixed once the account exists.
    timezone: () => true,
    // Leaving the id out after adoption changes nothing. Giving it for an unconfirmed launch tells which one it was.
    campaignId: (state, { campaignId }) =>
      campaignId === undefined || !isConfirmed(state) || campaignId === state.campaignId,
  },
  // Its own values, which the service may have changed, are declared with the id: a replacement would end it first.
  identifiesUnfinished: (state, { appId, campaignId }) =>
    !isConfirmed(state) && campaignId !== undefined && appId === state.appId,
  replacementRefusal: (state, { appId, campaignId, campaignName }) => {
    const undo = "Undo the change. If the campaign was changed in the service, declare the values that it has now.";
    const allowDeletion = 'Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';
    if (deletionPolicyOf(state) === "retain")
      return {
        what: 'Its deletionPolicy is "retain", so it would go on spending beside the new one.',
        next: [undo, allowDeletion],
      };
    const keepsName = appId === state.appId && sameValue("campaignName", state.campaignName, campaignName);
    if (deletionPolicyOf(state) === "pause" && keepsName)
      return {
        what: 'Its deletionPolicy is "pause", so it would stay in the list under the same name and could be mistaken for the new one.',
        next: ["Give the new one another campaignName.", allowDeletion],
      };
    return isConfirmed(state) && campaignId === state.campaignId
      ? {
          what: "It is declared by its own campaignId, and the replacement would end it before adopting it.",
          next: [undo, "Or leave campaignId out, and another campaign is launched in its place."],
        }
      : undefined;
  },
  requiredOperations: ({ campaignId, paused }) => [
    {
      operation: "campaign.list",
    },
    ...(campaignId === undefined
      ? [{ operation: "campaign.launch" as const, instead: "Or adopt an existing campaign by its campaignId." }]
      : []),
    ...(paused === true
      ? [{ operation: "campaign.pause" as const, instead: "Or leave paused out: a campaign is launched running." }]
      : []),
  ],
  takeCompanion: takeIntent,
  // An earlier command may have deleted it already, and a list may be slow to show that.
  beforeReplace: (state, _, { claims }) => {
    if (isConfirmed(state)) claims.markReplaced(objectName(state));
  },
  isUnfinished: (state) => !isConfirmed(state) || state.twins !== undefined,
  previewNote: (state, inputs, isReplaced, deployment) =>
    isConfirmed(state) ? undefined : unconfirmedNote(state, inputs, isReplaced, deployment),
  objectName,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,

  create: async (inputs, deployment) => applyPaused(await launchOrAdopt(inputs, deployment), inputs, deployment),

  async read(state, deployment) {
    if (!isConfirmed(state)) return refreshUnconfirmed(state, deployment);
    const rows = await readCampaigns(state.appId, deployment, "recent");
    const campaign = findById(rows, state.campaignId);
    if (campaign === undefined) requireListedBefore(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) return undefined;
    const read = toStateFromList(state, campaign, state, deployment.service);
    const live = liveCampaigns(rows).map(({ id }) => id);
    const twins = state.twins?.filter((id) => live.includes(id)) ?? [];
    return { ...read, paused: read.paused ?? state.paused, twins: twins.length === 0 ? undefined : twins };
  },

  async update(state, inputs, deployment) {
    return applyPaused(await currentCampaign(state, inputs, deployment), inputs, deployment);
  },

  delete: (state, deployment, isManagedElsewhere) =>
    oneAtATime(state, deployment, async () => {
      const campaign = isConfirmed(state) ? state : await findUnconfirmed(state, deployment);
      // Asked once more: while this waited, another resource may have adopted the campaign.
      if (campaign !== undefined && !isManagedElsewhere(objectName(campaign))) await endCampaign(campaign, deployment);
    }),
  afterDelete: (state, { intents }) => {
    intents.settle(state.intent, declaredName(state));
  },
};

/** The intent under which the campaign is launched. It must hold what is launched, or nobody would find it. */
function takeIntent(companion: unknown, inputs: Inputs, { intents }: Deployment, isNew: boolean): string | undefined {
  if (inputs.campaignId !== undefined) return undefined;
  const howTo =
    "With --target, name the campaign and its LaunchIntent. Transforms and ignoreChanges must treat both alike";
  if (companion === undefined) return isNew ? `has no LaunchIntent. ${howTo}` : undefined;
  const differing = differingFromIntent(companion as Link, inputs);
  if (differing.length === 0) intents.link(objectName(inputs), companion as Link);
  return differing.length > 0 && isNew
    ? `differs from its LaunchIntent in ${differing.join(", ")}. ${howTo}`
    : undefined;
}

/** The declared campaign: adopted by its id, or launched, which an earlier command may have tried. */
function launchOrAdopt(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const { campaignId } = inputs;
  return oneAtATime(inputs, deployment, () =>
    campaignId === undefined ? launch(inputs, deployment, earlier) : adopt(inputs, campaignId, deployment),
  );
}

/** The campaign that an `up` continues with. */
function currentCampaign(state: State, inputs: Inputs, deployment: Deployment): Promise<Confirmed> | Confirmed {
  if (!isConfirmed(state)) return launchOrAdopt(inputs, deployment, state);
  return state.twins === undefined ? state : confirmListed(state, deployment);
}

/** Adopts an existing campaign. It cannot be changed in place, so what is declared must be what it is. */
async function adopt(inputs: Inputs, campaignId: string, deployment: Deployment): Promise<Confirmed> {
  const { appId } = inputs;
  const object = objectName({ ...inputs, campaignId });
  claim(deployment, object);
  if (deployment.claims.isEnded(object))
    throw new ProviderError({
      what: `The ${object} was not adopted: this command has just deleted or paused it for another resource.`,
      next: [
        "Run `pulumi up` again. If the campaign was paused, it is adopted then; if it was deleted, remove its campaignId.",
      ],
    });
  const rows = await readCampaigns(appId, deployment, "fresh").catch((error: unknown) => {
    throw new ProviderError({ what: `The ${object} was not adopted.`, ...unreadableList(error, deployment) });
  });
  const campaign = findById(rows, campaignId);
  if (campaign === undefined || isRemoved(campaign)) throw notAdoptable(appId, campaignId, rows);
  const differing = differingValues(campaign, inputs);
  if (differing.length > 0) {
    const listed = listedValues(campaign);
    throw new ProviderError({
      what: `The ${object} differs in ${differing.join(", ")} from what is declared. A campaign cannot be changed in place, so it was not adopted. Nothing was changed.`,
      next: [
        `Declare its own values: ${differing.map((name) => `${name}: ${JSON.stringify(listed[name])}`).join(", ")}.`,
      ],
    });
  }
  return toStateFromList(inputs, campaign, { origin: "adopted" }, deployment.service);
}

function notAdoptable(appId: string, campaignId: string, rows: readonly ListedCampaign[]): ProviderError {
  const byPlatformId = rows.find((row) => row.platform_campaign_id === campaignId);
  if (byPlatformId !== undefined)
    return new ProviderError({
      what: `${campaignId} is the ad platform's id of a campaign, so nothing was adopted.`,
      next: [`Declare campaignId "${byPlatformId.id}" instead.`],
    });
  const isListed = findById(rows, campaignId) !== undefined;
  return new ProviderError({
    what: `Campaign ${campaignId} of app ${appId} was not adopted: it ${isListed ? "was removed, which is permanent" : "is not in the list"}.`,
    next: [isListed ? "Leave campaignId out to launch another campaign." : "Check campaignId and appId."],
  });
}

async function endCampaign(campaign: Confirmed, deployment: Deployment): Promise<void> {
  deployment.claims.markKnown(objectName(campaign));
  // The resource that declares it by its id is about to adopt it.
  if (deployment.declarations.has(adCampaignLifecycle.kind, objectName(campaign))) {
    deployment.log(`Campaign ${campaign.campaignId} is declared by its campaignId, so it is not deleted.`);
    return;
  }
  switch (deletionPolicyOf(campaign)) {
    case "retain":
      deployment.log(
        `Campaign ${campaign.campaignId} is retained: it leaves the stack and ${campaign.paused === true ? "stays paused" : "goes on spending"}.`,
      );
      return;
    case "pause":
      return pauseCampaign(campaign, deployment);
    case "delete":
      return deleteCampaign(campaign, deployment);
  }
}
