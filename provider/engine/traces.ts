import path from "node:path";
import { RunError } from "@pulumi/pulumi";

/** How traces are made. The hook is Pulumi's or Node's own, which both read source maps, or whatever a program left there. */
const errors: { stackTraceLimit: number; prepareStackTrace?: unknown } = Error;

type Hook = (error: Error, frames: NodeJS.CallSite[]) => unknown;

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
    if (typeof prepareStackTrace === "function") {
      const hook: Hook = (error, frames) => (prepareStackTrace as Hook)(error, endingWithProgram(frames));
      errors.prepareStackTrace = hook;
    }
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

const packages = /^node:|[/\\]node_modules[/\\]/;
/** A package that is linked, and not installed, is not below node_modules. */
const ownFolder = path.join(__dirname, "..", path.sep);

/** Without what called the program. Where none of its lines are left, as after an `await` in a package, all stays. */
function endingWithProgram(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const isOfProgram = (frame: NodeJS.CallSite): boolean => {
    const file = frame.getFileName() ?? "node:";
    return !packages.test(file) && !file.startsWith(ownFolder);
  };
  const last = frames.findLastIndex(isOfProgram);
  return last === -1 ? frames : frames.slice(0, last + 1);
}
