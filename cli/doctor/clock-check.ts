import { asSeconds, serviceDate } from "../../provider/service/clock";
import type { Exchange } from "./probe";
import type { CheckResult } from "./report";

/**
 * Assumed: a larger difference is a wrong clock, not drift. The package compares only minutes and more with the clock of
 * the service or of another machine.
 */
const toleratedMilliseconds = 30_000;

/** Compares this machine's clock with the service's, by the `Date` header of the fastest response. */
export function clockCheck(exchanges: readonly Exchange[]): CheckResult {
  const fastest = exchanges
    .filter((exchange) => dateOf(exchange) !== undefined)
    .sort((one, other) => roundTrip(one) - roundTrip(other))[0];
  if (fastest === undefined) return { state: "not checked", seen: "no response had the service's time" };
  const offset = serviceOffset(fastest, dateOf(fastest) ?? 0);
  const size = asSeconds(Math.abs(offset));
  if (Math.abs(offset) <= toleratedMilliseconds)
    return { state: "ok", seen: offset === 0 ? "same as the service's" : `${size} apart from the service's` };
  return {
    state: "warn",
    cause: "clock",
    seen: `this machine's clock is ${size} ${offset > 0 ? "behind" : "ahead of"} the service's`,
    fix: "Synchronize it with NTP (`timedatectl set-ntp true` on many Linux systems). A wrong clock can change how long the quarantine after an unconfirmed launch lasts.",
  };
}

/**
 * How far the service's clock is ahead, at least. `Date` has whole seconds, and the response takes time: a difference
 * that these explain counts as none.
 */
function serviceOffset({ began, ended }: Exchange, date: number): number {
  const least = date - ended;
  const most = date + 1000 - began;
  if (least > 0) return least;
  return most < 0 ? most : 0;
}

function dateOf({ answer }: Exchange): number | undefined {
  return answer && serviceDate(answer.headers);
}

function roundTrip({ began, ended }: Exchange): number {
  return ended - began;
}
