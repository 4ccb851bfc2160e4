type Hook = (error: Error, frames: NodeJS.CallSite[]) => string;

const errors: { prepareStackTrace?: unknown } = Error;

/** Uses `hook` for every stack trace while `work` runs. Without a hook, V8 formats them. */
export async function tracedBy(hook: Hook | null | undefined, work: () => unknown): Promise<void> {
  const { prepareStackTrace } = errors;
  errors.prepareStackTrace = hook;
  try {
    await work();
  } finally {
    errors.prepareStackTrace = prepareStackTrace;
  }
}

/** A trace that contains only the files of its frames. */
export function filesOf(_: Error, frames: NodeJS.CallSite[]): string {
  return frames.map((frame) => frame.getFileName() ?? "").join("\n");
}
