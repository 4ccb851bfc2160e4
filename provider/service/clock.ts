/** Time and randomness. Everything that waits gets one, so that tests can pass hours in an instant. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A number from 0 up to 1, for jitter. */
  random(): number;
  /** Aborted when a step must end: its waits end at once, and it sends nothing more. The reason is an error that says why. */
  readonly interruption?: AbortSignal;
}

/** The service's time, by the headers of a response. A cached response, which has an `Age`, has an old time. */
export function serviceDate({ date, age }: Readonly<Record<string, unknown>>): number | undefined {
  return (age === undefined && typeof date === "string" && Date.parse(date)) || undefined;
}

/** Shorter waits are not logged. */
export const minLoggedWait = 2_000;

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

/** A clock whose waits reject with the reason of the interruption. */
export function interruptible(clock: Clock, interruption: AbortSignal): Clock {
  return {
    now: () => clock.now(),
    random: () => clock.random(),
    sleep: (milliseconds) => unlessInterrupted({ interruption }, clock.sleep(milliseconds)),
    interruption,
  };
}

/** Whether a wait ended with this error because the step was interrupted. */
export function isInterruption({ interruption }: Pick<Clock, "interruption">, error: unknown): boolean {
  return interruption !== undefined && error === interruption.reason;
}

/** Waits for something whose outcome does not matter once the step is interrupted. */
export function unlessInterrupted<T>({ interruption }: Pick<Clock, "interruption">, waited: Promise<T>): Promise<T> {
  if (interruption === undefined) return waited;
  return new Promise((resolve, reject) => {
    const end = (): void => {
      reject(interruption.reason as Error);
    };
    if (interruption.aborted) end();
    interruption.addEventListener("abort", end);
    const stopListening = (): void => {
      interruption.removeEventListener("abort", end);
    };
    waited.then(resolve, reject).finally(stopListening);
  });
}
