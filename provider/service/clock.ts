/** Time and randomness. Everything that waits gets one, so that tests can pass hours in an instant. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A number from 0 up to 1, for jitter. */
  random(): number;
}

/** A time by two clocks, in milliseconds since the epoch: that of a machine may be wrong by hours. */
export interface Moment {
  /** By this machine's clock. */
  readonly at: number;
  /** By the service's clock, to the second, where its responses tell. */
  readonly serviceAt?: number | undefined;
}

/** The service's time, by the headers of a response. A cached response, which has an `Age`, has an old time. */
export function serviceDate({ date, age }: Readonly<Record<string, unknown>>): number | undefined {
  return (age === undefined && typeof date === "string" && Date.parse(date)) || undefined;
}

/** Shorter waits are not logged. */
export const worthSaying = 2_000;

/** Milliseconds as people read them. */
export function asSeconds(milliseconds: number): string {
  return `${String(Math.ceil(milliseconds / 1000))} s`;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
  random: () => Math.random(),
};
