import { knownFrom, nextFrom, type Report, ReportedError } from "../../service/errors";

/* One error for what exists although its step failed. */

/**
 * The object exists, but the step did not finish. Its state is saved, the command fails with the message, and the next
 * `pulumi up` continues from there.
 */
export class PartialFailure extends ReportedError {
  override readonly name = "PartialFailure";
  constructor(
    readonly state: object,
    report: Report,
  ) {
    super(report);
  }
}

/**
 * Runs a step that starts when the object exists. If it fails, this state is saved. `done` is a sentence about what is
 * true already.
 */
export async function savingOnFailure<T>(state: object, done: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    throw new PartialFailure(state, {
      code: "WA1310",
      what: `${done}, but a later step failed.`,
      known: knownFrom(error),
      next: [...nextFrom(error), "Run `pulumi up` again. It continues from here."],
    });
  }
}
