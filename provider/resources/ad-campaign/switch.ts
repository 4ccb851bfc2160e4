import { isRemoved } from "../../service/campaigns";
import { isInterruption } from "../../service/clock";
import { isUncertain, knownFrom, nextFrom, ProviderError, type Report, ServiceError } from "../../service/errors";
import { checkBaseUrl } from "../../service/setting-names";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import { AppBudgetRefusal, withinAppBudget } from "./budget";
import {
  type Confirmed,
  describeCampaign,
  type Identified,
  identifiedName,
  type Inputs,
  type PausedBy,
  shownPaused,
} from "./campaign";
import { changingList, findById, type ListedCampaign, readCampaigns, unreadableList } from "./campaign-list";
import { watch } from "./watch";

/* Deleting, pausing and resuming a campaign. */

/** How long to wait before each further attempt: what was sent may still be in progress. */
const waits = [1_000, 3_000];

/** A campaign, and the mark of the list that has shown it. */
type Target = Identified & { readonly readBy: string };

/** Deletes or pauses a campaign that nothing declares any more. One that is removed in the service is done. */
export async function endCampaign(target: Target, policy: "delete" | "pause", deployment: Deployment): Promise<void> {
  requireThisService(target, deployment);
  try {
    await (policy === "delete" ? deleteCampaign(target, deployment) : send("pause", target, deployment));
  } catch (error) {
    if (policy === "pause" && error instanceof NotSwitched) throw notPaused(error);
    if (!(error instanceof CampaignRemoved)) throw error;
  }
  deployment.launches.ended.add(identifiedName(target));
}

/** Only a 200, or the list, says that a campaign is deleted. It is read before the request is sent again. */
async function deleteCampaign(target: Target, deployment: Deployment): Promise<void> {
  const { clock } = deployment;
  for (let attempt = 0; ; attempt++) {
    const doubt = await call("delete", target, deployment);
    if (doubt === undefined) return;
    const wait = waits[attempt];
    const listed = await watchRemoval(target, doubt, wait ?? 0, deployment).catch((error: unknown) => {
      throw isInterruption(clock, error) ? deletionUnknown(target, doubt, knownFrom(error)) : error;
    });
    if (listed === "gone") return;
    // A refusal would be repeated.
    if (doubt.isRefused || wait === undefined)
      throw new ProviderError({
        what: `MONEY MAY BE MOVING: the ${identifiedName(target)} was not deleted. The list still shows it as ${listed.status}.`,
        known: doubt.known,
        next: [...doubt.next, checkInService(target)],
      });
  }
}

/** `gone`: removed, or missing from the list for as long as a launch may take to settle, although the list showed it before. */
async function watchRemoval(
  target: Target,
  doubt: Doubt,
  wait: number,
  deployment: Deployment,
): Promise<ListedCampaign | "gone"> {
  const { clock, settings, service } = deployment;
  await clock.sleep(wait);
  return watch(clock, settings.launchSettleSeconds * 1000, async (isTimeLeft) => {
    let rows: readonly ListedCampaign[];
    try {
      rows = await readCampaigns(target.appId, deployment, "fresh");
    } catch (error) {
      if (isInterruption(clock, error)) throw error;
      if (isTimeLeft) return undefined;
      const { known, next } = unreadableList(error, deployment);
      throw deletionUnknown(target, doubt, known, next);
    }
    const listed = findById(rows, target.campaignId);
    if (listed !== undefined) return isRemoved(listed) ? "gone" : listed;
    if (isTimeLeft) return undefined;
    if (service.endpoints.isEvidence("campaign.list", target.readBy)) return "gone";
    throw notEvidence(target, deployment);
  });
}

function deletionUnknown(
  target: Target,
  doubt: Doubt,
  known: readonly string[],
  next: readonly string[] = [],
): ProviderError {
  return new ProviderError({
    what: `MONEY MAY BE MOVING: it is unknown whether the ${identifiedName(target)} was deleted.`,
    known: [...doubt.known, ...known],
    next: [...new Set([...doubt.next, ...next, checkInService(target)])],
  });
}

/** Its absence proves nothing where this list has never shown it, or was read with another credential. */
export function notEvidence(target: Target, { service }: Deployment): ProviderError {
  const { known, next } = service.endpoints.doubt("campaign.list");
  return new ProviderError({
    what: `The ${identifiedName(target)} is not in the campaign list. That does not prove that it was deleted.`,
    known: ["This list has not shown it with the credential of now.", ...known],
    next: [
      "If the token has changed, use the earlier one, or one that reaches the app.",
      ...next,
      "If you are sure that the campaign is gone: `pulumi state delete --force '<URN>'`, for the campaign and then for its LaunchIntent. `pulumi stack --show-urns` shows both URNs.",
    ],
  });
}

export function requireThisService(target: Target, { service }: Deployment): void {
  if (service.endpoints.isOfThisService(target.readBy)) return;
  throw new ProviderError({
    what: `The ${identifiedName(target)} was launched or last read at another base URL. No request was sent.`,
    next: [checkBaseUrl],
  });
}

