import type { ServiceClient } from "../../service/client";
import { isInterruption } from "../../service/clock";
import type { OperationId } from "../../service/operations";
import { isAbsent, isUncertain, knownFrom, nextFrom } from "../../service/errors";
import { differingFields, type Fields, pick, showsAll } from "./compare";
import type { Deployment, Step } from "./deployment";
import type { UncertainCreate } from "./earlier-creates";
import { earlierToken } from "./evidence";
import { claim, claimWhile, type Origin } from "./ownership";
import { type Attempt, UnfinishedCreate } from "./unfinished-create";
import { createSettles, watch } from "./watch";

/** `Date` headers count whole seconds, and so may `created_date`. */
const clockTolerance = 2_000;

/** What a complete list says about an object whose create response was lost. */
export type Finding<Row> =
  | { readonly is: "found"; readonly row: Row }
  | { readonly is: "absent" }
  | { readonly is: "doubtful"; readonly why: string };

export interface Creation<Created, Row extends Created> {
  /** What is created, for messages: `webhook`. */
  readonly what: string;
  /** Recognizes a create that the engine calls again. Creates of one key run one after the other. */
  readonly key: string;
  /** Creates of one group are told apart by the list alone. While one of them is looked for, the others wait. */
  readonly group: string;
  send(): Promise<Created>;
  /** Everything that the new object would be among; throws if it cannot be read to its end. */
  list(service: ServiceClient): Promise<Row[]>;
  /** The new object among the rows. `since`: the service's time of the attempt, if that is known. */
  find(rows: readonly Row[], since: number | undefined, service: ServiceClient): Promise<Finding<Row>>;
  /** Undefined where the service does not say. */
  createdDate(created: Created): string | undefined;
  /** Whether the service answered with a new object, where more than its date tells. `byDate`: undefined if that does not. */
  isNew?(created: Created, byDate: boolean | undefined): boolean | undefined;
  /** The operation of `list`. */
  readonly listedBy: OperationId;
  objectName(created: Created): string;
  /** How a person goes on while it is uncertain. */
  readonly next: readonly string[];
}

/** How an object is found by its values. */
interface ByValues<Row> {
  readonly sent: Fields;
  readonly objectName: (row: Row) => string;
  /** Reads an object that the list shows in part. Left out where it cannot be read. */
  readonly read?: ((row: Row, service: ServiceClient) => Promise<Row>) | undefined;
}

/**
 * Nothing tells a record or a test apart but its values. The new one is the only object that has all values that were
 * sent, that was not there before, and that no resource manages.
 */
export function findByValues<Row extends Fields & { id: string }>(
  { sent, objectName, read }: ByValues<Row>,
  { ledger }: Deployment,
): Creation<Row, Row>["find"] {
  // A field that is not shown may have been dropped.
  const shown = (row: Row): Fields => pick(sent, Object.keys(row));
  const isAsSent = (row: Row): boolean => differingFields(shown(row), row).length === 0;
  return async (rows, since, service) => {
    // Undefined where nothing tells.
    const isNew = (row: Row): boolean | undefined => {
      const { created_date: date } = row;
      if (since === undefined || typeof date !== "string" || Object.keys(shown(row)).length === 0) return undefined;
      return Date.parse(date) >= since;
    };
    const candidates = rows.filter(
      (row) => isAsSent(row) && isNew(row) !== false && !ledger.isManaged(objectName(row)),
    );
    const [only, ...others] = candidates;
    if (only === undefined) return { is: "absent" };
    const ids = candidates.map(({ id }) => id).join(", ");
    if (others.length > 0) return { is: "doubtful", why: `Several objects could be it: ${ids}.` };
    const isSure = isNew(only) === true && (await isAsSentInWhole(only, service));
    return isSure ? { is: "found", row: only } : { is: "doubtful", why: `This object may or may not be it: ${ids}.` };
  };

  async function isAsSentInWhole(row: Row, service: ServiceClient): Promise<boolean> {
    if (read === undefined || showsAll(row, Object.keys(sent))) return true;
    return read(row, service).then(isAsSent, () => false);
  }
}

