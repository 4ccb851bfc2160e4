import type { Certainty } from "./errors";

const attemptsAtMost = 5;
/** For a 2xx response that cannot be read. A proxy's page may be gone the next time; the service's own response will not. */
const readingsAtMost = 3;
const firstBackoff = 250;
/** When the service asks for a longer wait, the call fails and says so, instead of waiting for an hour. */
const longestWait = 5 * 60_000;
/** The wait after a 429 without Retry-After. The documented limits count per minute. */
const unsaidLimitWait = 15_000;

export interface Attempt {
  /** 1 for the first. */
  number: number;
  error: { certainty: Certainty; status?: number | undefined; retryAfterMilliseconds?: number | undefined };
  /** Whether sending the request again does no harm even if it was carried out. */
  repeatable: boolean;
}

/**
 * How many milliseconds to wait before the next attempt; undefined when there is none. Pure: the jitter is given, from 0 up
 * to 1. A request that was not carried out is repeated for every operation. An uncertain one is repeated only if that is
 * harmless.
 */
export function waitBeforeRetry(attempt: Attempt, jitter: number): number | undefined {
  const { number, repeatable, error } = attempt;
  if (number >= attemptsAtMost) return undefined;
  switch (error.certainty) {
    case "refused":
      return undefined;
    case "limited": {
      const wait = error.retryAfterMilliseconds ?? unsaidLimitWait;
      // Spread over one more second, so that many waiting requests do not return in one burst.
      return wait > longestWait ? undefined : wait + Math.round(jitter * 1000);
    }
    case "uncertain": {
      if (number >= readingsAtMost && error.status !== undefined && error.status <= 299) return undefined;
      const wait = Math.max(error.retryAfterMilliseconds ?? 0, backoff(number, jitter));
      return repeatable && wait <= longestWait ? wait : undefined;
    }
    case "not-sent":
      return backoff(number, jitter);
  }
}

/** Doubles with every attempt. The jitter, from half to the whole of it, keeps clients from retrying together. */
function backoff(number: number, jitter: number): number {
  const whole = firstBackoff * 2 ** (number - 1);
  return Math.round(whole * (0.5 + jitter / 2));
}

/** `Retry-After` in seconds or as a date, in milliseconds from now; undefined when absent or unreadable. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // Every HTTP date has letters. Date.parse would also read almost any number as a date.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
