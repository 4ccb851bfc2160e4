import { isRemoved } from "../../service/campaigns";
import { formatReport, knownFrom, nextFrom, ProviderError, type Report, ReportedError } from "../../service/errors";
import { money } from "../../service/money";
import { isPerformanceMax } from "../../service/shapes";
import type { Deployment } from "../shared/deployment";
import { importing } from "../shared/importing";
import { type Checked, type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claim, claimWhile, deletionPolicyOf } from "../shared/ownership";
import { adopt, findAdoptable, readImported, withFirstDeclarations } from "./adopt";
import { appLimit, inTurn } from "./budget";
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
import { launchArguments, nameOfLaunch, sameArgument } from "./identity";
import {
  identityOf,
  isQuarantined,
  launch,
  notListed,
  requireLaunchable,
  requirePost,
  targetBoth,
  timesOf,
} from "./launch";
import { duplicatesFound, held, refusesChange, unconfirmedLaunch, unconfirmedNote, waysToForget } from "./messages";
import { endOrphan, findDuplicates, type Identity, lookBeforeReplacement, settle } from "./settle";
import { applyPaused, endCampaign, notEvidence, requireThisService } from "./switch";
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
  unchangedWhileUnknown: ["launchIntent"],
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
    // A campaign that is declared by its id has none.
    launchIntent: (state, { launchIntent }) => launchIntent === undefined || launchIntent === state.launchIntent,
    paused: isPausedAsDeclared,
  },
  // Pausing and resuming change none. Until the launch is confirmed, nothing about the campaign is known.
  outputsChangedBy: (state) => (isConfirmed(state) ? [] : ["campaignId", ...adCampaignLifecycle.outputs]),
  // With the id, a program declares the values that the service has now. They must not replace the campaign, which would
  // delete it before it is adopted.
  identifiesUnfinished: (state, { appId, campaignId }) =>
    !isConfirmed(state) && campaignId !== undefined && appId === state.appId,
  replacementRefusal: (state, inputs, deployment) => refuseReplacement(state, inputs, deployment),
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
  beforeReplace: (state, inputs, deployment) => {
    if (!isConfirmed(state)) return;
    // A list may be slow to show its deletion, also if an earlier command deleted it.
    deployment.claims.markReplaced(objectName(state));
    deployment.logOnce(describeReplacement(state, inputs));
  },
  beforeKeep: (state, _, { launches }) => {
    if (!isConfirmed(state)) return;
    launches.managed.add(identifiedName(state));
    if (state.launchIntent !== undefined) launches.settled.add(state.launchIntent);
    if (state.pausedBy === "us") launches.paused.add(identifiedName(state));
  },
  isUnfinished: (state) => !isConfirmed(state) || state.duplicates !== undefined || state.pausedBy === "unknown",
  previewNote: (state, { campaignId }, _, deployment) => {
    if (!isConfirmed(state))
      return formatReport(
        unconfirmedNote(state, timesOf(state, deployment).quarantinedUntil, campaignId !== undefined),
      );
    return state.duplicates === undefined ? undefined : formatReport(duplicatesFound(state));
  },
  objectName,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,

  create: async (inputs, deployment) => finish(await launchOrAdopt(inputs, deployment), inputs, deployment),

  async read(state, deployment) {
    if (!isConfirmed(state)) return refreshUnconfirmed(state, deployment);
    const { service } = deployment;
    requireThisService(state, deployment);
    const rows = await readCampaigns(state.appId, deployment, "recent");
    const campaign = findById(rows, state.campaignId);
    if (campaign === undefined && !service.endpoints.isEvidence("campaign.list", state.readBy))
      throw notEvidence(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) return undefined;
    const read = toStateFromList(state, campaign, state, service);
    return withDuplicates({ ...read, paused: read.paused ?? state.paused }, deployment);
  },

  async update(state, inputs, deployment) {
    if (!isConfirmed(state)) return finish(await launchOrAdopt(inputs, deployment, state), inputs, deployment);
    return finish(withFirstDeclarations(state, inputs), inputs, deployment);
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
  if (campaignId === undefined) {
    requireCheckpoints();
    const campaign = await launch(inputs, deployment, earlier);
    if (!deployment.claims.has(objectName(campaign))) claim(deployment, objectName(campaign));
    return campaign;
  }
  const adopted = await claimWhile(deployment, objectName(inputs), () => adopt(inputs, campaignId, deployment));
  deployment.launches.managed.add(objectName(adopted));
  return adopted;
}

/** Brings a live campaign to what is declared. What exists is saved, whatever fails. */
async function finish(campaign: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const state = await endDuplicates(campaign, inputs, deployment);
  if (state.pausedBy === "service" && inputs.paused !== true && campaign.origin === undefined)
    await sayIfHeld(state, deployment);
  const applied = await applyPaused(state, inputs, deployment);
  const { launches } = deployment;
  const sent = launches.sent.get(inputs.launchIntent ?? "");
  if (inputs.launchIntent !== undefined && sent?.is === "launched")
    launches.sent.set(inputs.launchIntent, { is: "launched", campaign: applied });
  return applied;
}

