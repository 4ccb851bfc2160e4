import { knownFrom, nextFrom, ProviderError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { deletionPolicyOf } from "../shared/ownership";
import { type Confirmed, describeCampaign, type Inputs, objectName, type State } from "./campaign";
import { isPaused } from "./campaign-list";
import type { Listed } from "./classify";
import {
  credentialChanged,
  duplicatesFound,
  idsOf,
  mayBeLive,
  notListed,
  runAgain,
  unconfirmedLaunch,
  waysToForget,
} from "./messages";
import { requireReplaceable } from "./replace";
import { findOthers, launchKeyInState, search } from "./search";
import { deleteOrPause, deleteOrPauseOrphan, notEvidence } from "./switch";
import { PartialFailure } from "../shared/partial-failure";

/* A campaign is removed from the stack. The late duplicates of its key are deleted or paused with it, or by an `up`. */

/** Deletes, pauses or retains a confirmed campaign. */
export async function removeCampaign(
  state: Confirmed,
  deployment: Deployment,
  isManagedElsewhere: () => boolean,
): Promise<void> {
  const { ledger, log, launches } = deployment;
  const object = objectName(state);
  // Pulumi may launch before it deletes, where a program asks for that.
  if (ledger.fateOf(object) === "ended") return;
  // The state had it, so its intent never deletes or pauses it.
  ledger.seeInState(object);
  if (ledger.declaredBy(object) !== undefined) {
    log(`The ${object} is declared by its campaignId, so it is not deleted.`);
  } else {
    await requireReplaceable(state, deployment);
    // Checked again: while this waited, another resource may have adopted the campaign.
    if (!isManagedElsewhere()) {
      await deletePauseOrRetain(state, deployment);
      await removeDuplicates(state, deployment);
    }
  }
  if (state.launchIntent !== undefined) launches.of(state.launchIntent).history = "freed";
}

async function deletePauseOrRetain(state: Confirmed, deployment: Deployment): Promise<void> {
  const policy = deletionPolicyOf(state);
  if (policy !== "retain") return deleteOrPause(state, policy, deployment);
  const later: Partial<Record<string, string>> = { us: "stays paused", other: "stays paused", service: mayStillSpend };
  const what = `The ${objectName(state)} is retained: it ${later[state.pausedBy ?? ""] ?? "goes on spending"}.`;
  deployment.warn({ code: "WA1211", what });
}

const mayStillSpend = "may spend, or start to by itself when conversion tracking verifies";

/** Looks for the campaign of an unconfirmed launch, and deletes or pauses it. Forgets the launch after its quarantine. */
export async function removeUnconfirmed(state: State, deployment: Deployment): Promise<void> {
  const { launches, log } = deployment;
  const launchKey = launchKeyInState(state);
  await requireReplaceable(state, deployment);
  const outcome = await search({ purpose: "destroy", launchKey, unconfirmed: state }, deployment);
  if (outcome.do === "fail") {
    if (outcome.because === "credential") throw mayBeLive(launchKey.apps, notListed, credentialChanged);
    const { known = [notListed], next = [] } = outcome.unreadable ?? {};
    const ways = outcome.unreadable === undefined ? [] : [waysToForget()];
    throw new ProviderError(unconfirmedLaunch(state, deployment, "destroy", known, [...next, ...ways]));
  }
  if (outcome.ended.length > 0) launches.of(launchKey.key).history = "freed";
  const left = idsOf(outcome.left);
  log(
    left === ""
      ? `The launch of ${describeCampaign(state)} is removed from the stack. The list shows no campaign of it.`
      : `Campaign ${left} of ${describeCampaign(state)} goes on, by the deletionPolicy "retain".`,
  );
}

/** The state with the duplicates that a read shows, named in a warning. */
export async function withDuplicates(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  if (state.launchIntent === undefined) return state;
  const { pausedDuplicates = [] } = state;
  const { others, unreadable } = await findOthers(launchKeyInState(state), deployment);
  if (unreadable !== undefined)
    deployment.warn({ ...unreadable, code: "WA1210", what: `${mayHaveDuplicate(state)} A refresh looks again.` });
  const isDone = ({ row }: Listed): boolean => pausedDuplicates.includes(row.id) && isPaused(row) === true;
  const duplicates = others.filter((one) => !isDone(one)).map(({ row }) => row.id);
  if (duplicates.length === 0) return state;
  const found = { ...state, duplicates };
  deployment.warn(duplicatesFound(found));
  return found;
}

/** Deletes or pauses, by the policy, the duplicates that a refresh or a launch found. */
export async function endDuplicates(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  if (state.duplicates === undefined) return state;
  const { deletionPolicy } = inputs;
  const ended = await deleteOrPauseOthers({ ...state, deletionPolicy }, deployment).catch((error: unknown) => {
    const next = [...nextFrom(error), "Run `pulumi up` again."];
    throw new PartialFailure(state, { ...duplicatesFound(state), known: knownFrom(error), next });
  });
  const pausedDuplicates = [...(state.pausedDuplicates ?? []), ...ended];
  const isPolicyPause = deletionPolicy === "pause" && pausedDuplicates.length > 0;
  return { ...state, duplicates: undefined, pausedDuplicates: isPolicyPause ? pausedDuplicates : undefined };
}

/** The same for a campaign that was just deleted, paused or retained itself. */
async function removeDuplicates(state: Confirmed, deployment: Deployment): Promise<void> {
  if (state.launchIntent === undefined) return;
  await deleteOrPauseOthers(state, deployment).catch((error: unknown) => {
    const done = deletionPolicyOf(state) === "pause" ? "paused" : "deleted";
    throw new ProviderError({
      code: "WA1210",
      what: `MONEY MAY BE MOVING: the ${describeCampaign(state)} was ${done}. ${mayHaveDuplicate(state)}`,
      known: knownFrom(error),
      next: [...nextFrom(error), runAgain, waysToForget("none is live")],
    });
  });
}

function mayHaveDuplicate({ appId, apps = [appId] }: State): string {
  return `It is unknown whether a late duplicate of it is live in ${apps.join(", ")}.`;
}

async function deleteOrPauseOthers(state: Confirmed, deployment: Deployment): Promise<string[]> {
  const launchKey = launchKeyInState(state);
  if (launchKey.policy === "retain") return [];
  const { others, unreadable } = await findOthers(launchKey, deployment);
  if (unreadable !== undefined)
    throw new ProviderError({ ...unreadable, code: "WA1223", what: "Not every campaign list could be read." });
  for (const one of others) await deleteOrPauseOrphan(one, launchKey, deployment);
  const ended = others.map(({ row }) => row.id);
  requireGone(state, ended, deployment);
  return ended;
}

/** With another token, the list may not show a duplicate that an earlier one has shown. */
function requireGone(state: Confirmed, ended: readonly string[], deployment: Deployment): void {
  const missing = state.duplicates?.find((id) => !ended.includes(id));
  if (missing === undefined || deployment.service.endpoints.isEvidence("campaign.list", state.readBy)) return;
  throw notEvidence({ ...state, campaignId: missing }, deployment);
}
