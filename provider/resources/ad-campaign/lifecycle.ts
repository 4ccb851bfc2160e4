import { isRemoved } from "../../service/campaigns";
import { formatReport, knownFrom, nextFrom, ProviderError, type Report } from "../../service/errors";
import { money } from "../../service/money";
import { isPerformanceMax } from "../../service/shapes";
import type { Deployment } from "../shared/deployment";
import { type CompanionTerms, type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf } from "../shared/ownership";
import {
  type Confirmed,
  declaredName,
  describeCampaign,
  type Inputs,
  isConfirmed,
  kind,
  objectName,
  oneAtATime,
  schema,
  type State,
  toStateFromList,
} from "./campaign";
import { findById, liveCampaigns, readCampaigns, sameValue } from "./campaign-list";
import { adopt, findAdoptable } from "./adopt";
import { AppBudgetRefusal } from "./app-budget";
import { applyPaused, deleteCampaign, pauseCampaign, requireListedBefore } from "./changes";
import { differingFromIntent, type Link } from "./intent";
import { confirmListed, findUnconfirmed, launch, refreshUnconfirmed, requireNoTwins } from "./launch";
import { confirmedNote, movingTwice, unconfirmedNote } from "./launch-messages";
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
  // The service's own spelling of arguments that may be secrets.
  secretOutputs: ["rewritten"],
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
      problem: (inputs) =>
        unconvertedBudget(inputs, (convert) =>
          inputs.campaignId === undefined
            ? `${convert} replaces the campaign`
            : "an adopted campaign cannot be changed, so launch another one in its place",
        ),
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
    const keepsName = appId === state.appId && sameValue("campaignName", state.campaignName, campaignName);
    const isOwn = isConfirmed(state) && campaignId === state.campaignId;
    return refuseBeside(state, keepsName) ?? (isOwn ? endsWhatIsDeclared : undefined);
  },
  requiredOperations: ({ campaignId, paused }) => [
    {
      operation: "campaign.list",
    },
    ...(campaignId === undefined
      ? [{ operation: "campaign.launch" as const, instead: "Or adopt an existing campaign by its campaignId." }]
      : []),
    ...(paused === true && campaignId === undefined
      ? [{ operation: "campaign.pause" as const, instead: "Or leave paused out: a campaign is launched running." }]
      : []),
  ],
  takeCompanion: takeIntent,
  // An earlier command may have deleted it already, and a list may be slow to show that.
  beforeReplace: (state, inputs, { claims }) => {
    if (isConfirmed(state)) claims.markReplaced(objectName(state), inputs);
  },
  hasOtherCompanion: hasOtherIntent,
  isUnfinished: (state) => !isConfirmed(state) || state.twins !== undefined,
  previewNote: (state, inputs, isReplaced, deployment) =>
    isConfirmed(state) ? confirmedNote(state) : unconfirmedNote(state, inputs, isReplaced, deployment),
  objectName,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,

  create: async (inputs, deployment) => finishNew(await launchOrAdopt(inputs, deployment), inputs, deployment),

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
    if (twins.length > 0) deployment.log(formatReport(movingTwice({ ...state, twins })));
    return { ...read, paused: read.paused ?? state.paused, twins: twins.length === 0 ? undefined : twins };
  },

  async update(state, inputs, deployment) {
    if (!isConfirmed(state)) return finishNew(await launchOrAdopt(inputs, deployment, state), inputs, deployment);
    const current = state.twins === undefined ? state : await confirmListed(state, deployment);
    return finish(relinked(current, inputs, deployment), inputs, deployment);
  },

  delete: (state, deployment, isManagedElsewhere) =>
    oneAtATime(state, deployment, async () => {
      const campaign = isConfirmed(state) ? state : await findUnconfirmed(state, deployment);
      // Asked once more: while this waited, another resource may have adopted the campaign.
      if (campaign !== undefined && !isManagedElsewhere(objectName(campaign))) await endCampaign(campaign, deployment);
    }),
  afterDelete: (state, { intents }) => {
    // An adopted campaign was not launched under an intent of its name.
    if (state.intent !== undefined || state.origin !== "adopted") intents.settle(state.intent, declaredName(state));
  },
};

const undo = "Undo the change. If the campaign was changed in the service, declare the values that it has now.";

const endsWhatIsDeclared: Report = {
  what: "It is declared by its own campaignId, and the replacement would end it before adopting it.",
  next: [undo, "Or leave campaignId out, and another campaign is launched in its place."],
};

/** Why this campaign must not be replaced: its deletionPolicy would leave it beside the new one. */
function refuseBeside(state: State, keepsName: boolean): Report | undefined {
  const allowDeletion = 'Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';
  if (deletionPolicyOf(state) === "retain")
    return {
      what: 'Its deletionPolicy is "retain", so it would go on spending beside the new one.',
      next: [undo, allowDeletion],
    };
  return deletionPolicyOf(state) === "pause" && keepsName
    ? {
        what: 'Its deletionPolicy is "pause", so it would stay in the list under the same name and could be mistaken for the new one.',
        next: ["Give the new one another campaignName.", allowDeletion],
      }
    : undefined;
}

