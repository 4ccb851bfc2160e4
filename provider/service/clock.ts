/** Time and randomness. Everything that waits gets one, so that tests can pass hours in an instant. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A number from 0 up to 1, for jitter. */
  random(): number;
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
