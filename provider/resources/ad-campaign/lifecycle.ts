import { isRemoved } from "../../service/campaigns";
import { formatReport, ProviderError } from "../../service/errors";
import { money } from "../../service/money";
import { isPerformanceMax } from "../../service/shapes";
import type { Deployment } from "../shared/deployment";
import { importing } from "../shared/importing";
import { type Lifecycle } from "../shared/lifecycle";
import { claim, claimWhile, deletionPolicyOf } from "../shared/ownership";
import { adopt, readImported } from "./adopt";
import {
  type Confirmed,
  declaredName,
  describeCampaign,
  identifiedName,
  type Inputs,
  isConfirmed,
  kind,
  objectName,
  replacing,
  schema,
  type State,
  toStateFromList,
} from "./campaign";
import { findById, isPaused, readCampaigns } from "./campaign-list";
import { checkInCommand, requireCheckpoints } from "./check";
import { launchArguments, sameArgument } from "./campaign-name";
import { launch, takeOver } from "./launch";
import { duplicatesFound, held, notListed, unconfirmedLaunch } from "./messages";
import { isLaunch, unconvertedBudget } from "./micros";
import { isQuarantined } from "./quarantine";
import { endDuplicates, removeCampaign, removeUnconfirmed, withDuplicates } from "./remove";
import { describeReplacement, refuseReplacement } from "./replace";
import { launchKeyInState, search } from "./search";
import { applyPaused, notEvidence } from "./switch";
import { PartialFailure } from "../shared/partial-failure";

export const adCampaignLifecycle: Lifecycle<Inputs, State> = {
  kind,
  keepsOwnReadBy: true,
  purpose: "Launches an advertising campaign",
  inputs: schema,
  outputs: [
    "platformCampaignId",
    "accountId",
    "accountCurrencyCode",
    "accountTimezone",
    "platformCustomerId",
    "launchedName",
    "launchState",
    "launchAttemptedAt",
    "createdDate",
  ],
  namedBy: "campaignName",
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
      code: "WA1105",
      problem: (inputs, _, earlier) => (isLaunch(inputs, earlier) ? unconvertedBudget(inputs) : undefined),
    },
    {
      properties: ["dailyBudgetMicros"],
      code: "WA1224",
      problem: ({ dailyBudgetMicros }, settings) =>
        settings?.maxDailyBudgetMicros !== undefined && dailyBudgetMicros > settings.maxDailyBudgetMicros
          ? `is ${money(dailyBudgetMicros, undefined)} a day, above the limit of ${money(settings.maxDailyBudgetMicros, undefined)} that workspace-apps:maxDailyBudgetMicros (or WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS) sets`
          : undefined,
    },
  ],
  declares: [
    { properties: ["campaignName", "appId"], object: declaredName, isSharedByAdopted: true },
    { properties: ["campaignId", "appId"], object: objectName },
  ],
  adoptedBy: "campaignId",
  importing: importing(schema, { id: ["appId", "campaignId"], objectName: identifiedName, read: readImported }),
  leftAlone: ["paused"],
  replacedBy: replacing,
  // So that two never spend at once.
  deleteBeforeReplace: true,
  equal: {
    ...Object.fromEntries(
      launchArguments.map((name) => [
        name,
        (state: State, inputs: Inputs): boolean => sameArgument(name, state[name], inputs[name]),
      ]),
    ),
    // Fixed once the account exists.
    timezone: () => true,
    // Leaving the id out after adoption changes nothing. Giving it for an unconfirmed launch tells which one it was.
    campaignId: (state, { campaignId }) =>
      campaignId === undefined || !isConfirmed(state) || campaignId === state.campaignId,
    // In YAML, a campaign that is declared by its id needs none. An imported one was launched under none.
    launchIntent: (state, { launchIntent }) =>
      launchIntent === undefined ||
      launchIntent === state.launchIntent ||
      (state.launchIntent === undefined && isConfirmed(state)),
    paused: isPausedAsDeclared,
  },
  // Pausing and resuming change none. Until the launch is confirmed, nothing about the campaign is known.
  outputsChangedBy: (state) => (isConfirmed(state) ? [] : ["campaignId", ...adCampaignLifecycle.outputs]),
  // With the id, a program declares the values that the service has now. They must not replace the campaign, which would
  // delete it before it is adopted.
  identifiesUnfinished: (state, { appId, campaignId }) =>
    !isConfirmed(state) && campaignId !== undefined && appId === state.appId,
  replacementRefusal: refuseReplacement,
  requiredOperations: ({ campaignId, paused }) => [
    { operation: "campaign.list" },
    ...(campaignId === undefined
      ? [{ operation: "campaign.launch" as const, instead: "Or adopt an existing campaign by its campaignId." }]
      : []),
    ...(paused === true && campaignId === undefined
      ? [{ operation: "campaign.pause" as const, instead: "Or leave paused out: a campaign is launched running." }]
      : []),
  ],
  checkInCommand,
  planned: (state, inputs, isReplaced, { launches, ledger, logOnce }) => {
    if (!isConfirmed(state)) return;
    if (isReplaced) {
      // Its resource has it, so it is no orphan. If Pulumi retains it, nothing may delete it.
      ledger.setFate(objectName(state), "replaced");
      if (deletionPolicyOf(state) === "delete") logOnce(describeReplacement(state, inputs));
      return;
    }
    const { appId, launchIntent, pausedBy, duplicates, pausedDuplicates = [] } = state;
    ledger.setFate(identifiedName(state), pausedBy === "us" ? "paused" : "kept");
    if (launchIntent !== undefined) launches.of(launchIntent).history = "kept";
    // A refresh names those that somebody has resumed.
    const stillPaused = pausedDuplicates.filter((id) => duplicates?.includes(id) !== true);
    for (const campaignId of stillPaused) ledger.setFate(identifiedName({ appId, campaignId }), "paused");
  },
  hasMoreToDo: (state) => !isConfirmed(state) || state.duplicates !== undefined || state.pausedBy === "unknown",
  previewMessage: (state, { campaignId, paused }, isReplaced, deployment) => {
    if (!isConfirmed(state)) {
      const adoption = campaignId === undefined ? [] : ["`pulumi up` adopts the campaign that the program declares."];
      return formatReport(unconfirmedLaunch(state, deployment, "up", adoption));
    }
    if (state.duplicates !== undefined) return formatReport(duplicatesFound(state));
    const isResumed = paused === false && !isReplaced && !isPausedAsDeclared(state, { ...state, paused });
    return isResumed ? `The ${describeCampaign(state)} is resumed: it spends again.` : undefined;
  },
  objectName,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,

  create: (inputs, deployment) => launchOrAdopt(inputs, deployment),

  async read(state, deployment) {
    if (!isConfirmed(state)) return refreshUnconfirmed(state, deployment);
    const { service, ledger } = deployment;
    // Another resource that reads the list now must not take it for a duplicate.
    ledger.seeInState(identifiedName(state));
    const rows = await readCampaigns(state.appId, deployment, "recent");
    const campaign = findById(rows, state.campaignId);
    if (campaign === undefined && !service.endpoints.isEvidence("campaign.list", state.readBy))
      throw notEvidence(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) {
      ledger.forgetFate(identifiedName(state));
      return undefined;
    }
    const read = toStateFromList(state, campaign, state, service);
    return withDuplicates(read, deployment);
  },

  update(state, inputs, deployment) {
    return isConfirmed(state)
      ? finish(state, inputs, deployment, state.paused !== inputs.paused)
      : resolveOrAdopt(state, inputs, deployment);
  },

  delete: (state, deployment, isManagedElsewhere) =>
    isConfirmed(state) ? removeCampaign(state, deployment, isManagedElsewhere) : removeUnconfirmed(state, deployment),
};

