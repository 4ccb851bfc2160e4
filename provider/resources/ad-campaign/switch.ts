import { isRemoved } from "../../service/campaigns";
import { isInterruption } from "../../service/clock";
import {
  isUncertain,
  knownFrom,
  nextFrom,
  ProviderError,
  type Report,
  ReportedError,
  ServiceError,
} from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { earlierToken } from "../shared/evidence";
import { watch } from "../shared/watch";
import { withinAppBudget } from "./budget";
import {
  type Confirmed,
  type DeletionPolicy,
  describeCampaign,
  type Identified,
  identifiedName,
  type Inputs,
  type PausedBy,
  shownPaused,
} from "./campaign";
import { findById, readCampaigns, unreadableList } from "./campaign-list";
import type { Listed } from "./classify";
import { runAgain, waysToForget } from "./messages";
import { PartialFailure } from "../shared/partial-failure";

/* Deleting, pausing and resuming a campaign. */

/** How long to wait before each further attempt: what was sent may still be in progress. */
const waits = [1_000, 3_000];

/** A campaign, and the list that has shown it. */
type Target = Identified & { readonly readBy: string };

type Action = "delete" | "pause" | "resume";
const past = { delete: "deleted", pause: "paused", resume: "resumed" } as const;

/** Deletes or pauses a campaign that nothing declares any more. One that is removed in the service is done. */
export async function deleteOrPause(target: Target, policy: "delete" | "pause", deployment: Deployment): Promise<void> {
  try {
    await send(policy, target, deployment);
  } catch (error) {
    if (policy === "delete" || !(error instanceof NotConfirmed)) throw error;
    const { code, what, known = [], next = [] } = error.report;
    const retain = 'To leave it unchanged: set deletionPolicy to "retain", and run `pulumi up` before the destroy.';
    throw new ProviderError({ code, what, known: [...known, mayBeRunning], next: [...next, retain] });
  }
  deployment.ledger.setFate(identifiedName(target), "ended");
}

/** Deletes or pauses, by the policy, a campaign of a key that no resource has in its state. */
export async function deleteOrPauseOrphan(
  { appId, row }: Listed,
  launchKey: { readonly key: string; readonly policy: DeletionPolicy; readonly readBy: string },
  deployment: Deployment,
): Promise<void> {
  const { policy } = launchKey;
  if (policy === "retain") throw new Error("internal error: the policy retain deletes and pauses nothing");
  const target = { appId, campaignId: row.id };
  const launched = "was launched by this resource";
  try {
    // The list has just shown it.
    const readBy = deployment.service.endpoints.readBy("campaign.list", launchKey.readBy);
    await deleteOrPause({ ...target, readBy }, policy, deployment);
  } catch (error) {
    throw new ProviderError({
      code: "WA1207",
      what: `MONEY MAY BE MOVING: the ${identifiedName(target)} ${launched}, is not in the state, and was not ${past[policy]}.`,
      known: knownFrom(error),
      next: [...nextFrom(error), runAgain],
    });
  }
  const memory = deployment.launches.of(launchKey.key);
  if (policy === "pause") memory.pausedOrphans = [...(memory.pausedOrphans ?? []), row.id];
  deployment.log(
    `The ${identifiedName(target)} ("${row.campaign_name}") ${launched} and is not in the state, so it was ${past[policy]}.`,
  );
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
  const action = actionFor(paused ?? (mayBeOurs ? false : undefined), state.pausedBy);
  if (action === undefined) return now(state.pausedBy === "unknown" ? "service" : state.pausedBy);
  let pausedByIfFailed = state.pausedBy;
  const change = (): Promise<"done" | "removed"> => {
    pausedByIfFailed = "unknown";
    return send(action, state, deployment);
  };
  let outcome: "done" | "removed";
  try {
    outcome = await (action === "pause" ? change() : withinAppBudget(state, deployment, change));
  } catch (error) {
    const isRefused = error instanceof NotConfirmed && !error.mayBeDone;
    throw new PartialFailure(now(isRefused ? state.pausedBy : pausedByIfFailed), notSwitched(state, action, error));
  }
  if (outcome === "removed")
    throw new ProviderError({
      code: "WA1234",
      what: `The ${identifiedName(state)} is removed. It does not spend.`,
      next: [
        "To launch another: run `pulumi refresh`, then `pulumi up`. If campaignId is declared, leave it out.",
        "To launch none: remove it from the program, and run `pulumi up`.",
      ],
    });
  deployment.ledger.setFate(identifiedName(state), action === "pause" ? "paused" : "kept");
  return now(action === "pause" ? "us" : undefined);
}

