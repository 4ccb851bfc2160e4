import type { Deployment } from "../shared/deployment";
import type { State } from "./campaign";

/* How long nothing is launched after a launch whose outcome is uncertain. */

/** `Date` headers count whole seconds. The quarantine must not be shorter by that. */
const wholeSecond = 1_000;

/** When the outcome of a launch became uncertain: now. */
export function attemptTime({ clock, service }: Deployment): number {
  const time = service.serviceTime(clock.now());
  return time === undefined ? clock.now() : time + wholeSecond;
}

interface LaunchTimes {
  readonly now: number;
  readonly sentBefore: number;
  readonly quarantinedUntil: number;
}

/** The times of an unconfirmed launch, by the service's clock, or by this machine's where that is not known. */
export function timesOf(state: State, { clock, service, settings }: Deployment): LaunchTimes {
  const now = service.serviceTime(clock.now()) ?? clock.now();
  const sentBefore = Date.parse(state.launchAttemptedAt ?? "") || now;
  return { now, sentBefore, quarantinedUntil: sentBefore + settings.launchQuarantineSeconds * 1000 };
}

export function isQuarantined(state: State, deployment: Deployment): boolean {
  const { now, quarantinedUntil } = timesOf(state, deployment);
  return now < quarantinedUntil;
}
