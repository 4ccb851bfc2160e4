import type { Certainty } from "./errors";

const attemptsAtMost = 5;
/** Of an answer that says yes and cannot be read: a proxy's page may be gone the next time, what the service sends is not. */
const readingsAtMost = 3;
const firstBackoff = 250;
const longestBackoff = 10_000;
/** A wait that the service asks for beyond this is an error that says when to come back, not a silent hour. */
const longestWait = 5 * 60_000;
/** What to wait on a 429 that does not say: the documented limits count per minute. */
const unsaidLimitWait = 15_000;

export interface Attempt {
  /** 1 for the first. */
  number: number;
  error: { certainty: Certainty; status?: number | undefined; retryAfterMilliseconds?: number | undefined };
  /** Whether sending the request again does no harm even if it was carried out. */
  repeatable: boolean;
}

/**
 * Whether a failed attempt is repeated, and after how many milliseconds. Pure: the jitter is given, from 0 up to 1.
 * What was surely not carried out is repeated for every operation; what is uncertain only where a repeat is harmless.
 */
export function waitBeforeRetry(attempt: Attempt, jitter: number): number | undefined {
  const { number, repeatable, error } = attempt;
  if (number >= attemptsAtMost) return undefined;
  switch (error.certainty) {
    case "refused":
      return undefined;
    case "limited": {
      const wait = error.retryAfterMilliseconds ?? unsaidLimitWait;
      // Spread over a second more, so that many waiting requests do not come back in one burst.
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

/** Doubles with every attempt; between half and the whole of it, so that clients fall out of step. */
function backoff(number: number, jitter: number): number {
  const whole = Math.min(longestBackoff, firstBackoff * 2 ** (number - 1));
  return Math.round(whole * (0.5 + jitter / 2));
}

/** `Retry-After` in seconds or as a date, in milliseconds from now; undefined when absent or unreadable. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // Every form of a date has letters; without them Date.parse sees one in almost any number.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
