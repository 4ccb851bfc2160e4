import type { ServiceClient } from "../../service/client";
import { isInterruption } from "../../service/clock";
import { isAbsent, isUncertain, knownFrom, nextFrom } from "../../service/errors";
import type { OperationId } from "../../service/operations";
import type { Deployment, Step } from "./deployment";
import { earlierToken } from "./evidence";
import { claim, claimWhile, type Origin } from "./ownership";
import { type Attempt, type Made, type Uncertain, UnfinishedCreate } from "./unfinished-create";
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
 * | is repeated by the   |                                  | continues with the object of the failed step,   |
 * | engine               |                                  | or only looks for it                            |
 */

/** `Date` headers count whole seconds, and so may `created_date`. */
const clockTolerance = 2_000;

/** The verdict of a complete list about an object whose create response was lost. */
export type Finding<Row> =
  | { readonly is: "found"; readonly row: Row }
  | { readonly is: "absent" }
  | { readonly is: "doubtful"; readonly why: string };

export interface Creation<Created, Row extends Created> {
  /** Names the object in messages: `webhook`. */
  readonly what: string;
  /** Recognizes a create that the engine calls again. Creates of one key run one after the other. */
  readonly key: string;
  /** Creates of one group are told apart by the list alone. While one of them is looked for, the others wait. */
  readonly group: string;
  readonly listedBy: OperationId;
  /** How a person goes on while it is uncertain. */
  readonly next: readonly string[];
  send(): Promise<Created>;
  /**
   * Looks among everything that the list shows; throws if it cannot be read to its end. `since`: the date from which on an
   * object can be the new one. The response of the list may tell it, so it is called after that.
   */
  find(reader: ServiceClient, since: () => number | undefined): Promise<Finding<Row>>;
  /** Whether the service answered with a new object. Undefined where the response does not tell. */
  isNew(created: Created, since: number | undefined): boolean | undefined;
  objectName(created: Created): string;
}

interface Following<Created, State> {
  /** Goes on with a new object. */
  readonly finish: (made: Made<Created>) => Promise<State>;
  /** Goes on with an object that the service had before, and does not change it. */
  readonly adopt: (id: string) => Promise<State>;
}

export async function createOnce<Created extends { id: string }, Row extends Created, State>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  { finish, adopt }: Following<Created, State>,
): Promise<State> {
  const made = await deployment.mutex.run(`create of ${creation.key}`, () => make(deployment, creation));
  return rememberingOnFailure(deployment, creation.key, made, () =>
    made.by === "older"
      ? adoptOlder(deployment, creation.objectName(made.object), () => adopt(made.object.id))
      : finish(made),
  );
}

/**
 * Looks for the object of an earlier command's create. Undefined if a complete list does not show it, read with the same
 * credential. If the engine repeats the step, it continues with what was found.
 */
export async function findCreated<Created, Row extends Created, State>(
  step: Step,
  creation: Creation<Created, Row>,
  { since, readBy }: Attempt,
  finish: (made: Made<Created>) => Promise<State>,
): Promise<State | undefined> {
  const uncertain: Uncertain = { sentAt: () => (since === undefined ? undefined : Date.parse(since)), readBy };
  const isSameList = step.evidence.isKnownBy(creation.listedBy);
  let made = takeMade<Created>(step, creation.key);
  if (made === undefined) {
    const object = await step.mutex.run(creation.group, () => look(step, creation, uncertain));
    made = object && { object, by: "list", mayHaveCopy: false };
    if (made !== undefined && !isSameList)
      step.warn({
        code: "WA1305",
        what: `The token, or the path of the list, has changed since the ${creation.what} was sent. A copy of it may exist that the earlier one shows.`,
      });
  }
  if (made !== undefined) return rememberingOnFailure(step, creation.key, made, finish);
  if (isSameList) return undefined;
  const known = `The list does not show the ${creation.what}. This proves nothing: the token, or the path of the list, has changed since it was sent.`;
  throw unfinishedError(creation, uncertain, [known], [earlierToken]);
}

/** Whether a date is not before the attempt. Undefined where nothing tells. */
export function isSince(date: unknown, since: number | undefined): boolean | undefined {
  return since === undefined || typeof date !== "string" ? undefined : Date.parse(date) >= since;
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

/** Creates the object, or continues with the failed create of the same key. */
async function make<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
): Promise<Made<Created>> {
  const { mutex, failedCreates, log } = deployment;
  const { key, group } = creation;
  const earlier = takeMade<Created>(deployment, key);
  if (earlier !== undefined) {
    const object = creation.objectName(earlier.object);
    deployment.ledger.release(object);
    claim(deployment, object);
    log(`An earlier attempt of this command created the ${object}; continuing with it.`);
    return earlier;
  }
  const failed = failedCreates.get(key) as Uncertain | undefined;
  const outcome = await mutex.share(group, async () => failed ?? send(deployment, creation));
  if ("object" in outcome) return outcome;
  failedCreates.set(key, outcome);
  const made = await mutex.run(group, () => settle(deployment, creation, outcome, failed !== undefined));
  failedCreates.delete(key);
  return made;
}

