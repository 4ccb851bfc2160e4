import { isRemoved } from "../../service/campaigns";
import { formatReport, knownFrom, nextFrom, ProviderError, type Report } from "../../service/errors";
import { money } from "../../service/money";
import { isPerformanceMax } from "../../service/shapes";
import type { Deployment } from "../shared/deployment";
import { importing } from "../shared/importing";
import { type CompanionTerms, type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf } from "../shared/ownership";
import {
  type Confirmed,
  declaredName,
  describeCampaign,
  identifiedName,
  type Inputs,
  isConfirmed,
  kind,
  objectName,
  oneAtATime,
  replacing,
  schema,
  type State,
  toStateFromList,
} from "./campaign";
import { findById, readCampaigns, sameValue } from "./campaign-list";
import { adopt, findAdoptable, readImported, withFirstDeclarations } from "./adopt";
import { AppBudgetRefusal } from "./app-budget";
import { applyPaused, deleteCampaign, isShownRemoved, pauseCampaign, requireListedBefore } from "./changes";
import { conflictWithIntent, differingFromIntent, howToKeepEqual, type Link, mayBeOf } from "./intent";
import { findUnconfirmed, launch, namingOthers, refreshUnconfirmed, remainingTwins } from "./launch";
import { confirmedNote, movingTwice, unconfirmedNote } from "./launch-messages";
import { isLaunch, unconvertedBudget } from "./unconverted-budget";

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
    { properties: ["campaignName", "appId"], object: declaredName, isSharedByAdopted: true },
    { properties: ["campaignId", "appId"], object: objectName },
  ],
  adoptedBy: "campaignId",
  importing: importing(schema, { id: ["appId", "campaignId"], objectName: identifiedName, read: readImported }),
  notYetDeclared: ({ notYetDeclared = [] }) => notYetDeclared,
  leftAlone: ["paused"],
  replacedBy: replacing,
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
  // Pausing and resuming change none. Until the launch is confirmed, nothing about the campaign is known.
  outputsChangedBy: (state) => (isConfirmed(state) ? [] : ["campaignId", ...adCampaignLifecycle.outputs]),
  // With the id, a program declares the values that the service has now. They must not replace the campaign, which would
  // end it before it is adopted.
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
  beforeReplace: (state, inputs, deployment) => {
    // An earlier command may have deleted it already, and a list may be slow to show that.
    if (isConfirmed(state)) deployment.claims.markReplaced(objectName(state), inputs);
  },
  beforeKeep: warnOfIntent,
  companionOf: ({ intent }) => intent,
  hasOtherCompanion: hasOtherIntent,
  isUnfinished: (state) => !isConfirmed(state) || state.twins !== undefined,
  previewNote: (state, inputs, isReplaced, deployment) =>
    isConfirmed(state) ? confirmedNote(state) : unconfirmedNote(state, inputs, isReplaced, deployment),
  objectName,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,

  create: async (inputs, deployment) => finish(await launchOrAdopt(inputs, deployment), inputs, deployment),

  async read(state, deployment) {
    if (!isConfirmed(state)) return refreshUnconfirmed(state, deployment);
    const rows = await readCampaigns(state.appId, deployment, "recent");
    const campaign = findById(rows, state.campaignId);
    if (campaign === undefined) requireListedBefore(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) return undefined;
    const read = toStateFromList(state, campaign, state, deployment.service);
    const twins = remainingTwins(state, rows);
    if (twins !== undefined) deployment.log(formatReport(movingTwice(state, twins)));
    return { ...read, paused: read.paused ?? state.paused, twins };
  },

  async update(state, inputs, deployment) {
    if (!isConfirmed(state)) return finish(await launchOrAdopt(inputs, deployment, state), inputs, deployment);
    const current = withFirstDeclarations(relinked(state, inputs, deployment), inputs);
    const applied = await applyPaused(current, inputs, deployment);
    if (state.twins === undefined) return applied;
    const rows = await readCampaigns(state.appId, deployment, "fresh").catch(() => undefined);
    return requireNoTwins({ ...applied, twins: rows === undefined ? state.twins : remainingTwins(state, rows) });
  },

  delete: (state, deployment, isManagedElsewhere) =>
    oneAtATime(state, deployment, () =>
      namingOthers(state, state.intent, deployment, async () => {
        const campaign = isConfirmed(state) ? state : await findUnconfirmed(state, deployment);
        // Asked once more: while this waited, another resource may have adopted the campaign.
        if (campaign !== undefined && !isManagedElsewhere(objectName(campaign)))
          await endCampaign(campaign, deployment);
      }),
    ),
  afterDelete: (state, { intents }) => {
    if (state.intent !== undefined) intents.close(state.intent);
    // States of 0.1.0 had no intents before.
    else intents.closeSince(state.adoptedAt ?? "", declaredName(state));
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

/**
 * Links the campaign to its intent. Returns a problem if the intent does not hold what would be launched: after an
 * interrupted launch nobody would find it.
 */
function takeIntent(
  companion: unknown,
  inputs: Inputs,
  { intents, claims }: Deployment,
  { isNew, isOfNode, wasNamed, isKnown }: CompanionTerms,
): string | undefined {
  if (inputs.campaignId !== undefined)
    return isNew && isKnown("campaignId") && claims.isReplaced(objectName(inputs))
      ? `adopts the ${objectName(inputs)}, but another resource manages it and is about to be replaced, which would end it first. Declare this resource before the other, or undo the change of the other`
      : undefined;
  const targets = "With --target, give the URNs of the campaign and of its LaunchIntent";
  if (companion === undefined) {
    if (wasNamed && !isOfNode) return intentNoLongerNamed;
    if (!isNew || !isKnown("campaignId")) return undefined;
    return isOfNode ? noIntentWithImport : `has no LaunchIntent. ${howToAdd}. ${targets}`;
  }
  const link = companion as Link | undefined;
  // A new intent that --target leaves out has no values. Neither has one of another provider, which runs by itself.
  if (link?.campaignName === undefined)
    return isNew && isKnown()
      ? `has no LaunchIntent. ${targets}. Both must have the same provider${isOfNode ? "" : ", and launchIntent must be the id of a LaunchIntent of the program"}`
      : undefined;
  const conflict = conflictWithIntent(inputs, intents.byNonce(link.nonce));
  if (conflict !== undefined && isKnown("deletionPolicy") && isKnown("campaignId")) return conflict;
  const differing = differingFromIntent(link, inputs).filter(isKnown);
  if (differing.length === 0 && isKnown()) intents.link(declaredName(inputs), link);
  if (differing.length === 0 || !isNew) return undefined;
  const named = isKnown("appId") && isKnown("campaignName") ? `, that of the ${declaredName(link)}` : "";
  return `differs in ${differing.join(", ")} from its LaunchIntent${named}. ${targets}. ${howToKeepEqual}`;
}

const howToAdd =
  "Declare a LaunchIntent before it with the same values, and give its id as launchIntent: it remembers the launch if the command is interrupted";

const noIntentWithImport =
  "has no LaunchIntent because of the option import, so it must not be launched. Remove the option. If the campaign is to stay, undo the change that would replace it";

const intentNoLongerNamed =
  "has a LaunchIntent, and the program does not name it any more. If it were destroyed before the campaign, it would end the campaign. Give its id as launchIntent again, and keep both in the program";

/** Destroy retains an adopted campaign by default. Its intent, which does not know that it was adopted, deletes. */
function warnOfIntent(state: State, inputs: Inputs, deployment: Deployment): void {
  const { intents } = deployment;
  const intent = intents.byNonce(intents.linkOf(declaredName(inputs))?.nonce ?? "");
  const isRetained = deletionPolicyOf({ ...state, deletionPolicy: inputs.deletionPolicy }) === "retain";
  if (!isRetained || inputs.campaignId !== undefined) return;
  if (intent === undefined || intent.deletionPolicy === "retain") return;
  if (!mayBeOf(intent, state.createdDate, deployment)) return;
  deployment.warnOnce(
    `The ${objectName(state)} was adopted, so destroy retains it. If it leaves the stack without its LaunchIntent, the LaunchIntent may delete it. Set deletionPolicy to "retain", also on a LaunchIntent that the program declares.`,
  );
}

/** Whether the program's intent is not the one in this state: it is replaced alone when a program declares drift. */
function hasOtherIntent({ intent }: State, inputs: Inputs, { intents }: Deployment): boolean {
  if (intent === undefined) return false;
  const campaign = declaredName(inputs);
  // At preview the new intent has no nonce yet.
  const isBeingReplaced = intents.predecessorsOf(campaign).at(-1)?.nonce === intent;
  const current = intents.linkOf(campaign)?.nonce;
  return isBeingReplaced || (current !== undefined && current !== intent);
}

/** The campaign under the intent that the program has now. The earlier intent has nothing left to look for. */
function relinked(state: Confirmed, inputs: Inputs, deployment: Deployment): Confirmed {
  const { intents } = deployment;
  const intent = intents.linkOf(declaredName(inputs))?.nonce;
  if (intent === undefined || state.intent === undefined || !hasOtherIntent(state, inputs, deployment)) return state;
  intents.close(state.intent);
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

/** Pauses or resumes a new campaign as declared. What exists is saved, also if it is not resumed or has a twin. */
async function finish(campaign: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  try {
    return requireNoTwins(await applyPaused(campaign, inputs, deployment));
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

function requireNoTwins(state: Confirmed): Confirmed {
  if (state.twins === undefined) return state;
  throw new PartialFailure(state, movingTwice(state, state.twins));
}

async function endCampaign(campaign: Confirmed, deployment: Deployment): Promise<void> {
  deployment.claims.markKnown(objectName(campaign));
  if (campaign.twins !== undefined) deployment.log(formatReport(movingTwice(campaign, campaign.twins)));
  // The resource that declares it by its id is about to adopt it.
  if (deployment.declarations.has(adCampaignLifecycle.kind, objectName(campaign))) {
    deployment.log(`Campaign ${campaign.campaignId} is declared by its campaignId, so it is not deleted.`);
    return;
  }
  // A replacement that no comparison of arguments refused: `--replace`.
  const refusal = deployment.intents.linkOf(declaredName(campaign)) && refuseBeside(campaign, true);
  if (refusal !== undefined) {
    // One that was ended already leaves nothing beside the new one.
    if (await isShownRemoved(campaign, deployment).catch(() => false)) return;
    throw new ProviderError({ ...refusal, what: `The ${objectName(campaign)} was not replaced. ${refusal.what}` });
  }
  const replacement = deployment.claims.replacementOf(objectName(campaign)) as Inputs | undefined;
  // Nothing is ended for a campaign that cannot be adopted in its place.
  if (replacement?.campaignId !== undefined) await findAdoptable(replacement, replacement.campaignId, deployment);
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