/** Once, when it is launched. */
async function sayIfHeld(state: Confirmed, deployment: Deployment): Promise<void> {
  const rows = await readCampaigns(state.appId, deployment, "recent").catch(() => []);
  const row = findById(rows, state.campaignId);
  if (row !== undefined && isPaused(row) === true) deployment.logOnce(held(state));
}

/** The other live campaigns of its key, found by a read. */
async function withDuplicates(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  const identity = identityInState(state);
  if (identity === undefined) return state;
  const duplicates = (await findDuplicates(identity, deployment)).map(({ row }) => row.id);
  if (duplicates.length === 0) return state;
  const found = { ...state, duplicates };
  deployment.warn(formatReport(duplicatesFound(found)));
  return found;
}

/** Deletes or pauses the other live campaigns of the key. */
async function endDuplicates(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const identity = identityInState({ ...state, deletionPolicy: inputs.deletionPolicy });
  if (state.duplicates === undefined || identity === undefined) return state;
  try {
    for (const duplicate of await findDuplicates(identity, deployment))
      await endOrphan(duplicate, identity, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    throw new PartialFailure(state, {
      ...duplicatesFound(state),
      known: knownFrom(error),
      next: [...nextFrom(error), "Run `pulumi up` again."],
    });
  }
  return { ...state, duplicates: undefined };
}

/** What belongs to the key in a state. Undefined where no other campaign of the key would be deleted or paused. */
function identityInState({ launchIntent: key, appId, campaignId, readBy, ...state }: State): Identity | undefined {
  const policy = deletionPolicyOf({ ...state, origin: undefined });
  if (key === undefined || policy === "retain") return undefined;
  return { key, apps: [appId], policy, readBy, ...(campaignId === undefined ? {} : { replaced: campaignId }) };
}

/** What a refresh finds out about an unconfirmed launch. */
async function refreshUnconfirmed(state: State, deployment: Deployment): Promise<State> {
  const settled = await settle(
    { command: "refresh", identity: identityOfUnconfirmed(state), milliseconds: 0 },
    deployment,
  );
  if (settled.do === "take over") {
    const { row } = settled.campaign;
    const found = toStateFromList(
      state,
      row,
      { ...state, campaignId: row.id, pausedBy: "service" },
      deployment.service,
    );
    return withDuplicates(found, deployment);
  }
  if (settled.do === "fail")
    throw new ProviderError({
      what: `The launch of ${describeCampaign(state)} is not confirmed, and the campaign list cannot be read.`,
      known: settled.unreadable?.known ?? [],
      next: settled.unreadable?.next ?? [],
    });
  deployment.warn(formatReport(unconfirmedNote(state, timesOf(state, deployment).quarantinedUntil, false)));
  return state;
}

function identityOfUnconfirmed(state: State): Identity {
  const { launchIntent: key = "", appId, deletionPolicy: policy = "delete", readBy } = state;
  return { key, declared: state, apps: [appId], policy, readBy };
}

/** Destroys, or replaces, an unconfirmed launch. */
async function removeUnconfirmed(state: State, deployment: Deployment): Promise<void> {
  requireThisService({ ...state, campaignId: state.launchedName ?? state.campaignName }, deployment);
  const replacement = replacementOf(state, deployment);
  if (replacement !== undefined) await requireReplaceable(state, replacement, deployment);
  const settled = await settle(
    {
      command: "destroy",
      identity: identityOfUnconfirmed(state),
      milliseconds: deployment.settings.launchSettleSeconds * 1000,
      isQuarantined: () => isQuarantined(state, deployment),
      why: `The launch of ${describeCampaign(state)} is not confirmed.`,
    },
    deployment,
  );
  if (settled.do === "fail") {
    const { unreadable, because } = settled;
    const known =
      because === "credential"
        ? ["The token has changed since. With another token, an empty list proves nothing."]
        : (unreadable?.known ?? [notListed]);
    const next =
      because === "credential"
        ? ["Run the same command with the earlier token, or run `pulumi up` first.", ...waysToForget()]
        : (unreadable?.next ?? []);
    throw new ProviderError(unconfirmedLaunch(state, timesOf(state, deployment), "destroy", known, next));
  }
  const left = settled.do === "done" ? settled.left.map(({ row }) => row.id).join(", ") : "";
  deployment.log(
    left === ""
      ? `The launch of ${describeCampaign(state)} was not confirmed, and no campaign of it is live: it is removed from the stack.`
      : `Campaign ${left} of ${describeCampaign(state)} goes on, by the deletionPolicy "retain".`,
  );
  if (state.launchIntent !== undefined) deployment.launches.freed.add(state.launchIntent);
}

/** Deletes, pauses or retains a campaign that is removed from the stack or replaced. */
async function removeCampaign(
  state: Confirmed,
  deployment: Deployment,
  isManagedElsewhere: (object: string) => boolean,
): Promise<void> {
  const { declarations, log, launches, warn } = deployment;
  const { appId, campaignId, launchIntent: key } = state;
  // The resource that declares it by its id is about to adopt it.
  if (declarations.has(kind, objectName(state))) {
    log(`Campaign ${campaignId} is declared by its campaignId, so it is not deleted.`);
    return;
  }
  const replacement = replacementOf(state, deployment);
  if (replacement !== undefined) await requireReplaceable(state, replacement, deployment);
  if (isManagedElsewhere(objectName(state))) return;
  const policy = deletionPolicyOf(state);
  if (policy === "retain")
    warn(
      `Campaign ${campaignId} of app ${appId} is retained: it is removed from the stack and ${state.pausedBy === "us" ? "stays paused" : "goes on spending"}.`,
    );
  else await endCampaign(state, policy, deployment);
  const identity = identityInState(state);
  if (identity !== undefined)
    for (const duplicate of await duplicatesBeside(identity, deployment))
      await endOrphan(duplicate, identity, deployment);
  if (key === undefined) return;
  launches.settled.add(key);
  launches.freed.add(key);
}

/** The campaign itself is gone by now. */
async function duplicatesBeside(identity: Identity, deployment: Deployment) {
  try {
    return await findDuplicates(identity, deployment);
  } catch (error) {
    deployment.warn(
      `It is unknown whether a late duplicate of the campaign is live: ${knownFrom(error).join(" ")} Check the app's campaigns in the service.`,
    );
    return [];
  }
}

/** The arguments with which the program declares the resource of this state. */
function replacementOf(state: State, { launches }: Deployment): Inputs | undefined {
  const declared = namesInState(state).flatMap((name) => launches.declared.get(name) ?? []);
  return declared[0] as Inputs | undefined;
}

/** By which the arguments that `check` sees and the state that `delete` sees are known to be of one resource. */
function namesInState({ appId = "", launchIntent, campaignId }: Partial<Inputs>): string[] {
  return [
    ...(launchIntent === undefined ? [] : [launchIntent]),
    ...(campaignId === undefined ? [] : [identifiedName({ appId, campaignId })]),
  ];
}

/** Deletes nothing for something that would then be refused: every check of the new campaign that can be made before. */
async function requireReplaceable(state: State, inputs: Inputs, deployment: Deployment): Promise<void> {
  try {
    const refusal = refuseReplacement(state, inputs, deployment);
    // One that is removed already leaves nothing beside the new one.
    if (refusal !== undefined && !(isConfirmed(state) && (await isGone(state, deployment))))
      throw new ProviderError(refusal);
    if (inputs.campaignId !== undefined) await findAdoptable(inputs, inputs.campaignId, deployment);
    else await requireLaunchInPlace(state, inputs, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    throw new ProviderError({ ...error.report, what: notReplaced(state, error.report) });
  }
}

function notReplaced(state: State, { what }: Report): string {
  return `The ${objectName(state)} was not replaced, and goes on. ${what}`;
}

function requireLaunchInPlace(state: State, inputs: Inputs, deployment: Deployment): Promise<void> {
  const { launches } = deployment;
  const { appId, dailyBudgetMicros } = inputs;
  return inTurn(appId, deployment, async () => {
    requireCheckpoints();
    const identity = identityOf(inputs, deployment, state.campaignId);
    // Orphans are left to the launch itself, which deletes or pauses them first.
    requirePost(inputs, await lookBeforeReplacement(identity, deployment), deployment);
    const name = nameOfLaunch(inputs, identity.key);
    await requireLaunchable(inputs, deployment, name, state.campaignId);
    // Nothing else may use the budget before the campaign is launched.
    launches.reserve(appId, name, dailyBudgetMicros);
  });
}

async function isGone(state: Confirmed, deployment: Deployment): Promise<boolean> {
  const rows = await readCampaigns(state.appId, deployment, "fresh").catch(() => []);
  const listed = findById(rows, state.campaignId);
  return listed !== undefined && isRemoved(listed);
}

const undo = "Undo the change. If the campaign was changed in the service, declare the values that it has now.";
const allowDeletion = 'Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';

/** Why this campaign must not be replaced. */
function refuseReplacement(state: State, { campaignId }: Inputs, deployment: Deployment): Report | undefined {
  if (isConfirmed(state) && campaignId === state.campaignId)
    return {
      what: "It is declared by its own campaignId, and the replacement would delete it before adopting it.",
      next: [undo, "Or leave campaignId out, and another campaign is launched in its place."],
    };
  switch (deletionPolicyOf(state)) {
    case "retain":
      return {
        what: 'Its deletionPolicy is "retain", so it would go on spending beside the new one.',
        next: [undo, allowDeletion],
      };
    case "pause":
      return {
        what: 'Its deletionPolicy is "pause", so it would stay beside the new one.',
        next: [undo, allowDeletion],
      };
    case "delete":
      return isConfirmed(state) || !isQuarantined(state, deployment)
        ? undefined
        : refusesChange(timesOf(state, deployment).quarantinedUntil);
  }
}

function describeReplacement(state: Confirmed, inputs: Inputs): string {
  const { campaignId, dailyBudgetMicros } = inputs;
  const next =
    typeof campaignId === "string"
      ? `campaign ${campaignId} is adopted in its place`
      : `another one is launched in its place${typeof dailyBudgetMicros === "number" ? `, with ${money(dailyBudgetMicros, undefined)} a day` : ""}`;
  return `The ${describeCampaign(state)} is deleted permanently, and ${next}.`;
}

/** What only this command knows: other campaigns of the program, and the intents that it has seen. */
function checkInCommand(inputs: Inputs, checked: Checked<Inputs>, deployment: Deployment): string[] {
  const { launches, settings, logOnce } = deployment;
  const { isNew, place, earlier = {}, isKnown } = checked;
  const { appId, campaignId, launchIntent, dailyBudgetMicros, deletionPolicy = "delete" } = inputs;
  for (const name of namesInState(earlier)) launches.declared.set(name, inputs);
  const problems: string[] = [];
  if (isKnown("appId", "dailyBudgetMicros", "paused") && settings.maxAppDailyBudgetMicros !== undefined) {
    const sum = launches.plan(appId, place, inputs.paused === true && !isNew ? 0 : dailyBudgetMicros);
    if (sum > settings.maxAppDailyBudgetMicros)
      problems.push(
        `brings the campaigns of app ${appId} in this program to ${money(sum, undefined)} a day, above the limit of ${money(settings.maxAppDailyBudgetMicros, undefined)} that ${appLimit} sets`,
      );
  }
  if (!isKnown("campaignId")) return problems;
  if (campaignId !== undefined) {
    if (isNew && isKnown("appId") && deployment.claims.isReplaced(objectName(inputs)))
      problems.push(
        `adopts the ${objectName(inputs)}, but another resource manages it and is about to be replaced, which would delete it first. Declare this resource before the other, or undo the change of the other`,
      );
    if (isNew) logOnce(`Campaign ${campaignId} of app ${appId} is adopted. Nothing is launched for it.`);
    return problems;
  }
  const skipsCheckpoints = checkpointsProblem();
  if (skipsCheckpoints !== undefined) problems.push(skipsCheckpoints);
  if (isNew && isKnown())
    logOnce(`${capitalized(describeCampaign(inputs))} is launched, unless it is live already. It starts spending.`);
  if (!isKnown("launchIntent")) return problems;
  const intent = launches.intents.get(launchIntent ?? "");
  if (intent === undefined) {
    // With --target of a campaign that stays, its intent is not seen. An imported campaign never had one.
    const isNeeded = isNew || (launchIntent === undefined && earlier.launchIntent !== undefined);
    const named = launchIntent === undefined ? "" : ` with the id ${launchIntent} in this command`;
    if (isNeeded)
      problems.push(
        `has no LaunchIntent${named}. Declare one before it, and give its id as launchIntent. ${targetBoth}`,
      );
    return problems;
  }
  if (isKnown("appId") && intent.apps.at(-1) !== appId)
    problems.push(
      `is of app ${appId}, and its LaunchIntent of app ${intent.apps.at(-1) ?? ""}. Give both the same appId`,
    );
  if (isKnown("deletionPolicy") && (intent.deletionPolicy ?? "delete") !== deletionPolicy)
    problems.push(
      `has the deletionPolicy "${deletionPolicy}", and its LaunchIntent has "${intent.deletionPolicy ?? "delete"}". Give both the same`,
    );
  const other = launches.useKey(launchIntent ?? "", place);
  if (other !== undefined)
    problems.push(`has the same LaunchIntent as "${other}". Declare one LaunchIntent for each campaign`);
  return problems;
}

/** Pulumi would not save the intent before the launch. */
function checkpointsProblem(): string | undefined {
  const { PULUMI_SKIP_CHECKPOINTS: skips = "" } = process.env;
  return /^(1|t|true|y|yes)$/i.test(skips)
    ? "cannot be launched while PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not be saved before the launch. Unset it"
    : undefined;
}

function requireCheckpoints(): void {
  const problem = checkpointsProblem();
  if (problem !== undefined) throw new ProviderError({ what: `The campaign ${problem}.` });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