/** Sends the create. `earlierAttempt`: the uncertain one before it, which may be carried out too. */
async function send<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  earlierAttempt?: Uncertain,
): Promise<Made<Created> | Uncertain> {
  const { service, clock } = deployment;
  const started = clock.now();
  const sentAt = earlierAttempt?.sentAt ?? (() => service.serviceTime(started));
  try {
    const object = await creation.send();
    const since = earliest(sentAt);
    const isNew = creation.isNew(object, since);
    claim(deployment, creation.objectName(object), isNew === true);
    return {
      object,
      by: isNew === false ? "older" : "response",
      mayHaveCopy: earlierAttempt !== undefined,
      ...(isNew === undefined ? { since } : {}),
    };
  } catch (error) {
    if (!isUncertain(error)) throw error;
    return { sentAt, readBy: service.endpoints.evidence(creation.listedBy), cause: error };
  }
}

/** Finds out what became of a create, or sends it once more. A create that the engine repeats is only looked for. */
async function settle<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  earlierAttempt: Uncertain,
  isRepeated: boolean,
): Promise<Made<Created>> {
  const row = await look(deployment, creation, earlierAttempt);
  if (row !== undefined) return { object: row, by: "list", mayHaveCopy: isRepeated };
  const notShown = `The list does not show the ${creation.what}`;
  if (isRepeated) throw unfinishedError(creation, earlierAttempt, [`${notShown}, so no other create was sent.`]);
  deployment.log(
    `No usable response came to the create, and the list does not show the ${creation.what}; sending it once more.`,
  );
  const second = await send(deployment, creation, earlierAttempt).catch((error: unknown) => {
    // A refusal of the second attempt says nothing about the first.
    throw unfinishedError(creation, { ...earlierAttempt, cause: error }, [
      "The first attempt may have been carried out.",
    ]);
  });
  if ("object" in second) return second;
  const late = await look(deployment, creation, second);
  if (late !== undefined) return { object: late, by: "list", mayHaveCopy: true };
  throw unfinishedError(creation, second, [`${notShown}.`]);
}

/** Undefined if complete lists did not show the object until the end of the watch. */
async function look<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  uncertain: Uncertain,
): Promise<Row | undefined> {
  const { clock, log } = deployment;
  const find = async (isTimeLeft: boolean): Promise<Finding<Row> | undefined> => {
    const finding = await readList(deployment, creation, uncertain);
    if (finding.is === "doubtful") throw unfinishedError(creation, uncertain, [finding.why]);
    return finding.is === "absent" && isTimeLeft ? undefined : finding;
  };
  const finding = await watch(clock, createSettles, find).catch((error: unknown) => {
    if (!isInterruption(clock, error)) throw error;
    return find(true);
  });
  if (finding === undefined)
    throw unfinishedError(creation, uncertain, [
      `The command was interrupted. The list does not show the ${creation.what} yet.`,
    ]);
  if (finding.is !== "found") return undefined;
  const object = creation.objectName(finding.row);
  claim(deployment, object);
  log(`The create response was lost, but the list shows the ${object}. It is used.`);
  return finding.row;
}

/** Reads even after an interruption, which allows the one read that shows what became of the request. */
async function readList<Created, Row extends Created>(
  { service, clock }: Deployment,
  creation: Creation<Created, Row>,
  uncertain: Uncertain,
): Promise<Finding<Row>> {
  const read = (reader: ServiceClient): Promise<Finding<Row>> =>
    creation.find(reader, () => earliest(uncertain.sentAt));
  try {
    return await read(service).catch((error: unknown) => {
      if (clock.interruption?.aborted !== true) throw error;
      return read(service.withoutWaits);
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

/** The date from which on an object can be the new one. */
function earliest(sentAt: Uncertain["sentAt"]): number | undefined {
  const time = sentAt();
  return time === undefined ? undefined : time - clockTolerance;
}

function unfinishedError(
  { what, next }: Pick<Creation<unknown, unknown>, "what" | "next">,
  { sentAt, readBy, cause }: Uncertain,
  known: readonly string[],
  firstAdvice: readonly string[] = [],
): UnfinishedCreate {
  const time = sentAt();
  const since = time === undefined ? {} : { since: new Date(time).toISOString() };
  return new UnfinishedCreate(
    { ...since, readBy },
    {
      code: "WA1303",
      what: `It is uncertain whether the ${what} was created: a copy of this ${what} may exist.`,
      known: [...(cause === undefined ? [] : knownFrom(cause)), ...known],
      next: [...firstAdvice, ...(cause === undefined ? [] : nextFrom(cause)), ...next],
    },
  );
}

/** The object of a failed step, with which a step that the engine repeats continues. */
function takeMade<Created>({ failedCreates }: Deployment, key: string): Made<Created> | undefined {
  const failed = failedCreates.get(key);
  if (failed === undefined || !("object" in failed)) return undefined;
  failedCreates.delete(key);
  return failed as Made<Created>;
}

async function rememberingOnFailure<Created, State>(
  { failedCreates }: Deployment,
  key: string,
  made: Made<Created>,
  step: (made: Made<Created>) => Promise<State>,
): Promise<State> {
  try {
    return await step(made);
  } catch (error) {
    failedCreates.set(key, made);
    throw error;
  }
}

/** Adopts an object with which the service answered a create, and which it had before. */
function adoptOlder<State>(deployment: Deployment, object: string, adopt: () => Promise<State>): Promise<State> {
  deployment.ledger.release(object);
  deployment.warn({
    code: "WA1306",
    what: `The service answered the create with the ${object}, which it had before. It may be somebody else's, so it is adopted: destroy retains it unless deletionPolicy says otherwise.`,
  });
  return claimWhile(deployment, object, adopt);
}
