import type { Deployment } from "../../engine/lifecycle";
import { asSeconds, worthSaying } from "../../service/clock";
import { messageOf, Refusal, ServiceError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { waitBeforeRetry } from "../../service/retry";
import { claimOf, type Declared, launchBody } from "./state";
import { type Listed, type Sighting, sightingIn } from "./listing";
import { campaignsOf, changing, type Freshness, unreadable, unreadiness } from "./reads";
import { type Attempt, begin, type End, type Event, type Intent, isEnd, next, type Phase } from "./protocol";

/** How a launch ended, with the account that its answer told of. */
export type Outcome = End & { account?: Answer<"campaign.launch">["account"] };

/** "400, 401, 402, 403, 404, 422: refused, nothing created." Any other answer leaves it open. */
const refusals: readonly (number | undefined)[] = [400, 401, 402, 403, 404, 422];

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
  const launch = new Launch(declared, deployment, intent, earlier);
  let phase: Phase = begin(earlier);
  while (!isEnd(phase)) phase = next(phase, await launch.carryOut(phase), terms);
  return { ...phase, account: launch.account };
}

/** What the phases of one launch have in common. */
class Launch {
  account: Answer<"campaign.launch">["account"];
  /** Live campaigns of this name that are known not to be this one. */
  private readonly setAside: Set<string>;

  constructor(
    private readonly declared: Declared,
    private readonly deployment: Deployment,
    private readonly intent: Intent,
    earlier: Attempt | undefined,
  ) {
    this.setAside = new Set(earlier?.setAside);
  }

  async carryOut(phase: Exclude<Phase, End>): Promise<Event> {
    switch (phase.is) {
      case "looking":
      case "settling":
        await this.wait(phase);
        return this.look("fresh");
      case "reviewing":
        if (this.intent === "up") await this.turn();
        // A refresh only looks; what may launch or forget needs a list from after it began.
        return this.look(this.intent === "refresh" ? "recent" : "fresh");
      case "launching":
        return this.launch(phase.try);
    }
  }

  private async wait(phase: Extract<Phase, { is: "looking" | "settling" }>): Promise<void> {
    const { clock, say } = this.deployment;
    const name = `campaign "${this.declared.campaignName}"`;
    if (phase.is === "settling" && phase.wait === 0)
      say(
        `It is uncertain whether ${name} was launched: the campaign list is watched for ${asSeconds(phase.until - clock.now())}. ${phase.cause}`,
      );
    if (phase.is === "looking" && phase.wait >= worthSaying)
      say(`Waiting ${asSeconds(phase.wait)}, then the campaign list is read again before ${name} is launched.`);
    await clock.sleep(phase.wait);
    if (phase.is === "looking") await this.turn();
  }

  /** Waited for before the list is read, so that the list is not old when the launch is sent. */
  private turn(): Promise<void> {
    return this.deployment.service.turn("campaign.launch", { app_id: this.declared.appId });
  }

  private async look(freshness: Freshness): Promise<Event> {
    const { clock, claims } = this.deployment;
    try {
      const rows = await campaignsOf(this.declared.appId, this.deployment, freshness);
      // What this deployment has just deleted or paused to make room is not the new one, whatever a slow list shows.
      for (const row of rows) if (claims.isGivenUp(this.claimed(row))) this.setAside.add(row.id);
      const others = rows.filter(({ id }) => !this.setAside.has(id));
      return { is: "listed", at: clock.now(), sighting: this.sightingIn(others) };
    } catch (error) {
      return { is: "unreadable", at: clock.now(), why: unreadable(error, this.deployment) };
    }
  }

  private sightingIn(rows: readonly Listed[]): Sighting {
    const sighting = sightingIn(rows, this.declared);
    if (this.intent === "up" || (this.intent === "destroy" && sighting.seen !== "doubt")) return sighting;
    // One that another resource manages is not the one of an unconfirmed launch: its name was free again by then.
    return sightingIn(
      rows.filter((row) => !this.deployment.claims.has(this.claimed(row))),
      this.declared,
    );
  }

  private claimed({ id }: Listed): string {
    return claimOf({ ...this.declared, campaignId: id });
  }

  private async launch(number: number): Promise<Event> {
    const { clock, service, say } = this.deployment;
    const { appId, campaignName, paused } = this.declared;
    const unready = await unreadiness(this.declared, this.deployment);
    if (unready !== undefined) return { is: "refused", why: unready };
    // Said before it leaves: where the command dies now, its log tells that a launch may have.
    say(
      `Launching campaign "${campaignName}" of app ${appId}, which starts spending${paused === true ? " until it is paused right after" : ""}. Should this command die now, run \`pulumi up\`: it finds the campaign.`,
    );
    try {
      const { campaign, account } = await changing(appId, this.deployment, () =>
        service.call("campaign.launch", {
          parameters: { app_id: appId },
          body: launchBody(this.declared),
          once: true,
        }),
      );
      this.account = account;
      return { is: "launched", campaign };
    } catch (error) {
      if (error instanceof Refusal) return { is: "refused", why: error.message };
      const isOpen =
        // A fault of this package: nothing says that it came before the request left.
        !(error instanceof ServiceError) ||
        error.certainty === "uncertain" ||
        (error.certainty === "refused" && !refusals.includes(error.status));
      if (isOpen) return { is: "uncertain", at: clock.now(), setAside: [...this.setAside], why: messageOf(error) };
      const wait = waitBeforeRetry({ number, repeatable: false, error }, clock.random());
      return wait === undefined ? { is: "refused", why: error.message } : { is: "postponed", wait };
    }
  }
}
