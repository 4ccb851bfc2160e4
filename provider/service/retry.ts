import type { Certainty } from "./errors";

const maxAttempts = 5;
/** For a 2xx response that cannot be read. A proxy's page may be gone the next time; the service's own response will not. */
const maxReadings = 3;
const firstBackoff = 250;
/** When the service asks for a longer wait, the call fails and says so, instead of waiting for an hour. */
const maxWait = 5 * 60_000;
/** The wait after a 429 without Retry-After. The documented limits count per minute. */
const default429Wait = 15_000;

export interface Attempt {
  /** 1 for the first. */
  number: number;
  error: { certainty: Certainty; status?: number | undefined; retryAfterMilliseconds?: number | undefined };
  /** Whether sending the request again does no harm even if it was carried out. */
  repeatable: boolean;
}

/** The wait before the next attempt in milliseconds, by the certainty of a failed one; undefined if it is the last. */
const waits: Record<Certainty, (attempt: Attempt, jitter: number) => number | undefined> = {
  refused: () => undefined,
  "not-sent": backoff,
  // Spread over one more second, so that many waiting requests do not return in one burst.
  limited: ({ error: { retryAfterMilliseconds: asked = default429Wait } }, jitter) =>
    asked > maxWait ? undefined : asked + Math.round(jitter * 1000),
  uncertain(attempt, jitter) {
    const { number, repeatable, error } = attempt;
    const { status, retryAfterMilliseconds: asked = 0 } = error;
    const isUnreadable = status !== undefined && status <= 299;
    if (!repeatable || asked > maxWait || (isUnreadable && number >= maxReadings)) return undefined;
    return Math.max(asked, backoff(attempt, jitter));
  },
};

/** How many milliseconds to wait before the next attempt; undefined when there is none. The jitter is from 0 up to 1. */
export function waitBeforeRetry(attempt: Attempt, jitter: number): number | undefined {
  return attempt.number >= maxAttempts ? undefined : waits[attempt.error.certainty](attempt, jitter);
}

/** Doubles with every attempt. The jitter, from half to the whole of it, keeps clients from retrying together. */
function backoff({ number }: Attempt, jitter: number): number {
  return Math.round(firstBackoff * 2 ** (number - 1) * (0.5 + jitter / 2));
}

/** `Retry-After` in seconds or as a date, in milliseconds from now; undefined when absent or unreadable. */
export function retryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // Every HTTP date has letters. Date.parse would also read almost any number as a date.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