/** The object of a create. */
export interface Made<Created> {
  /** What a repeated create continues with. */
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

/** An object that was found by its values may be somebody else's. */
export function originOf({ by, mayHaveCopy }: Made<unknown>, object: string, { warn }: Deployment): Origin | undefined {
  if (mayHaveCopy)
    warn(
      `Two requests to create the ${object} were sent. If the first one is carried out late, there is a copy of it.`,
    );
  if (by === "response") return undefined;
  warn(`The ${object} was found by its values, because the response to the create was lost. It ${countsAsAdopted}.`);
  return "adopted";
}

/** The same after a read, where the response to the create did not tell how old the object is. */
export function originByDate(
  { by, since }: Made<unknown>,
  date: unknown,
  object: string,
  { warn }: Deployment,
): Origin | undefined {
  if (by !== "response" || since === undefined || typeof date !== "string" || Date.parse(date) >= since)
    return undefined;
  warn(`The service answered the create with the ${object}, which it had before. It ${countsAsAdopted}.`);
  return "adopted";
}

const countsAsAdopted =
  "may be somebody else's, so it counts as adopted: destroy retains it unless deletionPolicy says otherwise";

/** What follows when the object exists. */
interface Following<Created, State> {
  /** Of a new object. */
  readonly finish: (made: Made<Created>) => Promise<State>;
  /** Of an object that the service had before. It is not changed. */
  readonly adopt: (id: string) => Promise<State>;
}

/**
 * Creates one object, and never a second one blindly. If the outcome of the request is uncertain, the list decides. If a
 * complete list does not show the object, it is sent once more. Everything else stays unfinished.
 *
 * If the engine calls `create` again in this process, no second create is sent: it continues with the object of the failed
 * create, or only looks for it.
 */
export async function createOnce<Created extends { id: string }, Row extends Created, State>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  { finish, adopt }: Following<Created, State>,
): Promise<State> {
  const made = await deployment.mutex.run(`create of ${creation.key}`, () => make(deployment, creation));
  return rememberingOnFailure(deployment, creation, made, () =>
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
  deployment: Step,
  creation: Creation<Created, Row>,
  { since, readBy }: Attempt,
  finish: (made: Made<Created>) => Promise<State>,
): Promise<State | undefined> {
  const { mutex, evidence, earlierCreates } = deployment;
  const time = since === undefined ? undefined : Date.parse(since);
  const attempt = { started: () => time, readBy };
  const isSameList = evidence.isKnownBy(creation.listedBy);
  let made = earlierCreates.takeCreated(creation.key) as Made<Created> | undefined;
  if (made === undefined) {
    const object = await mutex.run(creation.group, () => look(deployment, creation, attempt));
    made = object && { object, by: "list", mayHaveCopy: false };
    if (made !== undefined && !isSameList)
      deployment.warn(
        `The token, or the path of the list, has changed since the ${creation.what} was sent. A copy of it may exist that the earlier one shows.`,
      );
  }
  if (made !== undefined) return rememberingOnFailure(deployment, creation, made, finish);
  if (isSameList) return undefined;
  const known = `The list does not show the ${creation.what}. That proves nothing: the token, or the path of the list, has changed since it was sent.`;
  throw unfinished(creation, attempt, [known], [earlierToken]);
}

/** If a later step fails, a step that the engine repeats continues with the object. */
async function rememberingOnFailure<Created, State>(
  { earlierCreates }: Deployment,
  { key }: Pick<Creation<Created, Created>, "key">,
  made: Made<Created>,
  step: (made: Made<Created>) => Promise<State>,
): Promise<State> {
  try {
    return await step(made);
  } catch (error) {
    earlierCreates.addCreated(key, made);
    throw error;
  }
}

/** Adopts an object with which the service answered a create, and which it had before. */
function adoptOlder<State>(deployment: Deployment, object: string, adopt: () => Promise<State>): Promise<State> {
  deployment.ledger.release(object);
  deployment.warn(
    `The service answered the create with the ${object}, which it had before. It may be somebody else's, so it is adopted: destroy retains it unless deletionPolicy says otherwise.`,
  );
  return claimWhile(deployment, object, adopt);
}

function continueWith<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  made: Made<Created>,
): Made<Created> {
  const object = creation.objectName(made.object);
  deployment.ledger.release(object);
  claim(deployment, object);
  deployment.log(`An earlier attempt of this command created the ${object}; continuing with it.`);
  return made;
}

/** A create whose request may have been carried out. */
interface Uncertain {
  /** When it started, by the service's clock. Undefined while that is not known. */
  readonly started: () => number | undefined;
  readonly readBy: string;
  /** Left out where an earlier command sent it. */
  readonly cause?: unknown;
}

async function make<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
): Promise<Made<Created>> {
  const { mutex, earlierCreates, clock } = deployment;
  const earlier = earlierCreates.takeCreated(creation.key) as Made<Created> | undefined;
  if (earlier !== undefined) return continueWith(deployment, creation, earlier);
  const first = await mutex.share(creation.group, async (): Promise<Made<Created> | UncertainCreate> => {
    const started = clock.now();
    return earlierCreates.uncertain.get(creation.key) ?? sendOnce(deployment, creation, started, false);
  });
  if ("object" in first) return first;
  return mutex.run(creation.group, () => settle(deployment, creation, first));
}