/** The request after which the campaign is as declared. One that the service holds starts by itself. */
function actionFor(declared: boolean | undefined, by: PausedBy | undefined): "pause" | "resume" | undefined {
  if (declared === undefined) return undefined;
  if (declared) return by === "us" ? undefined : "pause";
  return by === undefined || by === "service" ? undefined : "resume";
}

const mayBeRunning = "It may be running, or start by itself when conversion tracking verifies.";

function notSwitched(state: Confirmed, action: "pause" | "resume", error: unknown): Report {
  const again = "Run `pulumi up` again. It continues from here.";
  if (action === "resume")
    return {
      code: "WA1233",
      what: `The ${describeCampaign(state)} was not resumed, although the program declares it as running.`,
      known: knownFrom(error),
      next: [...nextFrom(error), again],
    };
  return {
    code: "WA1209",
    what: `MONEY MAY BE MOVING: the ${describeCampaign(state)} is declared as paused, and the service did not confirm the pause.`,
    // The first line says the same, where the request was sent.
    known: [...(error instanceof NotConfirmed ? knownFrom(error).slice(1) : knownFrom(error)), mayBeRunning],
    next: [
      ...nextFrom(error),
      again,
      "If it may run: leave paused out.",
      'If it must not be touched: set deletionPolicy to "retain", and leave paused out.',
    ],
  };
}

/** A change that neither the service nor the list confirmed. */
class NotConfirmed extends ProviderError {
  constructor(
    report: Report,
    /** Whether an attempt may have been carried out. */
    readonly mayBeDone: boolean,
  ) {
    super(report);
  }
}

/**
 * Sends a change until the service confirms it with a 200. After any other response, the list is read before it is sent
 * again. The list proves a deletion; of a pause or resume, it does not say whose it shows.
 */
async function send(action: Action, target: Target, deployment: Deployment): Promise<"done" | "removed"> {
  const object = identifiedName(target);
  let mayBeDone = false;
  for (let attempt = 0; ; attempt++) {
    const doubt = await call(action, target, deployment).catch((error: unknown) => {
      throw notSent(action, object, mayBeDone, error);
    });
    if (doubt === undefined) return "done";
    mayBeDone ||= !doubt.isRefused;
    const wait = waits[attempt];
    const status = await statusAfter(action, target, doubt, wait ?? 0, deployment);
    if (status === "removed") return "removed";
    // A refusal would be repeated.
    if (!doubt.isRefused && wait !== undefined) continue;
    const what =
      action === "delete"
        ? `the ${object} was not deleted. The list still shows it as ${status}.`
        : notConfirmed(action, object);
    const next = [...doubt.next, checkInService(target)];
    throw new NotConfirmed(
      { code: "WA1207", what: `MONEY MAY BE MOVING: ${what}`, known: doubt.known, next },
      mayBeDone,
    );
  }
}

/** Nothing was sent, or the rate limit refused it. Only an earlier attempt may have been carried out. */
function notSent(action: Action, object: string, mayBeDone: boolean, error: unknown): unknown {
  if (!(error instanceof ReportedError)) return error;
  const what = mayBeDone ? notConfirmed(action, object) : `the ${object} was not ${past[action]}.`;
  const report = { what: `MONEY MAY BE MOVING: ${what}`, known: knownFrom(error), next: nextFrom(error) };
  return new NotConfirmed({ code: "WA1207", ...report }, mayBeDone);
}

