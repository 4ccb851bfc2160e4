import type { Deployment } from "../../engine/lifecycle";
import { isUncertain, Refusal, ServiceError } from "../../service/errors";
import { claimOf, type Confirmed } from "./state";
import { byId, isPaused, isRemoved, type Listed } from "./listing";
import { type At, campaignsOf, changing, unreadable } from "./reads";
import { provesAbsence } from "../evidence";

/** How long each look waits after an uncertain answer: what was sent may still be under way. */
const waits = [1_000, 3_000, 10_000];

/** A change of one campaign, and how the list shows that it was made. */
interface Change {
  operation: "campaign.pause" | "campaign.resume" | "campaign.delete";
  /** What the answer calls it. */
  action: "paused" | "resumed" | "deleted";
  isMade(listed: Listed): boolean;
}

const changes = {
  pause: { operation: "campaign.pause", action: "paused", isMade: (listed) => isPaused(listed) === true },
  resume: { operation: "campaign.resume", action: "resumed", isMade: (listed) => isPaused(listed) === false },
  delete: { operation: "campaign.delete", action: "deleted", isMade: isRemoved },
} as const satisfies Record<string, Change>;

/** Stops serving for good. 200 and 404 are done; so is a campaign that the list shows as removed, or no longer shows. */
export function remove(state: Confirmed, deployment: Deployment): Promise<void> {
  return end(changes.delete, state, deployment);
}

/** Pauses a campaign that leaves the stack. One that is gone needs no pause. */
export function stop(state: Confirmed, deployment: Deployment): Promise<void> {
  return end(changes.pause, state, deployment);
}

async function end(change: Change, state: Confirmed, deployment: Deployment): Promise<void> {
  try {
    await make(change, state, deployment);
  } catch (error) {
    if (!provesAbsence(error, deployment.service, state.readBy) && !(await isGone(error, state, deployment)))
      throw error;
  }
  deployment.claims.giveUp(claimOf(state));
}

/** Pauses or resumes; throws Removed when there is nothing left to do that to. */
export async function setPaused(state: Confirmed, paused: boolean, deployment: Deployment): Promise<void> {
  try {
    await make(paused ? changes.pause : changes.resume, state, deployment);
  } catch (error) {
    throw (await isGone(error, state, deployment).catch(() => false)) ? new Removed(state) : error;
  }
}

/** Step 6: after an uncertain answer the campaign is read, and only then is the request sent again. */
async function make(change: Change, state: Confirmed, deployment: Deployment): Promise<void> {
  const { service, clock, say } = deployment;
  if (!service.can(change.operation)) throw new Refusal(service.endpoints.unavailable(change.operation));
  if (!service.endpoints.isOfThisService(state.readBy))
    throw new Refusal(
      `Campaign ${state.campaignId} of app ${state.appId} was launched or last seen at another base URL, so it is not ${change.action} here: check workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL); \`pulumi refresh\` makes a new one known.`,
    );
  let doubt: string | undefined;
  for (const wait of waits) {
    doubt = await send(change, state, deployment);
    if (doubt === undefined) return;
    say(`It is uncertain whether campaign ${state.campaignId} was ${change.action}: the campaign list is read.`);
    await clock.sleep(wait);
    if (await shows(change, state, doubt, deployment)) return;
  }
  throw new Refusal(
    `Campaign ${state.campaignId} of app ${state.appId} was not ${change.action}: the list still shows it as it was, after ${String(waits.length)} requests. ${doubt ?? ""} ${moneyMayMove(state)}`,
  );
}

/** Undefined when it was surely made; else why not. */
async function send(
  { operation, action }: Change,
  { appId, campaignId }: At,
  deployment: Deployment,
): Promise<string | undefined> {
  const parameters = { app_id: appId, campaign_id: campaignId };
  try {
    const answer = await changing(appId, deployment, () => deployment.service.call(operation, { parameters }));
    // The 200 of a documented operation is its word; that of an assumed path counts when it names what it did.
    if (operation === "campaign.delete" || namesAction(answer, action)) return undefined;
    return `${operation} answered without saying that the campaign was ${action}.`;
  } catch (error) {
    if (isUncertain(error) || isAlreadySo(error, operation)) return error.message;
    throw error;
  }
}

/** A pause or resume may be refused because it was made before: the list tells. */
function isAlreadySo(error: unknown, operation: Change["operation"]): error is ServiceError {
  return error instanceof ServiceError && error.status === 400 && operation !== "campaign.delete";
}

function namesAction(answer: unknown, action: string): boolean {
  const { status } = (answer ?? {}) as { status?: string | null };
  return status?.toLowerCase() === action;
}

async function shows(change: Change, state: Confirmed, doubt: string, deployment: Deployment): Promise<boolean> {
  let listed: Listed | undefined;
  try {
    listed = await listedNow(state, deployment);
  } catch (error) {
    throw new Refusal(
      `${doubt} Whether campaign ${state.campaignId} of app ${state.appId} was ${change.action} could not be seen: ${unreadable(error, deployment)} ${moneyMayMove(state)}`,
    );
  }
  if (listed !== undefined && (change.action === "deleted" || !isRemoved(listed))) return change.isMade(listed);
  if (change.action === "deleted") return true;
  throw new Removed(state);
}

/** The list shows that there is nothing left to pause or resume. */
export class Removed extends Refusal {
  constructor({ appId, campaignId }: At) {
    super(
      `Campaign ${campaignId} of app ${appId} is removed, so it does not spend: run \`pulumi refresh\`. The \`pulumi up\` after that launches another.`,
    );
  }
}

/** A 404 that is no evidence by itself, a proxy's page say, leaves the list to tell. */
async function isGone(error: unknown, state: Confirmed, deployment: Deployment): Promise<boolean> {
  if (error instanceof Removed) return true;
  if (!(error instanceof ServiceError) || error.status !== 404) return false;
  const listed = await listedNow(state, deployment);
  return listed === undefined || isRemoved(listed);
}

/** The campaign in a list from now; undefined when it is not there any more, although this list showed it before. */
export async function listedNow(state: Confirmed, deployment: Deployment): Promise<Listed | undefined> {
  const listed = byId(await campaignsOf(state.appId, deployment, "fresh"), state.campaignId);
  if (listed === undefined) assertSeen(state, deployment);
  return listed;
}

/** What is missing from a list that never showed it, or of another service, proves nothing. */
export function assertSeen({ appId, campaignId, readBy }: Confirmed, { service }: Deployment): void {
  if (readBy === service.endpoints.mark("campaign.list")) return;
  const where = service.endpoints.isOfThisService(readBy)
    ? `this list has never shown it. ${service.endpoints.doubt("campaign.list") ?? ""}`
    : "it was launched at another base URL: check workspace-apps:baseUrl.";
  throw new Refusal(
    `The list does not show campaign ${campaignId} of app ${appId}, which proves nothing: ${where} If you are sure that the campaign is gone, take it out of the stack with \`pulumi state delete\`.`,
  );
}

function moneyMayMove({ campaignId }: At): string {
  return `It may be spending: look at campaign ${campaignId} in the service, and run the command again.`;
}
