import { asSeconds, isInterruption, worthSaying } from "../../service/clock";
import { formatReport, knownFrom, nextFrom, ProviderError, ReportedError, ServiceError } from "../../service/errors";
import { currencyCode, money } from "../../service/money";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import { claim, claimFound } from "../shared/ownership";
import { AppBudgetRefusal, withinAppBudget } from "./app-budget";
import {
  attemptOf,
  type Confirmed,
  declaredName,
  describeCampaign,
  type Inputs,
  kind,
  launchBody,
  objectName,
  type State,
  toState,
  toStateFromList,
  unconfirmedState,
} from "./campaign";
import {
  changingList,
  findById,
  findDeclared,
  type Freshness,
  type ListedArguments,
  type ListedCampaign,
  liveCampaigns,
  lookFor,
  type Match,
  objectionToAge,
  readCampaigns,
  readLaunchReadiness,
  rewrittenValues,
  sameValue,
  unreadableList,
} from "./campaign-list";
import { launchedSince, requireServiceOf } from "./intent";
import { type Attempt, begin, type Command, type End, type Event, isEnd, next, type Phase } from "./protocol";
import { alsoNaming, foundRunning, notLaunched, unconfirmedLaunch } from "./launch-messages";
import { checkBaseUrl } from "../../service/setting-names";

/* Carries out the launch protocol, and turns its end into the campaign that the stack manages. */

/** How a launch ended, with the account that its response described. */
type Outcome = End & { account?: Answer<"campaign.launch">["account"] };
type ObjectionTo = (row: ListedCampaign) => string | undefined;
type Running = Extract<Outcome, { is: "running" }>;

/** Launches, or finds that it runs already. `earlier`: an unconfirmed launch, whose list is read before anything else. */
export function launch(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const intent = intentOf(inputs, deployment, earlier);
  return namingOthers(inputs, intent, deployment, () => launchUnder(intent, inputs, deployment, earlier));
}

async function launchUnder(
  intent: string | undefined,
  inputs: Inputs,
  deployment: Deployment,
  earlier?: State,
): Promise<Confirmed> {
  const outcome = await runProtocol(inputs, deployment, "up", earlier);
  switch (outcome.is) {
    case "running":
      return manage(inputs, outcome, deployment, earlier);
    case "not-launched":
      throw new ProviderError(notLaunched(inputs, outcome, endedFor(inputs, deployment), earlier));
    case "unconfirmed":
      // The next command continues from here, under a lease of its own.
      if (earlier === undefined) deployment.claims.take(declaredName(inputs));
      throw new PartialFailure(
        unconfirmedState(inputs, outcome.attempt, intent, deployment.service),
        unconfirmedLaunch(inputs, outcome, deployment.clock.now(), "up"),
      );
    case "forgotten":
      throw new Error("internal error: an up does not forget a launch");
  }
}

/** An error of this work ends the command before it looks for other campaigns that earlier commands may have launched. */
export async function namingOthers<T>(
  declared: Inputs,
  intent: string | undefined,
  { intents, clock }: Deployment,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const others = intents
      .openPredecessors(intent, clock.now())
      .filter((campaign) => campaign !== declaredName(declared));
    if (!(error instanceof ReportedError) || others.length === 0) throw error;
    const report = alsoNaming(others, error.report);
    throw error instanceof PartialFailure ? new PartialFailure(error.state, report) : new ProviderError(report);
  }
}

/** The campaigns that this command has ended to launch this one in their place. */
function endedFor(inputs: Inputs, { claims }: Deployment): string[] {
  return claims
    .replacedFor((by) => declaredName(by as Inputs) === declaredName(inputs))
    .filter((object) => claims.isEnded(object));
}

/** What a refresh finds out about an unconfirmed launch: the campaign, where the list shows it now. */
export async function refreshUnconfirmed(state: State, deployment: Deployment): Promise<State> {
  const outcome = await runProtocol(state, deployment, "refresh", state);
  if (outcome.is === "running") return manage(state, outcome, deployment, state);
  if (outcome.is !== "unconfirmed") throw new Error(`internal error: a refresh cannot end "${outcome.is}"`);
  const now = deployment.clock.now();
  const error = new ProviderError(unconfirmedLaunch(state, outcome, now, "refresh"));
  if (!outcome.isShownAbsent || now < outcome.quarantinedUntil) throw error;
  deployment.log(error.message);
  return state;
}