function notConfirmed(action: Action, object: string): string {
  return `the service did not confirm that the ${object} was ${past[action]}.`;
}

/** Why it is open whether a change was made. */
interface Doubt {
  readonly known: readonly string[];
  readonly next: readonly string[];
  readonly isRefused: boolean;
}

/** Undefined when the service confirmed it. */
async function call(
  action: Action,
  { appId, campaignId }: Identified,
  deployment: Deployment,
): Promise<Doubt | undefined> {
  const { service } = deployment;
  const operation = `campaign.${action}` as const;
  const parameters = { app_id: appId, campaign_id: campaignId };
  if (!service.can(operation)) throw service.endpoints.unavailable(operation);
  try {
    const answer = await service.call(operation, { parameters });
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

/**
 * Reads the list after an attempt that the service did not confirm. It proves a removal, and nothing about a pause or resume.
 * A deletion is also done where the campaign is missing all the time from a list that has shown it before.
 */
async function statusAfter(
  action: Action,
  target: Target,
  doubt: Doubt,
  wait: number,
  deployment: Deployment,
): Promise<string> {
  const { clock, service, settings } = deployment;
  const isDeletion = action === "delete";
  let isReadEachTime = true;
  try {
    await clock.sleep(wait);
    return await watch(clock, isDeletion ? settings.launchSettleSeconds * 1000 : 0, async (isTimeLeft) => {
      const rows = await readCampaigns(target.appId, deployment, "fresh").catch((error: unknown) => {
        if (isInterruption(clock, error)) throw error;
        if (isDeletion && !isTimeLeft) throw deletionUnknown(target, doubt, unreadableList(error, deployment));
        isReadEachTime = false;
        return [];
      });
      const listed = findById(rows, target.campaignId);
      if (listed !== undefined) return isRemoved(listed) ? "removed" : listed.status;
      if (!isDeletion) return "live";
      if (isTimeLeft) return undefined;
      if (!isReadEachTime)
        throw deletionUnknown(target, doubt, {
          known: ["The campaign list does not show it, but was not always readable."],
        });
      if (service.endpoints.isEvidence("campaign.list", target.readBy)) return "removed";
      throw deletionUnknown(target, doubt, whyNotEvidence(deployment));
    });
  } catch (error) {
    if (!isDeletion || !isInterruption(clock, error)) throw error;
    throw deletionUnknown(target, doubt, { known: knownFrom(error) });
  }
}

function deletionUnknown(
  target: Target,
  doubt: Doubt,
  { known = [], next = [] }: Pick<Report, "known" | "next">,
): ProviderError {
  return new ProviderError({
    code: "WA1208",
    what: `MONEY MAY BE MOVING: it is unknown whether the ${identifiedName(target)} was deleted.`,
    known: [...doubt.known, ...known],
    next: [...new Set([...doubt.next, ...next, checkInService(target), waysToForget("it is gone")])],
  });
}

/** Its absence proves nothing where this list has never shown it, or was read with another credential. */
export function notEvidence(target: Target, deployment: Deployment): ProviderError {
  const { known, next } = whyNotEvidence(deployment);
  return new ProviderError({
    code: "WA1214",
    what: `The ${identifiedName(target)} is not in the campaign list. Its absence does not prove that it was deleted.`,
    known,
    next: [...next, waysToForget("the campaign is gone")],
  });
}

function whyNotEvidence({ service }: Deployment): Required<Pick<Report, "known" | "next">> {
  const { known, next } = service.endpoints.doubt("campaign.list");
  return {
    known: ["The campaign list has not shown it with the credential of now.", ...known],
    next: [`If the token has changed: ${earlierToken}`, ...next],
  };
}

function checkInService({ campaignId }: Identified): string {
  return `Check campaign ${campaignId} in the service, then run the command again.`;
}
