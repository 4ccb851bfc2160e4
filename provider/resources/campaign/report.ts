import type { Declared } from "./state";
import type { End, Intent } from "./protocol";

/* What the person reads whose pipeline failed at a launch: may money be moving, what is known, what to do next. */

export function notLaunched(declared: Declared, { why }: Extract<End, { is: "not-launched" }>): string {
  return `${named(declared)} was not launched by this command. ${why}`;
}

export function unconfirmedLaunch(
  declared: Declared,
  { attempt, quarantinedUntil, isShownAbsent, why }: Extract<End, { is: "unconfirmed" }>,
  now: number,
  intent: Intent,
): string {
  const then =
    now < quarantinedUntil
      ? `Nothing is launched again before ${time(quarantinedUntil)} (workspace-apps:launchQuarantineSeconds).`
      : `The time in which no launch may follow is over${isShownAbsent ? ", and the next one follows with `pulumi up`." : ", but nothing is launched or forgotten before a complete list shows that no campaign has this name."}`;
  return (
    `MONEY MAY BE MOVING: the launch of ${named(declared)} (${String(declared.dailyBudgetMicros)} micros a day) was attempted at ${time(attempt.at)} and is not confirmed. ` +
    `${why} ${then} ` +
    `${nextCommand[intent]} ` +
    "If you see it in the service, declare its id as campaignId. If it must not spend, pause or delete it there, and take it out of the program: an `up` after that time would launch it again."
  );
}

const nextCommand: Record<Intent, string> = {
  up: "Run `pulumi up` again: it reads the list first, takes the campaign over when it is there, and never launches beside it.",
  refresh: "Run `pulumi refresh` again: it reads the list and takes the campaign over when it is there.",
  destroy:
    "Run `pulumi destroy` again: it reads the list first and ends the campaign when it is there. (`pulumi up` would launch it again.)",
};

/** What is said when the declared campaign was found in the list. */
export function foundRunning(declared: Declared, { campaign, how }: Extract<End, { is: "running" }>): string {
  const as = `${campaign.id} (${campaign.status ?? "status unknown"})`;
  return how === "found"
    ? `${named(declared)} runs already as ${as}: it is taken as the declared one, and this command launches nothing.`
    : `The launch of ${named(declared)} is confirmed: it runs as ${as}.`;
}

function named({ campaignName, appId }: Declared): string {
  return `campaign "${campaignName}" of app ${appId}`;
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
