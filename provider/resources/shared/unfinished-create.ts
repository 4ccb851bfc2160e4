import { ProviderError, type Report } from "../../service/errors";
import { showUrns, stateDelete } from "./state-delete";

/*
 * Nobody knows whether such a create was carried out. The arguments of a record or a test are saved, and the next command
 * looks first. The next create of a webhook recognizes it by its mark.
 */

/** When it was sent, by the service's clock, where that is known. */
export interface Attempt {
  readonly since?: string | undefined;
  /** The mark of the list that would show the object. */
  readonly readBy: string;
}

/** The output that holds it, in place of what the object would have. */
export const attemptKey = "unfinishedCreate";

export class UnfinishedCreate extends ProviderError {
  constructor(
    readonly attempt: Attempt,
    report: Report,
  ) {
    super(report);
  }
}

/** For a person who does not want to leave the decision to the next command. */
export function decideYourself(idArgument: string): string[] {
  return [
    "Run `pulumi up` again. It looks first, and creates another one only if a complete list does not show it.",
    `Or look for it in the service. If it is there, give its id as ${idArgument} to adopt it.`,
    `If you are sure that it is not there: ${stateDelete}, then \`pulumi up\`. ${showUrns}`,
  ];
}

/** The object of a create. */
export interface Made<Created> {
  /** Mutable: after `keepOldest`, a repeated create must continue with the webhook that was kept. */
  object: Created;
  /**
   * - `response`: the service answered the create with it.
   * - `older`: the same, but the service had it before.
   * - `list`: the response was lost, and the list shows it.
   */
  readonly by: "response" | "older" | "list";
  /** Whether two requests may have been carried out. */
  readonly mayHaveCopy: boolean;
  /** Where the response does not tell whether the object is new: one with an earlier date is not. */
  readonly since?: number | undefined;
}

/** A create whose request may have been carried out. */
export interface Uncertain {
  /** The service's time when it was sent. Undefined while that is not known. */
  readonly sentAt: () => number | undefined;
  /** The mark of the list that would show the object. */
  readonly readBy: string;
  /** Left out where an earlier command sent it. */
  readonly cause?: unknown;
}

/** A create of this process that failed although its object exists, or may exist. */
export type FailedCreate = Made<unknown> | Uncertain;
