const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Turns Ctrl-C, `kill` and a reader that has gone (`| head`) into an abort, so that `finally` blocks clean up first.
 * The handlers stay for a second Ctrl-C: cleaning up takes seconds at most, and must not be interrupted. Work that ends
 * without an error after an abort has waited for it, and has succeeded.
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  let exitCode = 1;
  const onSignal = (name: keyof typeof numbers): void => {
    if (!signal.aborted) exitCode = 128 + numbers[name];
    interruption.abort(new Error(`interrupted by ${name}`));
  };
  const giveUp = (reason: Error): void => {
    interruption.abort(reason);
  };
  // A SIGTERM for `npm run` ends npm and its shell, but does not reach the program that they started.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) giveUp(new Error("the process that started this has ended"));
  }, 500);
  const names = Object.keys(numbers) as (keyof typeof numbers)[];
  for (const name of names) process.on(name, onSignal);
  process.stdout.on("error", giveUp);
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Whatever failed after an interruption failed because of it.
    process.exitCode = exitCode;
    throw signal.reason;
  } finally {
    clearInterval(watch);
    for (const name of names) process.off(name, onSignal);
  }
}
