import { isInterruption } from "../../service/clock";
import { formatReport, knownFrom, nextFrom, ProviderError, ReportedError, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import { filled } from "../../service/shapes";
import { sameTimeZone } from "../shared/compare";
import type { Deployment } from "../shared/deployment";
import type { KeyMemory, UncertainLaunch } from "../shared/launch-memory";
import { inTurn } from "./budget";
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
import { differingValues, findById, isPaused, readCampaigns, unreadableList } from "./campaign-list";
import { nameOfLaunch } from "./campaign-name";
import { classify, type LaunchKey, liveIn } from "./classify";
import { held, idsOf, notLaunched, notListed, unconfirmedLaunch, whyNotLaunched } from "./messages";
import { attemptTime } from "./quarantine";
import { requireLaunchable } from "./readiness";
import { type LaunchOutcome, launchKeyOf, search, type Terms } from "./search";
import { deleteOrPauseOrphan } from "./switch";
import { PartialFailure } from "../shared/partial-failure";

/* Launching a campaign, once. The numbers are the steps in docs/maintainers/launch-protocol.md. */

/** Launches the campaign, or takes it over if an earlier command launched it. `unconfirmed`: what the state has of it. */
export async function launch(inputs: Inputs, deployment: Deployment, unconfirmed?: State): Promise<Confirmed> {
  try {
    return await new Launch(inputs, deployment, unconfirmed).run();
  } catch (error) {
    if (unconfirmed === undefined || error instanceof PartialFailure || !(error instanceof ReportedError)) throw error;
    // Whatever stands against another launch, the earlier one may be live.
    const { known = [], next } = error.report;
    const report = unconfirmedLaunch({ ...unconfirmed, ...inputs }, deployment, "up", known, next);
    // Destroy follows the policy of the last up.
    throw new PartialFailure({ ...unconfirmed, deletionPolicy: inputs.deletionPolicy }, report);
  }
}

type Launched = Answer<"campaign.launch">;
type TakeOverOrPost = Extract<LaunchOutcome, { do: "take over" | "post" }>;
type ToTakeOver = Extract<LaunchOutcome, { do: "take over" }>;

/** The outcome of a launch that was sent. A refusal is thrown. */
type Posted =
  | { readonly is: "answered"; readonly answer: Launched }
  | { readonly is: "postponed"; readonly wait: number }
  | UncertainLaunch;

class Launch {
  private readonly launchKey: LaunchKey;
  private readonly name: string;
  private readonly memory: KeyMemory;

  constructor(
    private readonly inputs: Inputs,
    private readonly deployment: Deployment,
    private readonly unconfirmed: State | undefined,
  ) {
    this.launchKey = launchKeyOf(inputs, deployment);
    this.name = nameOfLaunch(inputs, this.launchKey.key);
    this.memory = deployment.launches.of(this.launchKey.key);
  }

  async run(): Promise<Confirmed> {
    const { inputs, memory, deployment } = this;
    // The engine may repeat the step. Each command sends one launch for each key.
    if (memory.sent?.is === "uncertain") return this.confirm(memory.sent);
    if (memory.sent !== undefined)
      throw notLaunched(
        inputs,
        ["This command has sent this launch before, and sends each launch once."],
        ["Fix the reported problem, and run `pulumi up` again."],
      );
    // 1. Before its turn, so that the watches of several campaigns overlap.
    if (this.mayBeLaunched) {
      const isNot = this.unconfirmed === undefined ? "is not in the state" : "is not confirmed";
      const why = `The ${describeCampaign(inputs)} ${isNot}, and an earlier command may have launched it.`;
      const found = await this.find({ why });
      if (found.do === "take over") return this.takeOver(found);
    }
    return inTurn(inputs.appId, deployment, () => this.findOrPost());
  }

  private async findOrPost(): Promise<Confirmed> {
    const { inputs, launchKey, deployment } = this;
    for (let attempt = 1; ; attempt++) {
      // Before the list is read, so that the list is not old when the launch is sent.
      await deployment.service.waitForRateLimit("campaign.launch", { app_id: inputs.appId });
      // 1 to 3.
      const found = await this.find();
      if (found.do === "take over") return this.takeOver(found);
      // 4. Before anything is deleted for the launch.
      const without = found.orphans.map(({ row }) => row.id);
      const landingPage = await requireLaunchable(inputs, deployment, this.name, without);
      for (const orphan of found.orphans) await deleteOrPauseOrphan(orphan, launchKey, deployment);
      if (found.orphans.length > 0) continue;
      // Readiness may have been slow, and meanwhile the list has changed.
      const last = await this.find({ freshness: "recent" });
      if (last.do === "take over" || last.orphans.length > 0) continue;
      await this.announce();
      const posted = await this.post(landingPage, attempt);
      if (posted.is === "answered") return this.launched(posted.answer);
      if (posted.is === "uncertain") return this.confirm(posted);
      await deployment.clock.sleep(posted.wait);
    }
  }

  /** 1 to 3: looks for this launch. Throws what the lists show against it. */
  private async find(terms: Pick<Terms<"launch">, "why" | "freshness"> = {}): Promise<TakeOverOrPost> {
    const { inputs, launchKey, unconfirmed, deployment } = this;
    const outcome = await search({ purpose: "launch", launchKey, unconfirmed, ...terms }, deployment);
    if (outcome.do === "fail") throw whyNotLaunched(inputs, outcome, this.mayBeLaunched);
    if (outcome.do === "done") throw new Error("internal error: a launch is done before it is found or sent");
    return outcome;
  }

  /** 5: says what is about to be sent. A command that cannot say it has ended, and sends nothing. */
  private async announce(): Promise<void> {
    const { inputs, launchKey, name, deployment } = this;
    const { service, warn, announce } = deployment;
    if (this.mayBeLaunched && !service.endpoints.isEvidence("campaign.list", launchKey.readBy))
      warn({
        code: "WA1206",
        what: `If an earlier command launched the ${describeCampaign(inputs)}, MONEY MAY BE MOVING TWICE. The token, or the path of campaign.list, has changed since, and this list may not show it. With the earlier one, look for a second campaign whose name ends in "-${launchKey.key}" and 5 more digits, and delete it.`,
      });
    const until = inputs.paused === true ? " until it is paused right after" : "";
    await announce(
      `Launching ${describeCampaign(inputs)} as "${name}". This starts spending${until}. If this command is interrupted: run \`pulumi cancel\`, then \`pulumi up\`.`,
    ).catch(() => {
      throw notLaunched(inputs, ["The command that asked for this launch has ended."], []);
    });
  }

  /** 6: sends the launch. */
  private async post(landingPage: string, attempt: number): Promise<Posted> {
    const { inputs, name, memory, deployment } = this;
    const { appId, dailyBudgetMicros: micros, logoUrl, phoneNumber, extraFields } = inputs;
    const { clock, service } = deployment;
    // Stays after a refusal: a repeated `create` must not send the launch again.
    memory.sent = { is: "sent" };
    memory.reserved = { appId, launchedName: name, micros };
    try {
      const answer = await service.call("campaign.launch", {
        parameters: { app_id: appId },
        // The landing page as readiness spells it. The name has the declared spelling.
        body: launchBody({ ...inputs, landingPage }, name),
        // An ad shows all other values to everybody.
        hidden: [logoUrl, phoneNumber, extraFields],
        once: true,
        hasWaited: true,
      });
      return { is: "answered", answer };
    } catch (error) {
      const why = knownFrom(error);
      const isSure = error instanceof ServiceError && error.certainty !== "uncertain";
      // An unexpected error (not a ProviderError) may come after the request was sent: uncertain.
      if (!isSure && !(error instanceof ProviderError))
        return (memory.sent = { is: "uncertain", attemptedAt: attemptTime(deployment), why });
      memory.reserved = undefined;
      const wait = isSure ? waitBeforeRetry({ number: attempt, repeatable: false, error }, clock.random()) : undefined;
      if (wait === undefined) throw notLaunched(inputs, why, nextFrom(error));
      memory.sent = undefined;
      return { is: "postponed", wait };
    }
  }

  /** 7: the outcome is uncertain. Nothing is sent again; the list is watched. */
  private async confirm({ attemptedAt, why }: UncertainLaunch): Promise<Confirmed> {
    const { inputs, launchKey, name: launchedName, deployment } = this;
    const readBy = deployment.service.endpoints.readBy("campaign.list");
    const unconfirmed = unconfirmedState(inputs, attemptedAt, { launchedName, apps: launchKey.apps, readBy });
    const stillUnconfirmed = (known: readonly string[], next: readonly string[] = []): PartialFailure =>
      new PartialFailure(unconfirmed, unconfirmedLaunch(unconfirmed, deployment, "up", [...why, ...known], next));
    const whyWatched = `It is uncertain whether ${describeCampaign(inputs)} was launched.`;
    const outcome = await search({ purpose: "confirm", launchKey, why: whyWatched }, deployment).catch(
      (error: unknown) => {
        // The launch stays unconfirmed, whatever ended the watch.
        throw stillUnconfirmed(knownFrom(error), isInterruption(deployment.clock, error) ? [] : nextFrom(error));
      },
    );
    if (outcome.do === "take over") return this.takeOver(outcome);
    throw stillUnconfirmed(outcome.unreadable?.known ?? [notListed], outcome.unreadable?.next);
  }

  private takeOver(found: ToTakeOver): Confirmed {
    return takeOver(this.inputs, found, this.launchKey, this.deployment);
  }

  /**
   * After a 200. The list is read once more, and names a namesake that another stack launched at the same moment. From then
   * on, the campaign's absence from it is evidence.
   */
  private async launched({ campaign, account }: Launched): Promise<Confirmed> {
    const { inputs, launchKey, memory, name: launchedName, deployment } = this;
    const { service, log, logOnce, warn } = deployment;
    const readBy = service.endpoints.readBy("campaign.launch");
    const kept = { launchedName, apps: launchKey.apps, pausedDuplicates: memory.pausedOrphans };
    const state = toState(inputs, campaign, { ...kept, ...accountOutputs(account), readBy, pausedBy: "service" });
    rememberAsKept(state, launchKey, deployment);
    const { appId, campaignId } = state;
    // The list may not show it yet.
    if (isPaused(campaign) === true && inputs.paused !== true) logOnce(held(state));
    this.warnOfOtherValues(state);
    let rows;
    try {
      rows = await readCampaigns(appId, deployment, "fresh");
    } catch (error) {
      log(
        formatReport({
          code: "WA1223",
          what: `Campaign ${campaignId} was launched.`,
          ...unreadableList(error, deployment),
        }),
      );
      return state;
    }
    const { namesakes } = classify(liveIn(appId, rows), { ...launchKey, besides: campaignId }, deployment);
    if (namesakes.length > 0)
      warn({
        code: "WA1205",
        what: `MONEY MAY BE MOVING TWICE: beside campaign ${campaignId}, ${idsOf(namesakes)} of the same name is live. Another stack may have launched it at the same moment. This stack never touches it.`,
      });
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
    const shown = toState(inputs, row, { ...state, readBy: service.endpoints.readBy("campaign.list") });
    rememberAsKept(shown, launchKey, deployment);
    return shown;
  }

  /** The name and the time zone that the response to the launch shows. */
  private warnOfOtherValues(state: Confirmed): void {
    const { timezone, appId } = this.inputs;
    const { warn } = this.deployment;
    const accountTimezone = filled(state.accountTimezone);
    if (state.launchedName !== this.name)
      warn({
        code: "WA1237",
        what: `The service shows campaign ${state.campaignId} as "${state.launchedName ?? ""}" and not as "${this.name}". After an interruption, no command would recognize such a campaign.`,
      });
    if (timezone !== undefined && accountTimezone !== undefined && !sameTimeZone(timezone, accountTimezone))
      warn({
        code: "WA1238",
        what: `The advertising account of app ${appId} has the time zone ${accountTimezone}, and the program declares ${timezone}. An account keeps the time zone with which it was created. Declare ${accountTimezone}, or leave timezone out.`,
      });
  }

  /** Whether a dead command may have launched: after a killed replacement, Pulumi keeps the old campaign in the state. */
  private get mayBeLaunched(): boolean {
    const { history } = this.memory;
    return history === undefined || history === "kept";
  }
}

/** 2: a campaign of this launch is live, and it is this resource's own. */
export function takeOver(
  inputs: Inputs,
  { campaign: { row }, orphans }: ToTakeOver,
  launchKey: LaunchKey,
  deployment: Deployment,
): Confirmed {
  const { service, launches, log, warn } = deployment;
  const { policy, apps } = launchKey;
  const { sent, pausedOrphans } = launches.of(launchKey.key);
  const isOwn = sent?.is === "uncertain";
  // Only an earlier command can have paused it.
  const mayBeOurPause = !isOwn && policy === "pause" && isPaused(row) === true;
  const isRetained = policy === "retain";
  const taken = toState(inputs, row, {
    readBy: service.endpoints.readBy("campaign.list"),
    pausedBy: mayBeOurPause ? "unknown" : "service",
    apps,
    pausedDuplicates: pausedOrphans,
  });
  const state = {
    ...taken,
    duplicates: isRetained || orphans.length === 0 ? undefined : orphans.map(({ row: { id } }) => id),
  };
  rememberAsKept(state, launchKey, deployment);
  const who = isOwn ? "The launch of this command is confirmed" : "An earlier command launched it";
  log(
    `${who}: the ${describeCampaign(inputs)} is live as ${row.id} (${row.status}). Using it; nothing else is launched.`,
  );
  if (isRetained && orphans.length > 0)
    warn({
      code: "WA1204",
      what: `MONEY MAY BE MOVING TWICE: ${idsOf(orphans)} was launched by this resource too, and goes on by the deletionPolicy "retain".`,
    });
  return state;
}

/** The campaign is this resource's own from now on. */
function rememberAsKept(state: Confirmed, { key }: LaunchKey, { launches, ledger }: Deployment): void {
  ledger.setFate(identifiedName(state), "kept");
  const memory = launches.of(key);
  memory.history = "kept";
  // The service may show the campaign under another name than it was launched with.
  if (memory.reserved !== undefined) memory.reserved = { ...memory.reserved, launchedName: state.launchedName ?? "" };
}
