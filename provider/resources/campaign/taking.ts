import { type Deployment, Unfinished } from "../../engine/lifecycle";
import { Refusal } from "../../service/errors";
import { claim, claimFound } from "../ownership";
import { launchOnce, type Outcome } from "./launching";
import { byId, type Listed, liveOnes, rewrittenIn, sameValue } from "./listing";
import type { Intent } from "./protocol";
import { campaignsOf, unreadable } from "./reads";
import { foundRunning, notLaunched, unconfirmedLaunch } from "./report";
import { claimOf, type Confirmed, type Inputs, seen, type State, stateOf, unconfirmed } from "./state";

/* From the end of the protocol to the campaign that this stack manages: at up, at refresh and at destroy. */

/** Launches, or finds that it runs already. Of an earlier unconfirmed launch the list is read before anything else. */
export async function launch(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const outcome = await protocol(inputs, deployment, "up", earlier);
  switch (outcome.is) {
    case "running":
      return taken(inputs, outcome, deployment, earlier);
    case "not-launched":
      throw new Refusal(
        earlier === undefined
          ? notLaunched(inputs, outcome)
          : `${notLaunched(inputs, outcome)} The launch that was attempted at ${earlier.launchAttemptedAt ?? "an unknown time"} is still unconfirmed.`,
      );
    case "unconfirmed":
      // The next command goes on from here, under a lease of its own.
      if (earlier === undefined) deployment.claims.take(claimOf(inputs));
      throw new Unfinished(
        unconfirmed(inputs, outcome.attempt, deployment.service),
        unconfirmedLaunch(inputs, outcome, deployment.clock.now(), "up"),
      );
    case "forgotten":
      throw new Error("An up does not forget a launch.");
  }
}

function protocol(declared: State | Inputs, deployment: Deployment, intent: Intent, earlier?: State): Promise<Outcome> {
  if (earlier === undefined) return launchOnce(declared, deployment, intent);
  if (!deployment.service.endpoints.isOfThisService(earlier.readBy))
    throw new Refusal(
      `The unconfirmed launch of ${claimOf(earlier)} was sent to another base URL, and only there can be seen what came of it: check workspace-apps:baseUrl.`,
    );
  return launchOnce(declared, deployment, intent, {
    at: Date.parse(earlier.launchAttemptedAt ?? "") || deployment.clock.now(),
    setAside: earlier.setAside ?? [],
  });
}

type Running = Extract<Outcome, { is: "running" }>;

/** The declared campaign runs: this stack's own, however it was found. */
async function taken(
  declared: State | Inputs,
  outcome: Running,
  deployment: Deployment,
  earlier?: State,
): Promise<Confirmed> {
  const { service, say } = deployment;
  const { campaign, how, account } = outcome;
  const at = { appId: declared.appId, campaignName: declared.campaignName, campaignId: campaign.id };
  if (earlier === undefined) (how === "found" ? claimFound : claim)(deployment, claimOf(at));
  const mark = service.endpoints.mark(how === "launched" ? "campaign.launch" : "campaign.list");
  if (how !== "launched") {
    say(foundRunning(declared, outcome));
    return stateOf(declared, campaign, { readBy: mark }, account);
  }
  const rewritten = rewrittenIn(campaign, declared);
  const launched = stateOf(declared, campaign, { readBy: mark, rewritten }, account);
  // Paused by the service until tracking is wired, it would enable itself: a declared pause is one of our own.
  return seenOnce({ ...launched, paused: declared.paused === undefined ? undefined : false }, deployment);
}

/**
 * Looks once for a campaign that was just launched: from then on its absence from the list is evidence, and a twin that
 * another pipeline launched at the same time comes to light.
 */
export async function seenOnce(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  let rows: Listed[];
  try {
    rows = await campaignsOf(state.appId, deployment, "fresh");
  } catch (error) {
    deployment.say(
      `Campaign ${state.campaignId} was launched, but the list that shows it could not be read: ${unreadable(error, deployment)}`,
    );
    return state;
  }
  const listed = byId(rows, state.campaignId);
  if (listed === undefined)
    deployment.say(
      `Campaign ${state.campaignId} was launched, but the list does not show it (yet): until it does, its absence proves nothing.`,
    );
  const read = listed === undefined ? state : asLaunched(state, listed, deployment);
  const twins = liveOnes(rows)
    .filter((row) => isTwin(row, state, deployment))
    .map(({ id }) => id);
  if (twins.length === 0) return { ...read, twins: undefined };
  throw new Unfinished(
    { ...read, twins },
    `MONEY MAY BE MOVING TWICE: campaign ${state.campaignId} was launched and is kept, but ${twins.join(", ")} of the same name became live at the same time, from another pipeline perhaps. Delete the one that is too many in the service, then run \`pulumi up\` again, which looks for it once more.`,
  );
}

/** As the list shows it right after the launch: what differs from what was sent is the service's own spelling. */
function asLaunched(state: Confirmed, listed: Listed, { service, say }: Deployment): Confirmed {
  const rewritten = rewrittenIn(listed, state);
  if (rewritten !== undefined && state.twins === undefined)
    say(
      `The service keeps another ${Object.keys(rewritten).join(", ")} of campaign ${state.campaignId} than was sent: ${JSON.stringify(rewritten)}.`,
    );
  return { ...seen(state, listed, { ...state, rewritten }, service), paused: state.paused };
}

function isTwin(row: Listed, state: Confirmed, { claims }: Deployment): boolean {
  const isOther = row.id !== state.campaignId && sameValue("campaignName", row.campaign_name, state.campaignName);
  // One that was there before the launch is known: the paused predecessor above all.
  const isKnown =
    state.twins === undefined
      ? claims.isGivenUp(claimOf({ ...state, campaignId: row.id }))
      : !state.twins.includes(row.id);
  return isOther && !isKnown;
}

/** What a refresh tells of an unconfirmed launch: the campaign, where the list shows it now. */
export async function review(state: State, deployment: Deployment): Promise<State> {
  const outcome = await protocol(state, deployment, "refresh", state);
  if (outcome.is === "running") return taken(state, outcome, deployment, state);
  if (outcome.is !== "unconfirmed") throw new Error(`A refresh cannot end "${outcome.is}".`);
  const report = unconfirmedLaunch(state, outcome, deployment.clock.now(), "refresh");
  if (!outcome.isShownAbsent || deployment.clock.now() < outcome.quarantinedUntil) throw new Refusal(report);
  deployment.say(report);
  return state;
}

/** The campaign of an unconfirmed launch that is to be destroyed; undefined when there is nothing of its own to destroy. */
export async function search(state: State, deployment: Deployment): Promise<Confirmed | undefined> {
  const { clock, say } = deployment;
  const outcome = await protocol(state, deployment, "destroy", state);
  if (outcome.is === "forgotten") {
    say(`The ${claimOf(state)} was never confirmed, and a complete list does not show it: it leaves the stack.`);
    return undefined;
  }
  if (outcome.is === "unconfirmed") throw new Refusal(unconfirmedLaunch(state, outcome, clock.now(), "destroy"));
  if (outcome.is === "not-launched") throw new Refusal(notLaunched(state, outcome));
  return taken(state, outcome, deployment, state);
}
