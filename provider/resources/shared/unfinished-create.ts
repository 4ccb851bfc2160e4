import { ProviderError, type Report } from "../../service/errors";
import { showUrns, stateDelete } from "./state-delete";

/*
 * Nobody knows whether such a create was carried out. The arguments of a record or a test are saved, and the next command
 * looks first. The next create of a webhook recognizes it by its mark. If the engine repeats the create, the object is only
 * looked for.
 */

/** When it was sent and when its response was lost, by the service's clock, where that is known. */
export interface Attempt {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** By which list the object would be read. */
  readonly readBy: string;
}

export interface Unfinished {
  readonly attempt: Attempt;
  /** This command sent it, and must not send another one. */
  readonly isRepeated: boolean;
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

/** The rest of a failed create of this command, as the engine saves it. */
export interface FailedCreate {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}
