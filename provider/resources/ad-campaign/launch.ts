import { isInterruption } from "../../service/clock";
import { formatReport, knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import { inTurn, requireWithinAppBudget } from "./budget";
import {
  type Confirmed,
  describeCampaign,
  identifiedName,
  type Inputs,
  launchBody,
  type State,
  toState,
  unconfirmedState,
} from "./campaign";
import {
  changingList,
  differingValues,
  findById,
  isPaused,
  liveCampaigns,
  readCampaigns,
  readLaunchReadiness,
  unreadableList,
} from "./campaign-list";
import type { Listed } from "./decide";
import { nameOfLaunch } from "./identity";
import {
  namesakesExist,
  notLaunched,
  notListed,
  orphanRetained,
  orphansLeft,
  takenOver,
  targetBoth,
  unconfirmedLaunch,
} from "./messages";
import { checkpointsProblem } from "./check";
import type { Sent } from "../shared/launch-memory";
import { type Identity, settle, type Settled, sort } from "./settle";

/* Launching a campaign, once. The numbers are the steps in docs/launch-safety.md. */

/** Launches the campaign, or takes it over if an earlier command launched it. `unconfirmed`: what the state has of it. */
export async function launch(inputs: Inputs, deployment: Deployment, unconfirmed?: State): Promise<Confirmed> {
  const { launches } = deployment;
  const identity = identityOf(inputs, deployment);
  const sent = launches.sent.get(identity.key);
  if (sent !== undefined) return afterSending(inputs, identity, sent, deployment);
  const terms = {
    command: unconfirmed === undefined ? ("launch" as const) : ("resolve" as const),
    identity,
    isQuarantined: () => unconfirmed !== undefined && isQuarantined(unconfirmed, deployment),
  };
  // Before its turn, so that the watches of several campaigns overlap.
  if (mayHaveLaunched(identity.key, deployment)) {
    const why = `The ${describeCampaign(inputs)} is not in the state, and an earlier command may have launched it.`;
    const settled = await settle({ ...terms, milliseconds: settleTime(deployment), why }, deployment);
    if (settled.do === "take over") return takeOver(inputs, settled, identity, deployment);
    requirePost(inputs, settled, deployment, unconfirmed);
  }
  return inTurn(inputs.appId, deployment, async () => {
    for (let number = 1; ; number++) {
      // Before the list is read, so that the list is not old when the launch is sent.
      await deployment.service.waitForRateLimit("campaign.launch", { app_id: inputs.appId });
      const settled = await settle({ ...terms, milliseconds: 0 }, deployment);
      if (settled.do === "take over") return takeOver(inputs, settled, identity, deployment);
      requirePost(inputs, settled, deployment, unconfirmed);
      const landingPage = await requireLaunchable(inputs, deployment, nameOfLaunch(inputs, identity.key));
      const launched = await post(inputs, landingPage, identity, number, deployment);
      if (launched !== undefined) return launched;
    }
  });
}

/** What belongs to a campaign's launch intent. Throws without an intent that this command has seen. */
export function identityOf(inputs: Inputs, { launches }: Deployment, besides?: string): Identity {
  const { launchIntent: key, deletionPolicy: policy = "delete" } = inputs;
  const intent = key === undefined ? undefined : launches.intents.get(key);
  if (key === undefined || intent === undefined)
    throw new ProviderError(notLaunched(inputs, ["It has no LaunchIntent that this command has seen."], [targetBoth]));
  const { apps, readBy } = intent;
  return { key, declared: inputs, apps, policy, readBy, ...(besides === undefined ? {} : { besides }) };
}

/** The same for an unconfirmed launch in the state. */
export function identityOfUnconfirmed(state: State): Identity {
  const { launchIntent: key = "", appId, apps = [appId], deletionPolicy: policy = "delete", readBy } = state;
  return { key, declared: state, apps, policy, readBy };
}

export function settleTime({ settings }: Deployment): number {
  return settings.launchSettleSeconds * 1000;
}

/** Whether a dead command may have launched under the key: no campaign was in the state when this command began. */
function mayHaveLaunched(key: string, { launches }: Deployment): boolean {
  return !launches.written.has(key) && !launches.freed.has(key);
}

/** Throws what stands against a launch. */
export function requirePost(inputs: Inputs, settled: Settled, deployment: Deployment, unconfirmed?: State): void {
  if (settled.do !== "fail") return;
  const { because, campaigns, unreadable } = settled;
  switch (because) {
    case "namesake":
      throw new ProviderError(namesakesExist(inputs, campaigns));
    case "orphan":
      throw new ProviderError(orphanRetained(campaigns));
    case "unreadable":
      throw new ProviderError(notLaunched(inputs, unreadable?.known ?? [], unreadable?.next ?? []));
    case "unconfirmed":
    case "credential":
      if (unconfirmed === undefined) throw new Error(`internal error: a launch fails as ${because}`);
      throw new PartialFailure(
        unconfirmed,
        unconfirmedLaunch(inputs, timesOf(unconfirmed, deployment), "up", [notListed]),
      );
  }
}

/** 3 and 4: what would refuse the launch. Returns the landing page to send. `replaced`: the campaign that is deleted before. */
export async function requireLaunchable(
  inputs: Inputs,
  deployment: Deployment,
  launchedName: string,
  replaced?: string,
): Promise<string> {
  const { whyNot, landingPage = inputs.landingPage } = await readLaunchReadiness(inputs, deployment);
  if (whyNot !== undefined) throw new ProviderError(notLaunched(inputs, whyNot.known, whyNot.next));
  const { appId, dailyBudgetMicros } = inputs;
  try {
    // On the list that has just decided about the launch.
    await requireWithinAppBudget({ appId, dailyBudgetMicros, launchedName, replaced }, deployment, "recent");
  } catch (error) {
    throw new ProviderError(notLaunched(inputs, knownFrom(error), nextFrom(error)));
  }
  return landingPage;
}

/** 6: sends the launch. Undefined where nothing was done and another try is worth it. */
async function post(
  inputs: Inputs,
  landingPage: string,
  identity: Identity,
  number: number,
  deployment: Deployment,
): Promise<Confirmed | undefined> {
  const { clock, service, launches, announce } = deployment;
  const { appId, paused, dailyBudgetMicros } = inputs;
  const name = nameOfLaunch(inputs, identity.key);
  await announce(
    `Launching ${describeCampaign(inputs)} as "${name}". This starts spending${paused === true ? " until it is paused right after" : ""}. If this command is interrupted: run \`pulumi cancel\`, then \`pulumi up\`.`,
  ).catch(() => {
    throw new ProviderError(notLaunched(inputs, ["The command that asked for this launch has ended."], []));
  });
  launches.sent.set(identity.key, { is: "sending" });
  launches.reserve(appId, name, dailyBudgetMicros);
  let answer: Answer<"campaign.launch">;
  try {
    answer = await changingList(appId, deployment, () =>
      service.call("campaign.launch", {
        parameters: { app_id: appId },
        // As readiness spells the landing page. The name has the declared spelling.
        body: launchBody({ ...inputs, landingPage }, name),
        once: true,
      }),
    );
  } catch (error) {
    const why = [...knownFrom(error), ...causesOf(error)];
    const isSure = error instanceof ServiceError && error.certainty !== "uncertain";
    // A fault of this package says nothing about when it happened.
    if (!isSure && !(error instanceof ProviderError)) {
      const attemptedAt = serviceNow(deployment, wholeSecond);
      launches.sent.set(identity.key, { is: "uncertain", attemptedAt, why });
      return confirm(inputs, identity, attemptedAt, why, deployment);
    }
    launches.release(appId, name);
    const wait = isSure ? waitBeforeRetry({ number, repeatable: false, error }, clock.random()) : undefined;
    if (wait === undefined) {
      launches.sent.set(identity.key, { is: "refused" });
      throw new ProviderError(notLaunched(inputs, why, nextFrom(error)));
    }
    launches.sent.delete(identity.key);
    await clock.sleep(wait);
    return undefined;
  }
  return launched(inputs, answer, identity, deployment);
}

function causesOf(error: unknown): string[] {
  return error instanceof ServiceError && error.status === 409
    ? [
        "A 409 can mean a billing hold, a campaign that was launched from this draft before, or a time-out after the request was sent.",
      ]
    : [];
}

/** 7: the outcome is uncertain. Nothing is sent again; the list is watched. */
async function confirm(
  inputs: Inputs,
  identity: Identity,
  attemptedAt: number,
  why: readonly string[],
  deployment: Deployment,
): Promise<Confirmed> {
  const launchedName = nameOfLaunch(inputs, identity.key);
  const readBy = deployment.service.endpoints.evidence("campaign.list");
  const unconfirmed = unconfirmedState(inputs, attemptedAt, { launchedName, apps: severalApps(identity), readBy });
  const stillUnconfirmed = (known: readonly string[], next: readonly string[] = []): PartialFailure =>
    new PartialFailure(
      unconfirmed,
      unconfirmedLaunch(inputs, timesOf(unconfirmed, deployment), "up", [...why, ...known], next),
    );
  let settled: Settled;
  try {
    const watching = `It is uncertain whether ${describeCampaign(inputs)} was launched.`;
    settled = await settle(
      { command: "confirm", identity, milliseconds: settleTime(deployment), why: watching },
      deployment,
    );
  } catch (error) {
    // What was sent stays unconfirmed, whatever ended the watch.
    throw stillUnconfirmed(knownFrom(error), isInterruption(deployment.clock, error) ? [] : nextFrom(error));
  }
  if (settled.do === "take over") return takeOver(inputs, settled, identity, deployment);
  throw stillUnconfirmed(settled.unreadable?.known ?? [notListed], settled.unreadable?.next);
}

/** What a repeated `create` of the same command does: Pulumi's `onError` hooks cause one. Nothing is sent again. */
function afterSending(
  inputs: Inputs,
  identity: Identity,
  sent: Sent,
  deployment: Deployment,
): Promise<Confirmed> | Confirmed {
  switch (sent.is) {
    case "launched":
      return sent.campaign as Confirmed;
    case "uncertain":
      return confirm(inputs, identity, sent.attemptedAt, sent.why, deployment);
    case "sending":
    case "refused":
      throw new ProviderError(
        notLaunched(
          inputs,
          ["This command has sent this launch before, and sends each launch once."],
          ["Fix the reported problem, and run `pulumi up` again."],
        ),
      );
  }
}

/** A campaign of this launch is live: it is this resource's own. */
export function takeOver(
  inputs: Inputs,
  { campaign, orphans }: Extract<Settled, { do: "take over" }>,
  identity: Identity,
  deployment: Deployment,
): Confirmed {
  const { row } = campaign;
  const isOwn = deployment.launches.sent.get(identity.key)?.is === "uncertain";
  const mayBeOurPause = identity.policy === "pause" && isPaused(row) === true;
  const readBy = deployment.service.endpoints.evidence("campaign.list");
  const state = toState(
    inputs,
    row,
    { origin: undefined, readBy, pausedBy: mayBeOurPause ? "unknown" : "service", apps: severalApps(identity) },
    undefined,
  );
  remember(state, identity, deployment);
  deployment.log(takenOver(inputs, campaign, isOwn));
  if (orphans.length === 0) return state;
  if (identity.policy !== "retain") return { ...state, duplicates: orphans.map((orphan) => orphan.row.id) };
  deployment.warn(orphansLeft(orphans));
  return state;
}

/**
 * After a 200. The list is read once more: from then on the campaign's absence from it is evidence, and a namesake that
 * another stack launched at the same moment is named.
 */
async function launched(
  inputs: Inputs,
  { campaign, account }: Answer<"campaign.launch">,
  identity: Identity,
  deployment: Deployment,
): Promise<Confirmed> {
  const { service, log } = deployment;
  const launchedName = nameOfLaunch(inputs, identity.key);
  const readBy = service.endpoints.evidence("campaign.launch");
  const apps = severalApps(identity);
  const kept = { origin: undefined, readBy, pausedBy: "service" as const, launchedName, apps };
  const state = toState(inputs, campaign, kept, account);
  remember(state, identity, deployment);
  const { appId, campaignId } = state;
  if (state.launchedName !== launchedName)
    log(
      `The service shows campaign ${campaignId} as "${state.launchedName ?? ""}" and not as "${launchedName}". After an interruption, no command would recognize such a campaign.`,
    );
  let rows;
  try {
    rows = liveCampaigns(await readCampaigns(appId, deployment, "fresh"));
  } catch (error) {
    log(formatReport({ what: `Campaign ${campaignId} was launched.`, ...unreadableList(error, deployment) }));
    return state;
  }
  const { namesakes } = sort(
    rows.map((row): Listed => ({ appId, row })),
    { ...identity, besides: campaignId },
    deployment,
  );
  if (namesakes.length > 0)
    deployment.warn(
      `MONEY MAY BE MOVING TWICE: beside campaign ${campaignId}, ${namesakes.map(({ row }) => row.id).join(", ")} of the same name is live. Another stack may have launched it at the same moment. This stack never touches it.`,
    );
  const row = findById(rows, campaignId);
  if (row === undefined) {
    log(`Campaign ${campaignId} was launched, but the campaign list does not show it yet.`);
    return state;
  }
  const differing = differingValues(row, inputs);
  if (differing.length > 0)
    log(
      `The service stores other values of campaign ${campaignId} than were sent: ${differing.join(", ")}. \`pulumi refresh\` shows them. Declare them, or the next \`up\` after it replaces the campaign.`,
    );
  const listed = toState(inputs, row, { ...state, readBy: service.endpoints.evidence("campaign.list") });
  remember(listed, identity, deployment);
  return listed;
}

/** For the state: later looks cover every app of the intent. */
function severalApps({ apps }: Identity): readonly string[] | undefined {
  return apps.length === 1 ? undefined : apps;
}

/** The campaign is this resource's own from now on. */
function remember(state: Confirmed, { key }: Identity, { launches }: Deployment): void {
  launches.managed.add(identifiedName(state));
  launches.settled.add(key);
  launches.sent.set(key, { is: "launched", campaign: state });
}

export function requireCheckpoints(): void {
  const [problem] = checkpointsProblem();
  if (problem !== undefined) throw new ProviderError({ what: `The campaign ${problem}.` });
}

/** `Date` headers count whole seconds. The quarantine must not be shorter by that. */
const wholeSecond = 1_000;

/** The time by the service's clock, or by this machine's where that is not known. */
function serviceNow({ clock, service }: Deployment, tolerance = 0): number {
  const time = service.serviceTime(clock.now());
  return time === undefined ? clock.now() : time + tolerance;
}

/** When an unconfirmed launch was sent, and how long nothing is launched after it. */
export function timesOf(state: State, deployment: Deployment) {
  const now = serviceNow(deployment);
  const sentBefore = Date.parse(state.launchAttemptedAt ?? "") || now;
  return { now, sentBefore, quarantinedUntil: sentBefore + deployment.settings.launchQuarantineSeconds * 1000 };
}

export function isQuarantined(state: State, deployment: Deployment): boolean {
  const { now, quarantinedUntil } = timesOf(state, deployment);
  return now < quarantinedUntil;
}
