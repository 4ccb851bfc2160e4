import { asSeconds } from "../../provider/service/clock";
import type { Finding } from "./finding";
import type { Exchange } from "./probe";

/**
 * Assumed: two clocks this far apart are set wrong, and do not merely drift. The shortest time that is compared with the
 * service's, or with that of another machine, is minutes.
 */
const tolerated = 30_000;

/** How far this machine's clock is from the service's, by the `Date` of the answer that came soonest. */
export function clockOf(exchanges: readonly Exchange[]): Finding {
  const best = exchanges
    .filter((exchange) => dateOf(exchange) !== undefined)
    .sort((one, other) => roundTrip(one) - roundTrip(other))[0];
  if (best === undefined) return { state: "not checked", seen: "no answer said the service's time" };
  const lead = leadOf(best, dateOf(best) ?? 0);
  if (Math.abs(lead) <= tolerated)
    return { state: "ok", seen: lead === 0 ? "agrees with the service's" : `${asSeconds(Math.abs(lead))} apart` };
  return {
    state: "warn",
    cause: "clock",
    seen: `this machine's clock is ${asSeconds(Math.abs(lead))} ${lead > 0 ? "behind" : "ahead of"} the service's`,
    fix: "Set it by NTP (`timedatectl set-ntp true` on many Linux systems). The quarantine after an uncertain launch is counted by the clocks of the machines that run Pulumi.",
  };
}

/**
 * How far the service is ahead, at least: what the second that `Date` leaves out and the time on the way can explain is
 * no difference.
 */
function leadOf({ began, ended }: Exchange, date: number): number {
  const least = date - ended;
  const most = date + 1000 - began;
  if (least > 0) return least;
  return most < 0 ? most : 0;
}

function dateOf({ answer }: Exchange): number | undefined {
  const date = answer?.headers["date"];
  // What a cache kept tells an old time.
  if (typeof date !== "string" || answer?.headers["age"] !== undefined) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

function roundTrip({ began, ended }: Exchange): number {
  return ended - began;
}