/** Pauses or resumes where the program says so. Everything else that changes in place is only stored. */
export async function applyPaused(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const { paused, deletionPolicy, timezone, launchIntent = state.launchIntent } = inputs;
  const stored = { ...state, deletionPolicy, timezone, launchIntent };
  const now = (pausedBy: PausedBy | undefined): Confirmed => ({
    ...stored,
    pausedBy,
    paused: shownPaused(paused, pausedBy),
  });
  // Under the policy "pause", a campaign that was taken over may carry a pause of ours, and is resumed.
  const mayBeOurs = state.pausedBy === "unknown" && deletionPolicy === "pause";
  const action = switchFor(paused ?? (mayBeOurs ? false : undefined), state.pausedBy);
  if (action === undefined) return now(state.pausedBy === "unknown" ? "service" : state.pausedBy);
  try {
    if (action === "pause") await send("pause", state, deployment);
    else await withinAppBudget(state, deployment, () => send("resume", state, deployment));
  } catch (error) {
    if (error instanceof CampaignRemoved) throw error;
    // Nothing was sent, or the service refused it.
    const isKnown = error instanceof AppBudgetRefusal || (error instanceof NotSwitched && error.isRefused);
    throw new PartialFailure(now(isKnown ? state.pausedBy : "unknown"), notSwitched(state, action, error));
  }
  const { launches } = deployment;
  if (action === "resume") launches.paused.delete(identifiedName(state));
  else launches.paused.add(identifiedName(state));
  return now(action === "pause" ? "us" : undefined);
}

/** What is to be sent so that the campaign is as declared. One that the service holds starts by itself. */
function switchFor(declared: boolean | undefined, by: PausedBy | undefined): "pause" | "resume" | undefined {
  if (declared === undefined) return undefined;
  if (declared) return by === "us" ? undefined : "pause";
  return by === undefined || by === "service" ? undefined : "resume";
}

/** A pause or resume that the service did not confirm. */
class NotSwitched extends ProviderError {
  constructor(
    report: Report,
    readonly isRefused: boolean,
  ) {
    super(report);
  }
}

/** Sends a pause or resume until the service confirms it. The list proves neither: it does not say whose pause it shows. */
async function send(action: "pause" | "resume", target: Target, deployment: Deployment): Promise<void> {
  requireThisService(target, deployment);
  for (let attempt = 0; ; attempt++) {
    const doubt = await call(action, target, deployment);
    if (doubt === undefined) return;
    await requireNotRemoved(target, deployment);
    const wait = waits[attempt];
    if (doubt.isRefused || wait === undefined)
      throw new NotSwitched(
        {
          what: `MONEY MAY BE MOVING: the service did not confirm that the ${identifiedName(target)} was ${past[action]}.`,
          known: doubt.known,
          next: [...doubt.next, checkInService(target)],
        },
        doubt.isRefused,
      );
    await deployment.clock.sleep(wait);
  }
}

/** An unreadable list tells nothing, and the failure of the request is what matters. */
async function requireNotRemoved(target: Target, deployment: Deployment): Promise<void> {
  const rows = await readCampaigns(target.appId, deployment, "fresh").catch(() => []);
  const listed = findById(rows, target.campaignId);
  if (listed !== undefined && isRemoved(listed)) throw new CampaignRemoved(target);
}

/** The list shows that there is nothing left to pause or resume. */
class CampaignRemoved extends ProviderError {
  constructor(target: Identified) {
    super({
      what: `The ${identifiedName(target)} is removed. It does not spend.`,
      next: ["Run `pulumi refresh`. The `pulumi up` after that launches another."],
    });
  }
}

const past = { pause: "paused", resume: "resumed", delete: "deleted" } as const;

/** Why it is open whether a change was made. */
interface Doubt {
  readonly known: readonly string[];
  readonly next: readonly string[];
  readonly isRefused: boolean;
}

/** Undefined when the service confirmed it. */
async function call(
  action: keyof typeof past,
  { appId, campaignId }: Identified,
  deployment: Deployment,
): Promise<Doubt | undefined> {
  const { service } = deployment;
  const operation = `campaign.${action}` as const;
  const parameters = { app_id: appId, campaign_id: campaignId };
  if (!service.can(operation)) throw service.endpoints.unavailable(operation);
  try {
    const answer = await changingList(appId, deployment, () => service.call(operation, { parameters }));
    if (!contradicts(answer, past[action])) return undefined;
    return { known: [`${operation} returned another action.`], next: [], isRefused: false };
  } catch (error) {
    const isRefused = error instanceof ServiceError && error.certainty === "refused";
    if (!isRefused && !isUncertain(error)) throw error;
    return { known: knownFrom(error), next: nextFrom(error), isRefused };
  }
}

/** The response names the action. One that names another action confirms nothing. */
function contradicts(answer: unknown, action: string): boolean {
  const { status } = (answer ?? {}) as { status?: unknown };
  return typeof status === "string" && status.toLowerCase() !== action && /^(paused|resumed|deleted)$/i.test(status);
}

function notSwitched(state: Confirmed, action: "pause" | "resume", error: unknown): Report {
  const again = "Run `pulumi up` again. It continues from here.";
  // The first line says the same, where the request was sent.
  const why = error instanceof NotSwitched ? knownFrom(error).slice(1) : knownFrom(error);
  if (action === "resume")
    return {
      what: `The ${describeCampaign(state)} was not resumed, although the program declares it as running.`,
      known: knownFrom(error),
      next: [...nextFrom(error), again],
    };
  return {
    what: `MONEY MAY BE MOVING: the ${describeCampaign(state)} is declared as paused, and the service did not confirm the pause.`,
    known: [...why, mayStart],
    next: [
      ...nextFrom(error),
      again,
      "If it may run: leave paused out.",
      'If it must not be touched: set deletionPolicy to "retain", and leave paused out.',
    ],
  };
}

const mayStart = "It may be running, or start by itself when conversion tracking verifies.";

/** For the policy "pause". */
function notPaused({ report: { what, known = [], next = [] } }: NotSwitched): ProviderError {
  const retain = 'To leave it as it is: set deletionPolicy to "retain", and run `pulumi up` before the destroy.';
  return new ProviderError({ what, known: [...known, mayStart], next: [...next, retain] });
}

function checkInService({ campaignId }: Identified): string {
  return `Check campaign ${campaignId} in the service, then run the command again.`;
}
