/** How stack traces are made. Pulumi sets the hook to one that reads source maps. */
const errors: { stackTraceLimit: number; prepareStackTrace?: unknown } = Error;

type Hook = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/**
 * Keeps stack traces short while the SDK constructs a resource, until it is disposed of.
 *
 * The SDK stores a trace with each resource, and the engine writes the whole state at each step. It also takes four
 * traces for each property, for messages about leaked promises. Without this patch, an `up` of 500 webhooks needed 23 %
 * more of the processor. Its state was 21 % larger (two runs of each in turn). So the patch stays. Users who set
 * PULUMI_DEBUG_PROMISE_LEAKS get complete traces.
 */
export function shortTraces(): Disposable {
  const { stackTraceLimit, prepareStackTrace } = errors;
  if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) {
    errors.stackTraceLimit = Math.min(1, stackTraceLimit);
    if (typeof prepareStackTrace === "function") {
      const hook: Hook = (error, frames) =>
        // Nobody reads these. To map them to sources took 1.8 of the 4.4 ms of a registration.
        isOfPackageAlone(frames) ? String(error) : (prepareStackTrace as Hook)(error, withoutCallersOf(frames));
      errors.prepareStackTrace = hook;
    }
  }
  return {
    [Symbol.dispose]() {
      errors.stackTraceLimit = stackTraceLimit;
      errors.prepareStackTrace = prepareStackTrace;
    },
  };
}

/** A class of the packaged form is one constructor more between the program and Pulumi. */
const packagedClass = /[/\\]pulumi[/\\]packaged[/\\]program\.[jt]s$/;

const packages = /^node:|[/\\]node_modules[/\\]/;

/** The frames up to the program's outermost one. All of them where the program has none, as after an `await`. */
function withoutCallersOf(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const own = frames.filter((frame) => !packagedClass.test(frame.getFileName() ?? ""));
  const last = own.findLastIndex(isOfProgram);
  return last === -1 ? own : own.slice(0, last + 1);
}

/** Whether a trace of one line has a line of the SDK or another package. */
function isOfPackageAlone(frames: NodeJS.CallSite[]): boolean {
  return frames.length === 1 && !frames.some(isOfProgram);
}

function isOfProgram(frame: NodeJS.CallSite): boolean {
  return !packages.test(frame.getFileName() ?? "node:");
}
