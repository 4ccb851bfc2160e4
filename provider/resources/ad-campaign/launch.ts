import { isInterruption } from "../../service/clock";
import { formatReport, knownFrom, nextFrom, ProviderError, ReportedError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import { filled } from "../../service/shapes";
import { sameTimeZone } from "../shared/compare";
import type { Deployment } from "../shared/deployment";
import type { KeyMemory, UncertainLaunch } from "../shared/launch-memory";
import { PartialFailure } from "../shared/lifecycle";
import { inTurn, requireWithinAppBudget } from "./budget";
import {
  accountOutputs,
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
  type Freshness,
  isPaused,
  readCampaigns,
  readLaunchReadiness,
  unreadableList,
} from "./campaign-list";
import type { Listed } from "./decide";
import { nameOfLaunch } from "./identity";
import {
  held,
  idsOf,
  type LaunchTimes,
  notLaunched,
  notListed,
  targetBoth,
  unconfirmedLaunch,
  whyNotLaunched,
} from "./messages";
import { type Identity, liveIn, type Outcome, search, sort } from "./search";
import { deleteOrPauseOrphan } from "./switch";

/* Launching a campaign, once. The numbers are the steps in docs/launch-safety.md. */

/** Launches the campaign, or takes it over if an earlier command launched it. `unconfirmed`: what the state has of it. */
export async function launch(inputs: Inputs, deployment: Deployment, unconfirmed?: State): Promise<Confirmed> {
  try {
    return await new Launch(inputs, deployment, unconfirmed).run();
  } catch (error) {
    if (unconfirmed === undefined || error instanceof PartialFailure || !(error instanceof ReportedError)) throw error;
    // Whatever stands against another launch, the earlier one may be live.
    const { known = [], next } = error.report;
    const attempted = { ...inputs, launchedName: unconfirmed.launchedName };
    const times = timesOf(unconfirmed, deployment);
    // Destroy follows the policy of the last up.
    const state = { ...unconfirmed, deletionPolicy: inputs.deletionPolicy };
    throw new PartialFailure(state, unconfirmedLaunch(attempted, times, "up", known, next));
  }
}

/** What belongs to a campaign's launch intent. Throws without an intent that this command has seen. */
export function identityOf(inputs: Inputs, { launches }: Deployment, besides?: string): Identity {
  const { launchIntent: key, deletionPolicy: policy = "delete" } = inputs;
  const intent = key === undefined ? undefined : launches.of(key).intent;
  if (key === undefined || intent === undefined)
    throw notLaunched(inputs, ["It has no LaunchIntent that this command has seen."], [targetBoth]);
  const { apps, readBy } = intent;
  return { key, declared: inputs, apps, policy, readBy, besides };
}

export function settleTime({ settings }: Deployment): number {
  return settings.launchSettleSeconds * 1000;
}

/** 4: what would refuse the launch. Returns the landing page to send. `without`: the campaigns that are deleted before. */
export async function requireLaunchable(
  inputs: Inputs,
  deployment: Deployment,
  launchedName: string,
  without: readonly string[],
): Promise<string> {
  const { whyNot, landingPage = inputs.landingPage } = await readLaunchReadiness(inputs, deployment);
  if (whyNot !== undefined) throw notLaunched(inputs, whyNot.known, whyNot.next);
  const { appId, dailyBudgetMicros } = inputs;
  try {
    // On the list that has just decided about the launch.
    await requireWithinAppBudget({ appId, dailyBudgetMicros, launchedName, without }, deployment, "recent");
  } catch (error) {
    throw notLaunched(inputs, knownFrom(error), nextFrom(error));
  }
  return landingPage;
}

class Launch {
  private readonly identity: Identity;
  private readonly name: string;
  private readonly memory: KeyMemory;
  /** The campaigns that this launch paused by the policy "pause". A refresh must not take them for duplicates. */
  private readonly paused: string[] = [];

  constructor(
    private readonly inputs: Inputs,
    private readonly deployment: Deployment,
    private readonly unconfirmed: State | undefined,
  ) {
    this.identity = identityOf(inputs, deployment);
    this.name = nameOfLaunch(inputs, this.identity.key);
    this.memory = deployment.launches.of(this.identity.key);
  }

  async run(): Promise<Confirmed> {
    const { inputs, memory, deployment } = this;
    // Pulumi's `onError` hooks repeat a `create`.
    switch (memory.sent?.is) {
      case "launched":
        return memory.sent.campaign as Confirmed;
      case "uncertain":
        return this.confirm(memory.sent);
      case "refused":
        throw notLaunched(
          inputs,
          ["This command has sent this launch before, and sends each launch once."],
          ["Fix the reported problem, and run `pulumi up` again."],
        );
      case undefined:
    }
    // Before its turn, so that the watches of several campaigns overlap.
    if (this.mayBeLaunched) {
      const what = this.unconfirmed === undefined ? "is not in the state" : "is not confirmed";
      const why = `The ${describeCampaign(inputs)} ${what}, and an earlier command may have launched it.`;
      const found = await this.find({ milliseconds: settleTime(deployment), why });
      if (found.do === "take over") return this.takeOver(found);
    }
    return inTurn(inputs.appId, deployment, () => this.sendOrFind());
  }

  private async sendOrFind(): Promise<Confirmed> {
    const { inputs, deployment } = this;
    for (let number = 1; ; number++) {
      // Before the list is read, so that the list is not old when the launch is sent.
      await deployment.service.waitForRateLimit("campaign.launch", { app_id: inputs.appId });
      const found = await this.find();
      if (found.do === "take over") return this.takeOver(found);
      const without = found.orphans.map(({ row }) => row.id);
      const landingPage = await requireLaunchable(inputs, deployment, this.name, without);
      for (const orphan of found.orphans) await deleteOrPauseOrphan(orphan, this.identity, deployment);
      this.noteEnded(found.orphans);
      if (found.orphans.length > 0) continue;
      // Readiness may have been slow, and meanwhile the list has changed.
      const last = await this.find({ freshness: "recent" });
      if (last.do === "take over" || last.orphans.length > 0) continue;
      const { endpoints } = deployment.service;
      if (this.mayBeLaunched && !endpoints.isEvidence("campaign.list", this.identity.readBy))
        deployment.warn(
          `If an earlier command launched the ${describeCampaign(inputs)}, MONEY MAY BE MOVING TWICE: the token, or the path of campaign.list, has changed since, and this list may not show it. With the earlier one, look for a second campaign whose name ends in "-${this.identity.key}" and 5 more digits, and delete it.`,
        );
      const launched = await this.post(landingPage, number);
      if (launched !== undefined) return launched;
    }
  }

  /** 1 to 3: what the lists show. Throws what stands against the launch. */
  private async find(
    watching: { milliseconds?: number; why?: string; freshness?: Freshness } = {},
  ): Promise<Extract<Outcome, { do: "take over" | "post" }>> {
    const { identity, unconfirmed, deployment } = this;
    const isOpen = (): boolean => unconfirmed !== undefined && isQuarantined(unconfirmed, deployment);
    const outcome = await search({ command: "launch", identity, isQuarantined: isOpen, ...watching }, deployment);
    this.noteEnded(outcome.ended);
    if (outcome.do === "fail") throw whyNotLaunched(this.inputs, outcome, this.mayBeLaunched);
    if (outcome.do === "done") throw new Error("internal error: a launch is done before it is found or sent");
    return outcome;
  }

  /** 5 and 6: sends the launch. Undefined where nothing was done and another try is worth it. */
  private async post(landingPage: string, number: number): Promise<Confirmed | undefined> {
    const { inputs, name, memory, deployment } = this;
    const { appId, paused, dailyBudgetMicros: micros } = inputs;
    const { clock, service, announce } = deployment;
    await announce(
      `Launching ${describeCampaign(inputs)} as "${name}". This starts spending${paused === true ? " until it is paused right after" : ""}. If this command is interrupted: run \`pulumi cancel\`, then \`pulumi up\`.`,
    ).catch(() => {
      throw notLaunched(inputs, ["The command that asked for this launch has ended."], []);
    });
    memory.sent = { is: "refused" };
    memory.reserved = { appId, launchedName: name, micros };
    let answer: Answer<"campaign.launch">;
    try {
      answer = await changingList(appId, deployment, () =>
        service.call("campaign.launch", {
          parameters: { app_id: appId },
          // The landing page as readiness spells it. The name has the declared spelling.
          body: launchBody({ ...inputs, landingPage }, name),
          once: true,
        }),
      );
    } catch (error) {
      const why = knownFrom(error);
      const isSure = error instanceof ServiceError && error.certainty !== "uncertain";
      // A fault of this package says nothing about when it happened.
      if (!isSure && !(error instanceof ProviderError)) {
        const sent = { is: "uncertain", attemptedAt: serviceNow(deployment, wholeSecond), why } as const;
        memory.sent = sent;
        return this.confirm(sent);
      }
      memory.reserved = undefined;
      const wait = isSure ? waitBeforeRetry({ number, repeatable: false, error }, clock.random()) : undefined;
      if (wait === undefined) throw notLaunched(inputs, why, nextFrom(error));
      memory.sent = undefined;
      await clock.sleep(wait);
      return undefined;
    }
    return this.launched(answer);
  }

  /** 7: the outcome is uncertain. Nothing is sent again; the list is watched. */
  private async confirm({ attemptedAt, why }: UncertainLaunch): Promise<Confirmed> {
    const { inputs, identity, name: launchedName, deployment } = this;
    const readBy = deployment.service.endpoints.evidence("campaign.list");
    const unconfirmed = unconfirmedState(inputs, attemptedAt, { launchedName, apps: identity.apps, readBy });
    const stillUnconfirmed = (known: readonly string[], next: readonly string[] = []): PartialFailure => {
      const times = timesOf(unconfirmed, deployment);
      return new PartialFailure(unconfirmed, unconfirmedLaunch(unconfirmed, times, "up", [...why, ...known], next));
    };
    let outcome: Outcome;
    try {
      outcome = await search(
        {
          ...{ command: "confirm", identity, milliseconds: settleTime(deployment) },
          why: `It is uncertain whether ${describeCampaign(inputs)} was launched.`,
        },
        deployment,
      );
    } catch (error) {
      // What was sent stays unconfirmed, whatever ended the watch.
      throw stillUnconfirmed(knownFrom(error), isInterruption(deployment.clock, error) ? [] : nextFrom(error));
    }
    this.noteEnded(outcome.ended);
    if (outcome.do === "take over") return this.takeOver(outcome);
    throw stillUnconfirmed(outcome.unreadable?.known ?? [notListed], outcome.unreadable?.next);
  }

  private takeOver(found: Extract<Outcome, { do: "take over" }>): Confirmed {
    const isOwn = this.memory.sent?.is === "uncertain";
    const terms = { isOwn, pausedDuplicates: this.paused };
    return this.keep(takeOver(this.inputs, found, this.identity, this.deployment, terms));
  }

  /** If the engine calls `create` again, it continues with this campaign. */
  private keep(campaign: Confirmed): Confirmed {
    this.memory.sent = { is: "launched", campaign };
    return campaign;
  }

  /**
   * After a 200. The list is read once more: from then on the campaign's absence from it is evidence, and a namesake that
   * another stack launched at the same moment is named.
   */
  private async launched({ campaign, account }: Answer<"campaign.launch">): Promise<Confirmed> {
    const { inputs, identity, name: launchedName, deployment } = this;
    const { service, log, logOnce, warn } = deployment;
    const readBy = service.endpoints.evidence("campaign.launch");
    const kept = { launchedName, apps: identity.apps, pausedDuplicates: filledOrUndefined(this.paused) };
    const state = toState(inputs, campaign, { ...kept, ...accountOutputs(account), readBy, pausedBy: "service" });
    remember(this.keep(state), identity, deployment);
    const { appId, campaignId } = state;
    const accountTimezone = filled(state.accountTimezone);
    // The list may not show it yet.
    if (isPaused(campaign) === true && inputs.paused !== true) logOnce(held(state));
    if (state.launchedName !== launchedName)
      warn(
        `The service shows campaign ${campaignId} as "${state.launchedName ?? ""}" and not as "${launchedName}". After an interruption, no command would recognize such a campaign.`,
      );
    const { timezone } = inputs;
    if (timezone !== undefined && accountTimezone !== undefined && !sameTimeZone(timezone, accountTimezone))
      warn(
        `The advertising account of app ${appId} has the time zone ${accountTimezone}, and the program declares ${timezone}. An account keeps the time zone with which it was created. Declare ${accountTimezone}, or leave timezone out.`,
      );
    let rows;
    try {
      rows = await readCampaigns(appId, deployment, "fresh");
    } catch (error) {
      log(formatReport({ what: `Campaign ${campaignId} was launched.`, ...unreadableList(error, deployment) }));
      return state;
    }
    const { namesakes } = sort(liveIn(appId, rows), { ...identity, besides: campaignId }, deployment);
    if (namesakes.length > 0)
      warn(
        `MONEY MAY BE MOVING TWICE: beside campaign ${campaignId}, ${idsOf(namesakes)} of the same name is live. Another stack may have launched it at the same moment. This stack never touches it.`,
      );
    const row = findById(rows, campaignId);
    if (row === undefined) {
      log(
        `Campaign ${campaignId} was launched, but the campaign list does not show it yet. \`pulumi refresh\` looks again, and for duplicates of it.`,
      );
      return state;
    }
    const differing = differingValues(row, inputs);
    if (differing.length > 0)
      log(
        `The service stores other values of campaign ${campaignId} than were sent: ${differing.join(", ")}. \`pulumi refresh\` shows them. Declare them, or the next \`up\` after it replaces the campaign.`,
      );
    const shown = toState(inputs, row, { ...state, readBy: service.endpoints.evidence("campaign.list") });
    remember(shown, identity, deployment);
    return this.keep(shown);
  }

  /** Whether a dead command may have launched: after a killed replacement, Pulumi keeps the old campaign in the state. */
  private get mayBeLaunched(): boolean {
    const { history } = this.memory;
    return history === undefined || history === "kept";
  }

  private noteEnded(campaigns: readonly Listed[]): void {
    if (this.identity.policy === "pause") this.paused.push(...campaigns.map(({ row }) => row.id));
  }
}

/** A campaign of this launch is live: it is this resource's own. `isOwn`: this command sent the launch. */
export function takeOver(
  inputs: Inputs,
  { campaign: { row }, orphans }: Extract<Outcome, { do: "take over" }>,
  identity: Identity,
  deployment: Deployment,
  { isOwn, pausedDuplicates }: { readonly isOwn: boolean; readonly pausedDuplicates: string[] },
): Confirmed {
  const { service, log, warn } = deployment;
  // Only an earlier command can have paused it.
  const mayBeOurPause = !isOwn && identity.policy === "pause" && isPaused(row) === true;
  const taken = toState(inputs, row, {
    readBy: service.endpoints.evidence("campaign.list"),
    pausedBy: mayBeOurPause ? "unknown" : "service",
    apps: identity.apps,
    pausedDuplicates: filledOrUndefined(pausedDuplicates),
  });
  const isRetained = identity.policy === "retain";
  const duplicates = isRetained ? undefined : filledOrUndefined(orphans.map((orphan) => orphan.row.id));
  const state = { ...taken, duplicates };
  remember(state, identity, deployment);
  const what = isOwn ? "The launch of this command is confirmed" : "An earlier command launched it";
  log(
    `${what}: the ${describeCampaign(inputs)} is live as ${row.id} (${row.status}). Using it; nothing else is launched.`,
  );
  if (isRetained && orphans.length > 0)
    warn(
      `MONEY MAY BE MOVING TWICE: ${idsOf(orphans)} was launched by this resource too, and goes on by the deletionPolicy "retain".`,
    );
  return state;
}

/** The campaign is this resource's own from now on. */
function remember(state: Confirmed, { key }: Identity, { launches, ledger }: Deployment): void {
  ledger.setFate(identifiedName(state), "kept");
  const memory = launches.of(key);
  // The service may show the campaign under another name than it was launched with.
  const reserved = memory.reserved && { ...memory.reserved, launchedName: state.launchedName ?? "" };
  Object.assign(memory, { history: "kept", reserved });
}

function filledOrUndefined(list: string[]): string[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** `Date` headers count whole seconds. The quarantine must not be shorter by that. */
const wholeSecond = 1_000;

/** The time by the service's clock, or by this machine's where that is not known. */
function serviceNow({ clock, service }: Deployment, tolerance = 0): number {
  const time = service.serviceTime(clock.now());
  return time === undefined ? clock.now() : time + tolerance;
}

export function timesOf(state: State, deployment: Deployment): LaunchTimes {
  const now = serviceNow(deployment);
  const sentBefore = Date.parse(state.launchAttemptedAt ?? "") || now;
  return { now, sentBefore, quarantinedUntil: sentBefore + deployment.settings.launchQuarantineSeconds * 1000 };
}

export function isQuarantined(state: State, deployment: Deployment): boolean {
  const { now, quarantinedUntil } = timesOf(state, deployment);
  return now < quarantinedUntil;
}