function isPausedAsDeclared(state: State, { paused }: Inputs): boolean {
  if (state.paused !== paused) return false;
  if (paused === undefined) return true;
  return paused ? state.pausedBy === "us" : state.pausedBy === undefined || state.pausedBy === "service";
}

/** The declared campaign: adopted by its id, or launched, which an earlier command may have tried. */
async function launchOrAdopt(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const { campaignId } = inputs;
  if (campaignId !== undefined) {
    return claimWhile(deployment, objectName(inputs), async () => {
      const adopted = await adopt(inputs, campaignId, deployment);
      deployment.ledger.setFate(objectName(adopted), "kept");
      return finish(adopted, inputs, deployment);
    });
  }
  requireCheckpoints();
  const campaign = await launch(inputs, deployment, earlier);
  claim(deployment, objectName(campaign));
  return finish(campaign, inputs, deployment);
}

/** An unconfirmed launch belongs to the key that it was sent with. The program may name another intent by now. */
async function resolveOrAdopt(state: State, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const isOtherKey = inputs.campaignId === undefined && inputs.launchIntent !== state.launchIntent;
  const found = isOtherKey ? await refreshUnconfirmed(state, deployment) : state;
  if (isConfirmed(found)) return finish(found, inputs, deployment);
  if (isOtherKey && isQuarantined(state, deployment))
    throw new PartialFailure(state, unconfirmedLaunch(state, deployment, "up", [notListed]));
  return launchOrAdopt(inputs, deployment, state);
}

/** Brings a live campaign to what is declared. The campaign is saved, whatever fails. */
async function finish(
  campaign: Confirmed,
  inputs: Inputs,
  deployment: Deployment,
  mayBeNews = true,
): Promise<Confirmed> {
  const switched = await applyPaused(campaign, inputs, deployment);
  if (switched.pausedBy === "service" && mayBeNews) await sayIfHeld(switched, deployment);
  return endDuplicates(switched, inputs, deployment);
}

async function sayIfHeld(state: Confirmed, deployment: Deployment): Promise<void> {
  const rows = await readCampaigns(state.appId, deployment, "recent").catch(() => []);
  const row = findById(rows, state.campaignId);
  if (row !== undefined && isPaused(row) === true) deployment.logOnce(held(state));
}

/** Looks for the campaign of an unconfirmed launch, and sends nothing else. */
async function refreshUnconfirmed(state: State, deployment: Deployment): Promise<State> {
  const launchKey = launchKeyInState(state);
  const outcome = await search({ purpose: "refresh", launchKey }, deployment);
  if (outcome.do === "take over") {
    return withDuplicates(takeOver(state, outcome, launchKey, deployment), deployment);
  }
  if (outcome.do === "fail")
    throw new ProviderError({
      code: "WA1202",
      what: `MONEY MAY BE MOVING: the launch of ${describeCampaign(state)} is not confirmed, and the campaign list cannot be read.`,
      known: outcome.unreadable?.known ?? [],
      next: outcome.unreadable?.next ?? [],
    });
  deployment.warn(unconfirmedLaunch(state, deployment, "up", [notListed]));
  return state;
}
