import { ProviderError, type Report } from "../../service/errors";
import { showUrns, stateDelete } from "./state-delete";

/*
 * Nobody knows whether such a create was carried out. The arguments of a record or a test are saved, and the next command
 * looks first. The next create of a webhook recognizes it by its mark. If the engine repeats the create, the object is only
 * looked for.
 */

/** When it was sent and when its response was lost, by the service's clock, where that is known. */
export interface UnfinishedCreate {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** By which list the object would be read. */
  readonly readBy: string;
}

/** The output that holds it, in place of what the object would have. */
export const unfinishedKey = "unfinishedCreate";

export class UnfinishedCreateError extends ProviderError {
  constructor(
    readonly unfinished: UnfinishedCreate,
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