/** The campaign of an unconfirmed launch that is to be destroyed; undefined when there is nothing to destroy. */
export async function findUnconfirmed(state: State, deployment: Deployment): Promise<Confirmed | undefined> {
  const { clock, log } = deployment;
  const outcome = await runProtocol(state, deployment, "destroy", state);
  switch (outcome.is) {
    case "forgotten":
      log(`The ${objectName(state)} was never confirmed, and a complete list does not show it: it leaves the stack.`);
      return undefined;
    case "unconfirmed":
      throw new ProviderError(unconfirmedLaunch(state, outcome, clock.now(), "destroy"));
    case "running":
      return manage(state, outcome, deployment, state, true);
    case "not-launched":
      throw new Error("internal error: a destroy does not launch");
  }
}

/** Each phase of the protocol asks for one thing, whose outcome leads to the next phase. */
async function runProtocol(
  declared: Inputs,
  deployment: Deployment,
  command: Command,
  earlier?: State,
): Promise<Outcome> {
  const { service, settings } = deployment;
  if (earlier !== undefined && !service.endpoints.isOfThisService(earlier.readBy))
    throw new ProviderError({
      what: `MONEY MAY BE MOVING: ${describeCampaign(earlier)} may be live at another base URL, where its launch was sent. No request was sent.`,
      next: [checkBaseUrl],
    });
  const attempt = earlier && attemptOf(earlier, deployment);
  const terms = {
    command,
    settleMilliseconds: settings.launchSettleSeconds * 1000,
    quarantineMilliseconds: settings.launchQuarantineSeconds * 1000,
  };
  const driver = new LaunchDriver(declared, deployment, command, attempt);
  const mayBeLive = deployment.intents.isOpen(declaredName(declared));
  const intent = deployment.intents.fromEarlierCommand(declaredName(declared));
  if (mayBeLive && intent !== undefined) requireServiceOf(intent, deployment);
  let phase: Phase = begin(attempt, mayBeLive, deployment.clock.now() + terms.settleMilliseconds);
  while (!isEnd(phase)) phase = next(phase, await driver.carryOut(phase), terms);
  return { ...phase, account: driver.account };
}

/** The nonce of the intent under which the campaign is launched, or was. */
function intentOf(declared: Inputs, { intents }: Deployment, earlier: State | undefined): string | undefined {
  return intents.linkOf(declaredName(declared))?.nonce ?? earlier?.intent;
}

/** What the phases of one launch have in common. */
class LaunchDriver {
  account: Answer<"campaign.launch">["account"];
  /** Campaigns that commands ended before this launch: a slow list may still show them as live. */
  private readonly setAside: Set<string>;
  private isWatching = false;

  constructor(
    private readonly declared: Inputs,
    private readonly deployment: Deployment,
    private readonly command: Command,
    earlier: Attempt | undefined,
  ) {
    this.setAside = new Set(earlier?.setAside);
  }

  async carryOut(phase: Exclude<Phase, End>): Promise<Event> {
    const { clock, service } = this.deployment;
    try {
      return await this.attempt(phase);
    } catch (error) {
      if (!isInterruption(clock, error)) throw error;
      return { is: "interrupted", ...service.momentAt(clock.now()), why: { known: knownFrom(error) } };
    }
  }

  private async attempt(phase: Exclude<Phase, End>): Promise<Event> {
    switch (phase.is) {
      case "looking":
      case "watching":
        await this.wait(phase);
        // Nothing was launched in this command: only an earlier one can have launched what the list shows.
        return this.readList("fresh", (row) => this.objectionTo(row));
      case "settling":
        await this.wait(phase);
        return this.readList("fresh");
      case "reviewing":
        await this.wait(phase);
        // A refresh only looks. What may launch or forget needs a list from after it began.
        return this.readList(this.command === "refresh" ? "recent" : "fresh");
      case "launching":
        return this.launch(phase.try);
    }
  }

  private objectionTo(row: ListedCampaign): string | undefined {
    const object = this.objectName(row);
    if (this.deployment.declarations.has(kind, object)) return "declared by its campaignId";
    if (this.deployment.claims.isReplaced(object)) return "being replaced";
    // What was launched since then is this resource's own. Asked late: the service's clock is known after a response.
    const since = launchedSince(this.declared, this.deployment);
    if (since !== undefined) return objectionToAge(row, since);
    const isNew = objectionToAge(row, this.deployment.clock.now()) === undefined;
    return `not known to be launched by this resource${isNew ? "; the next `pulumi up` would adopt it, and one without this resource would end it" : ""}`;
  }

