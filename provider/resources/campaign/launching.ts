import type { Deployment } from "../../engine/lifecycle";
import { Refusal, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import { claimOf, type Declared, launchBody } from "./state";
import { type Listed, sightingIn } from "./listing";
import { campaignsOf, changing, type Freshness, unreadable, unreadiness } from "./reads";
import { type Attempt, begin, type End, type Event, type Intent, isEnd, next, type Phase } from "./protocol";

/** How a launch ended, with the account that its answer told of. */
export type Outcome = End & { account?: Answer<"campaign.launch">["account"] };

/** Carries the protocol out for one declared campaign: each phase asks for one thing, whose outcome leads to the next. */
export async function launchOnce(
  declared: Declared,
  deployment: Deployment,
  intent: Intent,
  earlier?: Attempt,
): Promise<Outcome> {
  const { settings } = deployment;
  const terms = {
    intent,
    settleMilliseconds: settings.launchSettleSeconds * 1000,
    quarantineMilliseconds: settings.launchQuarantineSeconds * 1000,
  };
  let account: Answer<"campaign.launch">["account"];
  let phase: Phase = begin(earlier);
  while (!isEnd(phase)) {
    const event = await carryOut(phase, declared, deployment, intent);
    if (event.is === "launched") account = event.account;
    phase = next(phase, event, terms);
  }
  return { ...phase, account };
}

type Happened = Exclude<Event, { is: "launched" }> | (Extract<Event, { is: "launched" }> & Answer<"campaign.launch">);

async function carryOut(
  phase: Exclude<Phase, End>,
  declared: Declared,
  deployment: Deployment,
  intent: Intent,
): Promise<Happened> {
  switch (phase.is) {
    case "looking":
    case "settling":
      await pause(phase, declared, deployment);
      return look(declared, deployment, intent);
    case "reviewing":
      // A refresh only looks; what may launch or forget needs a list from after it began.
      return look(declared, deployment, intent, intent === "refresh" ? "recent" : "fresh");
    case "launching":
      return launch(phase.try, declared, deployment);
  }
}

async function pause(
  phase: Extract<Phase, { is: "looking" | "settling" }>,
  { campaignName }: Declared,
  { clock, say }: Deployment,
): Promise<void> {
  const seconds = (milliseconds: number): string => `${String(Math.ceil(milliseconds / 1000))} s`;
  if (phase.is === "settling" && phase.wait === 0)
    say(
      `It is uncertain whether campaign "${campaignName}" was launched: the campaign list is watched for ${seconds(phase.until - clock.now())}. ${phase.cause}`,
    );
  if (phase.is === "looking" && phase.wait >= 2_000)
    say(
      `campaign.launch: waiting ${seconds(phase.wait)}, then the campaign list is read again before "${campaignName}" is launched.`,
    );
  await clock.sleep(phase.wait);
}

async function look(
  declared: Declared,
  deployment: Deployment,
  intent: Intent,
  freshness: Freshness = "fresh",
): Promise<Happened> {
  const { clock, claims } = deployment;
  const claimed = ({ id }: Listed): string => claimOf({ ...declared, campaignId: id });
  try {
    const rows = await campaignsOf(declared.appId, deployment, freshness);
    // What this deployment has just deleted or paused to make room is not the new one, whatever a slow list shows.
    const kept = rows.filter((row) => !claims.isGivenUp(claimed(row)));
    const sighting = sightingIn(kept, declared);
    // Nor is one that another resource manages the one to destroy: its name was free again after the quarantine.
    const own = kept.filter((row) => !claims.has(claimed(row)));
    const isOthers = intent === "destroy" && sighting.seen === "doubt";
    return { is: "listed", at: clock.now(), sighting: isOthers ? sightingIn(own, declared) : sighting };
  } catch (error) {
    return { is: "unreadable", at: clock.now(), why: unreadable(error, deployment) };
  }
}

async function launch(number: number, declared: Declared, deployment: Deployment): Promise<Happened> {
  const { clock, service } = deployment;
  const unready = await unreadiness(declared, deployment);
  if (unready !== undefined) return { is: "refused", why: unready };
  const sent = clock.now();
  try {
    const answer = await changing(declared.appId, deployment, () =>
      service.call("campaign.launch", {
        parameters: { app_id: declared.appId },
        body: launchBody(declared),
        once: true,
      }),
    );
    return { ...answer, is: "launched" };
  } catch (error) {
    if (error instanceof Refusal) return { is: "refused", why: error.message };
    // A fault of this package: nothing says that it came before the request left.
    if (!(error instanceof ServiceError)) return { is: "uncertain", at: clock.now(), sent, why: String(error) };
    if (error.certainty === "uncertain") return { is: "uncertain", at: clock.now(), sent, why: error.message };
    const wait = waitBeforeRetry({ number, repeatable: false, error }, clock.random());
    return wait === undefined ? { is: "refused", why: error.message } : { is: "postponed", wait };
  }
}
