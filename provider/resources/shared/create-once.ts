import type { ServiceClient } from "../../service/client";
import { isInterruption } from "../../service/clock";
import { isAbsent, isUncertain, knownFrom, nextFrom } from "../../service/errors";
import type { OperationId } from "../../service/operations";
import type { Deployment, Step } from "./deployment";
import { earlierToken } from "./evidence";
import { claim, claimWhile, type Origin } from "./ownership";
import { type UnfinishedCreate, UnfinishedCreateError } from "./unfinished-create";
import { createSettles, watch } from "./watch";

/*
 * Creating a webhook, a record or a test, and never a second one blindly:
 *
 * | the create           | the list                         | then                                            |
 * | -------------------- | -------------------------------- | ----------------------------------------------- |
 * | is answered          |                                  | the object is new, or the service had it before |
 * | is refused           |                                  | the step fails                                  |
 * | may be carried out   | shows the object                 | the object is used                              |
 * |                      | does not show it for 3 seconds   | the create is sent a second and last time       |
 * |                      | does not tell                    | the create is unfinished, and the step fails    |
 */

/** `Date` headers count whole seconds, and so may `created_date`. */
const clockTolerance = 2_000;

/** The object of a create. */
export interface Made<Created> {
  readonly object: Created;
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

/** The verdict of a complete list about an object whose create response was lost. */
export type Finding<Row> =
  | { readonly is: "found"; readonly row: Row }
  | { readonly is: "absent" }
  | { readonly is: "doubtful"; readonly why: string };

/** Between which dates the service can have carried out a create. Undefined where nothing tells. */
export interface Period {
  readonly since: number | undefined;
  /** Left out for a create of this command: no other create was sent since. */
  readonly until?: number | undefined;
}

export interface Creation<Created, State> {
  /** Names the object in messages: `webhook`. */
  readonly what: string;
  /** Creates of one group are told apart by the list alone. While one of them is looked for, the others wait. */
  readonly group: string;
  readonly listedBy: OperationId;
  /** How a person goes on while it is uncertain. */
  readonly next: readonly string[];
  send(): Promise<Created>;
  /**
   * Looks among everything that the list shows; throws if it cannot be read to its end. The response of the list may tell
   * the service's time, so `period` is called after that.
   */
  find(reader: ServiceClient, period: () => Period): Promise<Finding<Created>>;
  /** Whether the service answered with a new object. Undefined where the response does not tell. */
  isNew(created: Created, since: number | undefined): boolean | undefined;
  objectName(created: Created): string;
  /** Goes on with a new object. */
  finish(made: Made<Created>): Promise<State>;
  /** Goes on with an object that the service had before, and does not change it. */
  adopt(id: string): Promise<State>;
}

/** A create whose request may have been carried out. */
interface Uncertain {
  /** The service's time may become known later. */
  readonly unfinished: () => UnfinishedCreate;
  /** Left out where an earlier step sent it. */
  readonly cause?: unknown;
}

export async function createOnce<Created extends { id: string }, State>(
  step: Step,
  creation: Creation<Created, State>,
): Promise<State> {
  const { mutex, clock } = step;
  const sent = await mutex.share(creation.group, () => send(step, creation));
  const settled = (uncertain: Uncertain): Promise<Made<Created>> =>
    settle(step, creation, uncertain).catch(async (error: unknown) => {
      // So that the objects of other creates have later dates. An interruption ends the wait.
      if (error instanceof UnfinishedCreateError) await clock.sleep(createSettles).catch(() => undefined);
      throw error;
    });
  const made = "unfinished" in sent ? await mutex.run(creation.group, () => settled(sent)) : sent;
  if (made.by !== "older") return creation.finish(made);
  const object = creation.objectName(made.object);
  step.warn({
    code: "WA1306",
    what: `The service answered the create with the ${object}, which it had before. It may be somebody else's, so it is adopted: destroy retains it unless deletionPolicy says otherwise.`,
  });
  return claimWhile(step, object, () => creation.adopt(made.object.id));
}

/**
 * Looks for the object of an unfinished create. Undefined if a complete list does not show it, read with the same
 * credential. `isRepeated`: this command sent the create, and sends no other.
 */
export async function findCreated<Created, State>(
  step: Step,
  creation: Creation<Created, State>,
  unfinished: UnfinishedCreate,
  isRepeated: boolean,
): Promise<State | undefined> {
  const uncertain: Uncertain = { unfinished: () => unfinished };
  const isSameList = step.evidence.isKnownBy(creation.listedBy);
  const object = await step.mutex.run(creation.group, () =>
    look(step, creation, uncertain, () => periodOf(unfinished)),
  );
  if (object !== undefined) {
    if (!isSameList)
      step.warn({
        code: "WA1305",
        what: `The token, or the path of the list, has changed since the ${creation.what} was sent. A copy of it may exist that the earlier one shows.`,
      });
    return creation.finish({ object, by: "list", mayHaveCopy: isRepeated });
  }
  const notShown = notShownOf(creation);
  if (isRepeated) throw unfinishedError(creation, uncertain, [`${notShown}, so no other create was sent.`]);
  if (isSameList) return undefined;
  const known = `${notShown}. This proves nothing: the token, or the path of the list, has changed since it was sent.`;
  throw unfinishedError(creation, uncertain, [known], [earlierToken]);
}

/** Whether a date is not before the create was sent. Undefined where nothing tells. */
export function isSince(date: unknown, since: number | undefined): boolean | undefined {
  return since === undefined || typeof date !== "string" ? undefined : Date.parse(date) >= since;
}

/**
 * Whether an object of this date can be the one of a create. Undefined where nothing tells: a newer one may be another
 * resource's, which a command with --target does not see.
 */
export function isWithin(date: unknown, { since, until = Infinity }: Period): boolean | undefined {
  return typeof date === "string" && Date.parse(date) > until ? undefined : isSince(date, since);
}

/** The origin of an object by the date that a later read shows, where the response to the create did not tell its age. */
export function originByDate(
  { by, since }: Made<unknown>,
  date: unknown,
  object: string,
  { warn }: Deployment,
): Origin | undefined {
  if (by !== "response" || isSince(date, since) !== false) return undefined;
  const what = `The service answered the create with the ${object}, which it had before. It ${countsAsAdopted}.`;
  warn({ code: "WA1306", what });
  return "adopted";
}

export const countsAsAdopted =
  "may be somebody else's, so it counts as adopted: destroy retains it unless deletionPolicy says otherwise";

/** Sends the create. `first`: the uncertain one before it, which may be carried out too. */
async function send<Created>(
  deployment: Deployment,
  creation: Creation<Created, unknown>,
  first?: Uncertain,
): Promise<Made<Created> | Uncertain> {
  const { service, clock } = deployment;
  const started = clock.now();
  const dateOf = (time: number): string | undefined => {
    const ofService = service.serviceTime(time);
    return ofService === undefined ? undefined : new Date(ofService).toISOString();
  };
  const sentAt = (): string | undefined => first?.unfinished().since ?? dateOf(started);
  try {
    const object = await creation.send();
    const { since } = periodOf({ since: sentAt() });
    const isNew = creation.isNew(object, since);
    if (isNew !== false) claim(deployment, creation.objectName(object), isNew === true);
    return {
      object,
      by: isNew === false ? "older" : "response",
      mayHaveCopy: first !== undefined,
      ...(isNew === undefined ? { since } : {}),
    };
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const ended = clock.now();
    const readBy = service.endpoints.readBy(creation.listedBy);
    return { unfinished: () => ({ since: sentAt(), until: dateOf(ended), readBy }), cause: error };
  }
}

/** Finds out what became of a create, or sends it once more. */
async function settle<Created>(
  deployment: Deployment,
  creation: Creation<Created, unknown>,
  first: Uncertain,
): Promise<Made<Created>> {
  // No other create of the group is sent meanwhile.
  const period = (): Period => ({ since: periodOf(first.unfinished()).since });
  const row = await look(deployment, creation, first, period);
  if (row !== undefined) return { object: row, by: "list", mayHaveCopy: false };
  const notShown = notShownOf(creation);
  deployment.log(
    `No usable response came to the create, and the list does not show the ${creation.what}; sending it once more.`,
  );
  const second = await send(deployment, creation, first).catch((error: unknown) => {
    // A refusal of the second one says nothing about the first.
    throw unfinishedError(creation, { ...first, cause: error }, ["The first attempt may have been carried out."]);
  });
  if ("object" in second) return second;
  const late = await look(deployment, creation, second, period);
  if (late !== undefined) return { object: late, by: "list", mayHaveCopy: true };
  throw unfinishedError(creation, second, [`${notShown}.`]);
}

/** Undefined if complete lists did not show the object until the end of the watch. */
async function look<Created>(
  deployment: Deployment,
  creation: Creation<Created, unknown>,
  uncertain: Uncertain,
  period: () => Period,
): Promise<Created | undefined> {
  const { clock, log } = deployment;
  const find = async (isTimeLeft: boolean): Promise<Finding<Created> | undefined> => {
    const finding = await readList(deployment, creation, uncertain, period);
    if (finding.is === "doubtful") throw unfinishedError(creation, uncertain, [finding.why]);
    return finding.is === "absent" && isTimeLeft ? undefined : finding;
  };
  const finding = await watch(clock, createSettles, find).catch((error: unknown) => {
    if (!isInterruption(clock, error)) throw error;
    return find(true);
  });
  if (finding === undefined)
    throw unfinishedError(creation, uncertain, [`The command was interrupted. ${notShownOf(creation)} yet.`]);
  if (finding.is !== "found") return undefined;
  const object = creation.objectName(finding.row);
  claim(deployment, object);
  log(`The create response was lost, but the list shows the ${object}. It is used.`);
  return finding.row;
}

/** Reads even after an interruption, which allows the one read that shows what became of the request. */
async function readList<Created>(
  { service, clock }: Deployment,
  creation: Creation<Created, unknown>,
  uncertain: Uncertain,
  period: () => Period,
): Promise<Finding<Created>> {
  try {
    return await creation.find(service, period).catch((error: unknown) => {
      if (clock.interruption?.aborted !== true) throw error;
      return creation.find(service.withoutWaits, period);
    });
  } catch (error) {
    // Only its advice about the path of the list. The creation says the rest.
    const next = isAbsent(error) ? service.endpoints.doubt(error.operation).next : [];
    throw unfinishedError(
      creation,
      uncertain,
      ["The list that would show it could not be read:", ...knownFrom(error)],
      next,
    );
  }
}

/** When the service can have carried out the create, with a tolerance. */
function periodOf({ since, until }: Pick<UnfinishedCreate, "since" | "until">): Period {
  return {
    since: since === undefined ? undefined : Date.parse(since) - clockTolerance,
    until: until === undefined ? undefined : Date.parse(until) + clockTolerance,
  };
}

function notShownOf({ what }: Pick<Creation<unknown, unknown>, "what">): string {
  return `The list does not show the ${what}`;
}

function unfinishedError(
  { what, next }: Pick<Creation<unknown, unknown>, "what" | "next">,
  { unfinished, cause }: Uncertain,
  known: readonly string[],
  firstAdvice: readonly string[] = [],
): UnfinishedCreateError {
  return new UnfinishedCreateError(unfinished(), {
    code: "WA1303",
    what: `It is uncertain whether the ${what} was created: a copy of this ${what} may exist.`,
    known: [...(cause === undefined ? [] : knownFrom(cause)), ...known],
    next: [...firstAdvice, ...(cause === undefined ? [] : nextFrom(cause)), ...next],
  });
}