  private async wait(phase: Extract<Phase, { is: "looking" | "watching" | "settling" | "reviewing" }>): Promise<void> {
    const { clock, log } = this.deployment;
    const name = `campaign "${this.declared.campaignName}"`;
    if (phase.is === "looking" && phase.wait >= worthSaying)
      log(`Waiting ${asSeconds(phase.wait)} before ${name} is launched. The campaign list is read again first.`);
    if (phase.is === "watching" || (phase.is === "reviewing" && phase.wait > 0)) this.sayWatching(phase.until, name);
    await clock.sleep(phase.wait);
    // Not before the sleep, which an interruption ends: then nothing is watched.
    if (phase.is === "settling" && phase.wait === 0)
      log(
        formatReport({
          what: `It is uncertain whether ${name} was launched. Watching the campaign list for ${asSeconds(phase.until - clock.now())}.`,
          known: phase.cause.known,
        }),
      );
    if (this.command === "up" && phase.is !== "settling") await this.waitForRateLimit();
  }

  private sayWatching(until: number, name: string): void {
    if (this.isWatching) return;
    this.isWatching = true;
    const { clock, log } = this.deployment;
    log(
      `An earlier command may have been interrupted in a launch. Watching the campaign list for ${asSeconds(until - clock.now())} before ${name} is ${this.command === "up" ? "launched" : "forgotten"}.`,
    );
  }

  /** Before the list is read, so that the list is not old when the launch is sent. */
  private waitForRateLimit(): Promise<void> {
    return this.deployment.service.waitForRateLimit("campaign.launch", { app_id: this.declared.appId });
  }

  private readList(freshness: Freshness, objectionTo?: ObjectionTo): Promise<Event> {
    const { claims } = this.deployment;
    return lookFor(this.declared.appId, this.deployment, freshness, (rows) => {
      // What this deployment has just deleted or paused to make room is not the new one, even if a slow list shows it.
      for (const row of rows) if (claims.isEnded(this.objectName(row))) this.setAside.add(row.id);
      const others = rows.filter(({ id }) => !this.setAside.has(id));
      return this.matchIn(others, objectionTo);
    });
  }

  private matchIn(rows: readonly ListedCampaign[], objectionTo?: ObjectionTo): Match {
    const match = findDeclared(rows, this.declared, objectionTo);
    if (match.is === "unclear")
      for (const row of match.campaigns) this.deployment.claims.markInDoubt(this.objectName(row));
    if (this.command === "up" || (this.command === "destroy" && match.is !== "unclear")) return match;
    // A campaign that another resource manages is not that of an unconfirmed launch: its name was free again by then.
    return findDeclared(
      rows.filter((row) => !this.deployment.claims.has(this.objectName(row))),
      this.declared,
    );
  }

  private objectName({ id }: ListedCampaign): string {
    return objectName({ ...this.declared, campaignId: id });
  }

  private async launch(number: number): Promise<Event> {
    const { whyNot, landingPage = this.declared.landingPage } = await readLaunchReadiness(
      this.declared,
      this.deployment,
    );
    if (whyNot !== undefined) return { is: "refused", why: whyNot };
    try {
      return await withinAppBudget(
        this.declared,
        this.deployment,
        // While it waited for its turn, the campaign may have become live.
        (now) =>
          this.isIn(now)
            ? Promise.resolve<Event>({ is: "postponed", wait: 0 })
            : this.post({ ...this.declared, landingPage }, number),
        ({ is }) => is === "launched" || is === "uncertain",
      );
    } catch (error) {
      if (!(error instanceof AppBudgetRefusal)) throw error;
      return { is: "refused", why: { known: knownFrom(error), next: nextFrom(error) } };
    }
  }

  private isIn(rows: readonly ListedCampaign[]): boolean {
    const others = rows.filter(({ id }) => !this.setAside.has(id));
    return findDeclared(others, this.declared).is !== "none";
  }

  private async post(campaign: Inputs, number: number): Promise<Event> {
    const { clock, service, announce } = this.deployment;
    const { appId, paused } = campaign;
    try {
      // Said before it is sent: if the command is interrupted now, its log tells that a launch may have been sent.
      await announce(
        `Launching ${describeCampaign(campaign)}. This starts spending${paused === true ? " until it is paused right after" : ""}. If this command is interrupted, run \`pulumi up\`: it finds the campaign.`,
      );
    } catch {
      return { is: "refused", why: { known: ["The command that asked for this launch has ended."] } };
    }
    try {
      const answer = await changingList(appId, this.deployment, () =>
        service.call("campaign.launch", {
          parameters: { app_id: appId },
          body: launchBody(campaign),
          once: true,
        }),
      );
      this.account = answer.account;
      return { is: "launched", campaign: answer.campaign };
    } catch (error) {
      const why = { known: [...knownFrom(error), ...causesOf(error)], next: nextFrom(error) };
      if (error instanceof ProviderError) return { is: "refused", why };
      // A fault of this package: nothing says that it came before the request was sent.
      if (!(error instanceof ServiceError) || error.certainty === "uncertain")
        return { is: "uncertain", ...service.momentAt(clock.now()), setAside: [...this.setAside], why };
      const wait = waitBeforeRetry({ number, repeatable: false, error }, clock.random());
      return wait === undefined ? { is: "refused", why } : { is: "postponed", wait };
    }
  }
}