async function sendOnce<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  started: number,
  mayHaveCopy: boolean,
): Promise<Made<Created> | UncertainCreate> {
  try {
    const object = await creation.send();
    const date = creation.createdDate(object);
    const since = earliest(deployment.service.serviceTime(started));
    const byDate = date === undefined || since === undefined ? undefined : Date.parse(date) >= since;
    const isNew = creation.isNew === undefined ? byDate : creation.isNew(object, byDate);
    claim(deployment, creation.objectName(object), isNew === true);
    return {
      object,
      by: isNew === false ? "older" : "response",
      mayHaveCopy,
      ...(isNew === undefined ? { since } : {}),
    };
  } catch (error) {
    if (isUncertain(error)) return { started, cause: error };
    throw error;
  }
}

/**
 * Finds out what became of a create, or sends it once more. A create that the engine repeats is only looked for.
 */
async function settle<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  { started, cause }: UncertainCreate,
): Promise<Made<Created>> {
  const { earlierCreates, service, log } = deployment;
  const isRepeated = earlierCreates.uncertain.has(creation.key);
  earlierCreates.uncertain.set(creation.key, { started, cause });
  const settled = (made: Made<Created>): Made<Created> => {
    earlierCreates.uncertain.delete(creation.key);
    return made;
  };
  const readBy = service.endpoints.evidence(creation.listedBy);
  const attempt = { started: () => service.serviceTime(started), readBy, cause };
  const row = await look(deployment, creation, attempt);
  if (row !== undefined) return settled({ object: row, by: "list", mayHaveCopy: isRepeated });
  const notShown = `The list does not show the ${creation.what}`;
  if (isRepeated) throw unfinished(creation, attempt, [`${notShown}, so no other create was sent.`]);
  log(`No usable response came to the create, and the list does not show the ${creation.what}; sending it once more.`);
  const second = await sendOnce(deployment, creation, started, true).catch((error: unknown) => {
    // A refusal of the second attempt says nothing about the first.
    throw unfinished(creation, { ...attempt, cause: error }, ["The first attempt may have been carried out."]);
  });
  if ("object" in second) return settled(second);
  const late = { ...attempt, cause: second.cause };
  const lateRow = await look(deployment, creation, late);
  if (lateRow !== undefined) return settled({ object: lateRow, by: "list", mayHaveCopy: true });
  throw unfinished(creation, late, [`${notShown}.`]);
}

/** The date from which on an object can be the new one. */
function earliest(serviceTime: number | undefined): number | undefined {
  return serviceTime === undefined ? undefined : serviceTime - clockTolerance;
}

/** Undefined if complete lists did not show the object until the end of the watch. */
async function look<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  attempt: Uncertain,
): Promise<Row | undefined> {
  const { clock, log } = deployment;
  const find = async (isTimeLeft: boolean): Promise<Finding<Row> | undefined> => {
    const finding = await readList(deployment, creation, attempt);
    if (finding.is === "doubtful") throw unfinished(creation, attempt, [finding.why]);
    return finding.is === "absent" && isTimeLeft ? undefined : finding;
  };
  const finding = await watch(clock, createSettles, find).catch((error: unknown) => {
    if (!isInterruption(clock, error)) throw error;
    return find(true);
  });
  if (finding === undefined)
    throw unfinished(creation, attempt, [
      `The command was interrupted. The list does not show the ${creation.what} yet.`,
    ]);
  if (finding.is !== "found") return undefined;
  const object = creation.objectName(finding.row);
  claim(deployment, object);
  log(`The create response was lost, but the list shows the ${object}. It is used.`);
  return finding.row;
}

/** Also after an interruption, which allows the one read that shows what became of the request. */
async function readList<Created, Row extends Created>(
  { service, clock }: Deployment,
  creation: Creation<Created, Row>,
  attempt: Uncertain,
): Promise<Finding<Row>> {
  const read = async (reader: ServiceClient): Promise<Finding<Row>> =>
    creation.find(await creation.list(reader), earliest(attempt.started()), reader);
  try {
    return await read(service).catch((error: unknown) => {
      if (clock.interruption?.aborted !== true) throw error;
      return read(service.withoutWaits);
    });
  } catch (error) {
    // Only its advice about the path of the list. The creation says the rest.
    const next = isAbsent(error) ? service.endpoints.doubt(error.operation).next : [];
    throw unfinished(creation, attempt, ["The list that would show it could not be read:", ...knownFrom(error)], next);
  }
}

function unfinished(
  { what, next }: Pick<Creation<unknown, unknown>, "what" | "next">,
  { started, readBy, cause }: Uncertain,
  known: readonly string[],
  first: readonly string[] = [],
): UnfinishedCreate {
  const time = started();
  const since = time === undefined ? {} : { since: new Date(time).toISOString() };
  return new UnfinishedCreate(
    { ...since, readBy },
    {
      what: `It is uncertain whether the ${what} was created: a copy of this ${what} may exist.`,
      known: [...(cause === undefined ? [] : knownFrom(cause)), ...known],
      next: [...first, ...(cause === undefined ? [] : nextFrom(cause)), ...next],
    },
  );
}