/** The intent under which the campaign is launched. It must hold what is launched, or nobody would find it. */
function takeIntent(
  companion: unknown,
  inputs: Inputs,
  { intents, claims }: Deployment,
  { isNew, isKnown }: CompanionTerms,
): string | undefined {
  if (inputs.campaignId !== undefined)
    return isNew && isKnown("campaignId") && claims.isReplaced(objectName(inputs))
      ? `declares the ${objectName(inputs)} by its id, and another resource that has it is replaced before, which ends it. Declare this resource first, or undo the other change`
      : undefined;
  const targets = "With --target, name the campaign and its LaunchIntent";
  if (companion === undefined) return isNew && isKnown() ? `has no LaunchIntent. ${targets}` : undefined;
  const differing = differingFromIntent(companion as Link, inputs).filter(isKnown);
  if (differing.length === 0 && isKnown()) intents.link(declaredName(inputs), companion as Link);
  return differing.length > 0 && isNew
    ? `differs in ${differing.join(", ")} from its LaunchIntent${isKnown("appId") && isKnown("campaignName") ? `, that of the ${declaredName(companion as Link)}` : ""}. ${targets}. A transform must treat both alike. If ignoreChanges keeps an old value, declare that value, or leave ignoreChanges out of this command`
    : undefined;
}

/** Whether the program's intent is another than the one in this state: one is replaced alone when drift is declared. */
function hasOtherIntent({ intent }: State, inputs: Inputs, { intents }: Deployment): boolean {
  if (intent === undefined) return false;
  const campaign = declaredName(inputs);
  return (
    intents.replacedBy(campaign).at(-1)?.nonce === intent || (intents.linkOf(campaign)?.nonce ?? intent) !== intent
  );
}

/** The campaign under the intent that the program has now. The earlier intent has nothing left to look for. */
function relinked(state: Confirmed, inputs: Inputs, deployment: Deployment): Confirmed {
  const { intents } = deployment;
  const intent = intents.linkOf(declaredName(inputs))?.nonce;
  if (intent === undefined || !hasOtherIntent(state, inputs, deployment)) return state;
  intents.settle(state.intent, declaredName(state));
  return { ...state, intent };
}

/** The declared campaign: adopted by its id, or launched, which an earlier command may have tried. */
function launchOrAdopt(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const { campaignId } = inputs;
  return oneAtATime(inputs, deployment, () =>
    campaignId === undefined
      ? launch(inputs, deployment, earlier)
      : claimWhile(deployment, objectName(inputs), () => adopt(inputs, campaignId, deployment)),
  );
}

/** Pauses or resumes it as declared. Duplicates are reported after that: a pause must not wait for them. */
async function finish(campaign: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  return requireNoTwins(await applyPaused(campaign, inputs, deployment));
}

/** The same for a campaign that is not in state yet, or not as confirmed: what exists is saved, also if it is not resumed. */
async function finishNew(campaign: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  try {
    return await finish(campaign, inputs, deployment);
  } catch (error) {
    if (!(error instanceof AppBudgetRefusal)) throw error;
    const { deletionPolicy, timezone } = inputs;
    throw new PartialFailure(
      { ...campaign, deletionPolicy, timezone },
      {
        what: `The ${describeCampaign(campaign)} was not resumed, although the program declares it as running.`,
        known: knownFrom(error),
        next: nextFrom(error),
      },
    );
  }
}

async function endCampaign(campaign: Confirmed, deployment: Deployment): Promise<void> {
  deployment.claims.markKnown(objectName(campaign));
  if (campaign.twins !== undefined) deployment.log(formatReport(movingTwice({ ...campaign, twins: campaign.twins })));
  // The resource that declares it by its id is about to adopt it.
  if (deployment.declarations.has(adCampaignLifecycle.kind, objectName(campaign))) {
    deployment.log(`Campaign ${campaign.campaignId} is declared by its campaignId, so it is not deleted.`);
    return;
  }
  // A replacement that no comparison of arguments refused: `--replace`.
  const refusal = deployment.intents.linkOf(declaredName(campaign)) && refuseBeside(campaign, true);
  if (refusal !== undefined)
    throw new ProviderError({ ...refusal, what: `The ${objectName(campaign)} was not replaced. ${refusal.what}` });
  const { campaignId, ...replacement } = (deployment.claims.replacementOf(objectName(campaign)) ?? {}) as Inputs;
  // Nothing is ended for a campaign that cannot be adopted in its place.
  if (campaignId !== undefined) await findAdoptable(replacement, campaignId, deployment);
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
