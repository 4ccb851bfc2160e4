import { isRemoved } from "../../service/campaigns";
import { isUncertain, knownFrom, nextFrom, ProviderError, type Report, ServiceError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import { AppBudgetRefusal, withinAppBudget } from "./app-budget";
import { type Confirmed, describeCampaign, type Inputs, objectName } from "./campaign";
import { changingList, findById, isPaused, type ListedCampaign, readCampaigns, unreadableList } from "./campaign-list";
import { checkBaseUrl } from "../../service/setting-names";

/*
 * Deleting, pausing and resuming. Only a response that says that it was done is done. After any other the list decides,
 * and it is read before the request is sent again.
 */

/** How long to wait before the list is read: what was sent may still be in progress. */
const waits = [1_000, 3_000, 10_000];

/** A change of one campaign, and how the list shows that it was made. */
interface Change {
  operation: "campaign.pause" | "campaign.resume" | "campaign.delete";
  /** What the response calls it. */
  action: "paused" | "resumed" | "deleted";
  /** What is to be feared while it is not made. */
  otherwise: string;
  isMade(listed: ListedCampaign): boolean;
}

const changes = {
  pause: {
    operation: "campaign.pause",
    action: "paused",
    otherwise: "may still be spending",
    isMade: (listed) => isPaused(listed) === true,
  },
  resume: {
    operation: "campaign.resume",
    action: "resumed",
    otherwise: "may still be paused",
    isMade: (listed) => isPaused(listed) === false,
  },
  delete: { operation: "campaign.delete", action: "deleted", otherwise: "may still be spending", isMade: isRemoved },
} as const satisfies Record<string, Change>;

/** Deletes a campaign permanently. One that the list shows as removed, or no longer shows, is done. */
export function deleteCampaign(state: Confirmed, deployment: Deployment): Promise<void> {
  return endWith(changes.delete, state, deployment);
}

/** Pauses a campaign that leaves the stack. One that is gone needs no pause. */
export function pauseCampaign(state: Confirmed, deployment: Deployment): Promise<void> {
  return endWith(changes.pause, state, deployment);
}

async function endWith(change: Change, state: Confirmed, deployment: Deployment): Promise<void> {
  try {
    await makeChange(change, state, deployment);
  } catch (error) {
    if (!(error instanceof CampaignRemoved)) throw error;
  }
  deployment.claims.markEnded(objectName(state));
}

/** Pauses or resumes where the program says so. Everything else that changes in place is only remembered. */
export async function applyPaused(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const { paused, deletionPolicy, timezone } = inputs;
  const applied = { ...state, paused, deletionPolicy, timezone };
  if (paused === undefined) return applied;
  const isUncertainNow = state.pauseState === "uncertain";
  // While it is not known what the campaign does, the next command reads before it sends.
  const uncertain: Confirmed = { ...applied, paused: undefined, pauseState: "uncertain" };
  try {
    // Only a first pause needs no list: spending can be stopped without it.
    const current = state.paused ?? (paused && !isUncertainNow ? false : await isPausedNow(state, deployment));
    if (current !== paused) await (paused ? makeChange(changes.pause, state, deployment) : resume(state, deployment));
  } catch (error) {
    // Nothing was sent, or nothing is left.
    if (error instanceof CampaignRemoved || error instanceof AppBudgetRefusal) throw error;
    throw new PartialFailure(uncertain, notApplied(state, paused, error));
  }
  return { ...applied, pauseState: undefined };
}

function notApplied(state: Confirmed, paused: boolean, error: unknown): Report {
  return {
    what: paused
      ? `MONEY MAY BE MOVING: ${describeCampaign(state)} is declared as paused and may be running.`
      : `The ${describeCampaign(state)} may still be paused, although the program declares it as running.`,
    known: knownFrom(error),
    next: [...nextFrom(error), "Run `pulumi up` again. It continues from here."],
  };
}

/** Resumes a campaign, which then spends. */
function resume(state: Confirmed, deployment: Deployment): Promise<void> {
  return withinAppBudget(state, deployment, () => makeChange(changes.resume, state, deployment));
}

async function isPausedNow(state: Confirmed, deployment: Deployment): Promise<boolean | undefined> {
  const listed = await findListed(state, deployment);
  if (listed === undefined || isRemoved(listed)) throw new CampaignRemoved(state);
  return isPaused(listed);
}

/**
 * Step 6: after any response but a success, the list is read. Only then is an uncertain request sent again, and a refused
 * one never is. Throws CampaignRemoved when there is nothing left to pause or resume.
 */
async function makeChange(change: Change, state: Confirmed, deployment: Deployment): Promise<void> {
  const { service, log } = deployment;
  const { campaignId, appId } = state;
  if (!service.can(change.operation)) throw service.endpoints.unavailable(change.operation);
  if (!service.endpoints.isOfThisService(state.readBy))
    throw new ProviderError({
      what: `Campaign ${campaignId} of app ${appId} was launched or last seen at another base URL, so it was not ${change.action}.`,
      next: [checkBaseUrl, "If the base URL of the service has changed, run `pulumi refresh` first."],
    });
  let doubt: Doubt = { known: [], next: [] };
  for (const wait of waits) {
    const open = await send(change, state, deployment);
    if (open === undefined) return;
    doubt = open;
    if (doubt.refusedWith === undefined)
      log(`It is uncertain whether campaign ${campaignId} was ${change.action}. Reading the campaign list.`);
    if (await isShownMade(change, state, doubt, wait, deployment)) return;
    // The service would refuse it again.
    if (doubt.refusedWith !== undefined) break;
  }
  const why =
    doubt.refusedWith === undefined
      ? `after ${String(waits.length)} requests`
      : `the service answered ${String(doubt.refusedWith)}, and`;
  throw new ProviderError({
    what: `Campaign ${campaignId} of app ${appId} was not ${change.action}, and ${change.otherwise}: ${why} the list still shows it as it was.`,
    known: doubt.known,
    next: [...doubt.next, checkInService(state)],
  });
}

/** Why it is open whether a change was made. */
interface Doubt {
  known: readonly string[];
  next: readonly string[];
  /**
   * The status of a refusal. It may mean that there was nothing left to do: the change was made before, or the campaign is
   * gone. But a token that is limited to other apps gets a 404 too.
   */
  refusedWith?: number;
}

/** Undefined when it was surely made; else why that is open. */
async function send(
  { operation, action }: Change,
  { appId, campaignId }: Confirmed,
  deployment: Deployment,
): Promise<Doubt | undefined> {
  const parameters = { app_id: appId, campaign_id: campaignId };
  try {
    const answer = await changingList(appId, deployment, () => deployment.service.call(operation, { parameters }));
    // The 200 of a documented operation is enough. That of an assumed path counts when it names what it did.
    if (operation === "campaign.delete" || namesAction(answer, action)) return undefined;
    return { known: [`${operation} answered without saying that the campaign was ${action}.`], next: [] };
  } catch (error) {
    const doubt = { known: knownFrom(error), next: nextFrom(error) };
    if (isUncertain(error)) return doubt;
    if (error instanceof ServiceError && error.certainty === "refused" && error.status !== undefined)
      return { ...doubt, refusedWith: error.status };
    throw error;
  }
}

function namesAction(answer: unknown, action: string): boolean {
  const { status } = (answer ?? {}) as { status?: string | null };
  return status?.toLowerCase() === action;
}

/** Whether the list shows the change, after a wait. */
async function isShownMade(
  change: Change,
  state: Confirmed,
  doubt: Doubt,
  wait: number,
  deployment: Deployment,
): Promise<boolean> {
  let listed: ListedCampaign | undefined;
  try {
    await deployment.clock.sleep(wait);
    listed = await findListed(state, deployment);
  } catch (error) {
    const { known, next } = unreadableList(error, deployment);
    throw new ProviderError({
      what:
        doubt.refusedWith === undefined
          ? `It is uncertain whether campaign ${state.campaignId} of app ${state.appId} was ${change.action}. It ${change.otherwise}.`
          : `Campaign ${state.campaignId} of app ${state.appId} could not be ${change.action}: the service answered ${String(doubt.refusedWith)}. It ${change.otherwise}.`,
      known: [...doubt.known, ...known],
      next: [...new Set([...doubt.next, ...next, checkInService(state)])],
    });
  }
  if (listed !== undefined && (change.action === "deleted" || !isRemoved(listed))) return change.isMade(listed);
  if (change.action === "deleted") return true;
  throw new CampaignRemoved(state);
}

/** The list shows that there is nothing left to pause or resume. */
class CampaignRemoved extends ProviderError {
  constructor({ appId, campaignId }: Confirmed) {
    super({
      what: `Campaign ${campaignId} of app ${appId} is removed. It does not spend.`,
      next: ["Run `pulumi refresh`. The `pulumi up` after that launches another."],
    });
  }
}

/** Whether a fresh list shows that the campaign is removed. */
export async function isShownRemoved(state: Confirmed, deployment: Deployment): Promise<boolean> {
  const listed = await findListed(state, deployment);
  return listed === undefined || isRemoved(listed);
}

/** The campaign in a fresh list; undefined when it is no longer there, although this list showed it before. */
async function findListed(state: Confirmed, deployment: Deployment): Promise<ListedCampaign | undefined> {
  const listed = findById(await readCampaigns(state.appId, deployment, "fresh"), state.campaignId);
  if (listed === undefined) requireListedBefore(state, deployment);
  return listed;
}

/** Its absence proves nothing where the list never showed it, or where the list is that of another service. */
export function requireListedBefore({ appId, campaignId, readBy }: Confirmed, { service }: Deployment): void {
  if (readBy === service.endpoints.mark("campaign.list")) return;
  const isHere = service.endpoints.isOfThisService(readBy);
  const doubt = service.endpoints.doubt("campaign.list");
  throw new ProviderError({
    what: `Campaign ${campaignId} of app ${appId} is not in the campaign list. That does not prove that it was deleted.`,
    known: isHere ? ["This list has never shown it.", ...doubt.known] : ["It was launched at another base URL."],
    next: [
      ...(isHere ? doubt.next : [checkBaseUrl]),
      "If you are sure that the campaign is gone, remove it from the stack with `pulumi state delete`, and then its LaunchIntent. `pulumi stack --show-urns` shows both URNs.",
    ],
  });
}

function checkInService({ campaignId }: Confirmed): string {
  return `Check campaign ${campaignId} in the service, then run the command again.`;
}
