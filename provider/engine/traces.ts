import { RunError } from "@pulumi/pulumi";

/** How V8 makes traces, with the hook that programs have only where something set it. */
const errors: {
  stackTraceLimit: number;
  prepareStackTrace?: ((error: Error, frames: NodeJS.CallSite[]) => unknown) | undefined;
} = Error;

/** Short stack traces, until they are disposed of. */
interface BriefTraces extends Disposable {
  /** An error that was thrown meanwhile, with the lines of the program besides the one that threw it. */
  readonly extended: (error: unknown) => unknown;
}

/**
 * Keeps stack traces short while a resource is built.
 *
 * To one line: the SDK takes four of them for each property, to describe promises that never end, and looks every frame
 * up in source maps, which is a third of a program's time. The trace that it keeps with the resource it takes at full
 * length all the same; that one ends with the program. What started the program, Node's loader and Pulumi's own, would
 * be a fifth of the state, which the engine writes anew at each of its steps.
 */
export function briefTraces(): BriefTraces {
  const { stackTraceLimit, prepareStackTrace } = errors;
  const whole = (): void => {
    errors.stackTraceLimit = stackTraceLimit;
    errors.prepareStackTrace = prepareStackTrace;
  };
  // Set by people who want to see these traces.
  const isBrief = !process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
  if (isBrief) {
    errors.stackTraceLimit = Math.min(1, stackTraceLimit);
    // Pulumi's, which reads source maps. Where there is none, Node's own way is not ours to replace.
    if (prepareStackTrace !== undefined)
      errors.prepareStackTrace = (error, frames) => prepareStackTrace(error, endingWithProgram(frames));
  }
  const extended = (error: unknown): unknown => {
    whole();
    // Ours are for the user alone, and say where by the resource's name.
    if (!isBrief || RunError.isInstance(error) || !(error instanceof Error)) return error;
    const caller: { stack?: string } = {};
    Error.captureStackTrace(caller, extended);
    const frames = caller.stack?.split("\n").slice(1) ?? [];
    error.stack = [error.stack ?? error.message, ...frames].join("\n");
    return error;
  };
  return { extended, [Symbol.dispose]: whole };
}

/** Where loaders live. A component of a package is above the program's own lines, and stays. */
const loaders = /^node:|[/\\]node_modules[/\\]/;

function endingWithProgram(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const last = frames.findLastIndex((frame) => !loaders.test(frame.getFileName() ?? "node:"));
  return last === -1 ? frames : frames.slice(0, last + 1);
}