function causesOf(error: unknown): string[] {
  return error instanceof ServiceError && error.status === 409
    ? [
        "A 409 can mean a billing hold, a campaign that was launched from this draft before, or a time-out after the request was sent.",
      ]
    : [];
}

/** The declared campaign runs. It is this stack's own, however it was found. */
async function manage(
  declared: Inputs,
  outcome: Running,
  deployment: Deployment,
  earlier?: State,
  isLeaving = false,
): Promise<Confirmed> {
  const { service, log } = deployment;
  const { campaign, how, account } = outcome;
  const object = objectName({ ...declared, campaignId: campaign.id });
  const intent = intentOf(declared, deployment, earlier);
  // The intent of the attempt has nothing left to look for.
  if (earlier?.intent !== undefined && earlier.intent !== intent) deployment.intents.close(earlier.intent);
  deployment.claims.markKnown(object);
  const replaced = deployment.intents.linkOf(declaredName(declared))?.replaced ?? [];
  if (earlier === undefined && how === "found")
    claimFound(
      deployment,
      object,
      replaced.map(({ nonce }) => nonce),
    );
  else if (earlier === undefined) claim(deployment, object);
  const readBy = service.endpoints.mark(how === "launched" ? "campaign.launch" : "campaign.list");
  if (how !== "launched") {
    log(foundRunning(declared, outcome, isLeaving));
    return toState(declared, campaign, { origin: undefined, readBy, intent }, account);
  }
  const rewritten = rewrittenValues(campaign, declared);
  const launched = toState(declared, campaign, { origin: undefined, readBy, rewritten, intent }, account);
  // Paused by the service until tracking is wired, it would enable itself. A declared pause is one of our own.
  return confirmListed({ ...launched, paused: declared.paused === undefined ? undefined : false }, deployment);
}

/**
 * Looks once for a campaign that was just launched. From then on its absence from the list is evidence, and a twin that
 * another pipeline launched at the same time is found.
 */
async function confirmListed(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  let rows: ListedCampaign[];
  try {
    rows = await readCampaigns(state.appId, deployment, "fresh");
  } catch (error) {
    const what = `Campaign ${state.campaignId} was launched.`;
    deployment.log(formatReport({ what, ...unreadableList(error, deployment) }));
    return state;
  }
  const listed = findById(rows, state.campaignId);
  if (listed === undefined)
    deployment.log(
      `Campaign ${state.campaignId} was launched, but the campaign list does not show it yet. Run \`pulumi refresh\` in a minute.`,
    );
  const twins = liveCampaigns(rows).filter((row) => isTwin(row, state, deployment));
  return {
    ...(listed === undefined ? state : asLaunched(state, listed, deployment)),
    twins: twins.length === 0 ? undefined : twins.map(({ id }) => id),
  };
}

function isTwin(row: ListedCampaign, state: Confirmed, { claims }: Deployment): boolean {
  const isOther = row.id !== state.campaignId && sameValue("campaignName", row.campaign_name, state.campaignName);
  // The predecessor, deleted or paused, may still be listed.
  return isOther && !claims.isEnded(objectName({ ...state, campaignId: row.id }));
}

/** The twins that the list still shows as live. */
export function remainingTwins({ twins }: Confirmed, rows: readonly ListedCampaign[]): string[] | undefined {
  const live = liveCampaigns(rows).map(({ id }) => id);
  const remaining = (twins ?? []).filter((id) => live.includes(id));
  return remaining.length === 0 ? undefined : remaining;
}

/** As the list shows it right after the launch: what differs from what was sent is the service's own spelling. */
function asLaunched(state: Confirmed, listed: ListedCampaign, { service, log }: Deployment): Confirmed {
  const rewritten = rewrittenValues(listed, state);
  if (rewritten !== undefined)
    log(
      `The service stores other values of campaign ${state.campaignId} than were sent: ${describeValues(rewritten, state)}.`,
    );
  return { ...toStateFromList(state, listed, { ...state, rewritten }, service), paused: state.paused };
}

function describeValues(values: ListedArguments, { accountCurrencyCode }: Confirmed): string {
  return Object.entries(values)
    .map(([name, value]) =>
      // The others may be secrets of the program.
      name === "dailyBudgetMicros" ? `${name} ${money(Number(value), currencyCode(accountCurrencyCode))}` : name,
    )
    .join(", ");
}
