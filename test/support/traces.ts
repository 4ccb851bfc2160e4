type Hook = (error: Error, frames: NodeJS.CallSite[]) => string;

const errors: { prepareStackTrace?: unknown } = Error;

/** Has every stack trace made by `hook` while `work` lasts; without one, by V8 itself. */
export async function tracedBy(hook: Hook | null | undefined, work: () => unknown): Promise<void> {
  const { prepareStackTrace } = errors;
  errors.prepareStackTrace = hook;
  try {
    await work();
  } finally {
    errors.prepareStackTrace = prepareStackTrace;
  }
}

/** A trace that is no more than the files of its frames. */
export function filesOf(_: Error, frames: NodeJS.CallSite[]): string {
  return frames.map((frame) => frame.getFileName() ?? "").join("\n");
}
