import type { ServiceError } from "../../service/errors";
import { isAbsent, isUncertain, knownFrom, nextFrom, ProviderError } from "../../service/errors";
import { differingFields, type Fields, pick } from "./compare";
import type { Deployment } from "./deployment";
import { claim } from "./ownership";

/** When the list is read after an uncertain create: a request that timed out here may still be in progress there. */
const listReadsAfter = [0, 1_000, 2_000];
/** `Date` headers count whole seconds, and so may `created_date`. */
const clockTolerance = 2_000;

export interface Creation<Created, Row extends Created> {
  /** What is created, for messages: `webhook`. */
  what: string;
  /** Creations with the same key run one after the other: their objects could not be told apart. */
  key: string;
  send(): Promise<Created>;
  /** Everything that the new object would be among; throws when it cannot be read to its end. */
  list(): Promise<Row[]>;
  /** Whether the object has the values that were sent. */
  isAsSent(row: Row): boolean;
  /** Undefined where the service does not say: then nothing proves that the object is the new one. */
  createdDate(created: Created): string | undefined;
  idOf(created: Created): string;
  objectName(created: Created): string;
  /** The argument that adopts an existing object. */
  adoptedBy: string;
}

/** Compares what was sent with rows that may show less of it, because the service drops fields or lists only some. */
export function comparing(sent: Fields) {
  const shown = (row: Fields): Fields => pick(sent, Object.keys(row));
  return {
    isAsSent: (row: Fields): boolean => differingFields(shown(row), row).length === 0,
    /** Undefined where nothing ties the row to what was sent. */
    createdDate: (row: Fields): string | undefined => {
      const { created_date } = row;
      return Object.keys(shown(row)).length > 0 && typeof created_date === "string" ? created_date : undefined;
    },
  };
}

/**
 * Creates one object, and never a second one blindly. When the outcome of the request is uncertain, the list decides.
 * Exactly one object with the values that were sent, created since then and managed by no other resource, is the new one.
 * None in a complete list means that it was not created, and it is sent once more. A person decides everything else.
 *
 * `finish` runs when the object exists. If the engine calls `create` again in this process, nothing is sent again: it
 * continues with the object of the failed create, or only looks for it.
 */
export async function createOnce<Created, Row extends Created, State>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  finish: (created: Created) => Promise<State>,
): Promise<State> {
  const { mutex, earlierCreates } = deployment;
  // Before waiting: a create that waits already belongs to another resource with equal values, which has its own object.
  const earlier = earlierCreates.takeUnfinished(creation.key) as Created | undefined;
  const created =
    earlier === undefined
      ? await mutex.run(creation.key, () => createNew(deployment, creation))
      : continueWith(deployment, creation, earlier);
  try {
    return await finish(created);
  } catch (error) {
    earlierCreates.addUnfinished(creation.key, created);
    throw error;
  }
}

/** With the new lease, the next command notices if this is another resource with equal values. */
function continueWith<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  created: Created,
): Created {
  const object = creation.objectName(created);
  deployment.claims.release(object);
  claim(deployment, object);
  deployment.log(`An earlier attempt of this command created the ${object}; continuing with it.`);
  return created;
}

async function createNew<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
): Promise<Created> {
  const { clock, earlierCreates } = deployment;
  const earlier = earlierCreates.uncertain.get(creation.key);
  const started = earlier?.started ?? clock.now();
  const created =
    earlier === undefined
      ? await sendOrFind(deployment, creation, started)
      : await findOrFail(deployment, creation, started, earlier.cause);
  earlierCreates.uncertain.delete(creation.key);
  const date = creation.createdDate(created);
  // A service that answers with an object that it already had has created nothing.
  const since = earliest(deployment, started);
  const isNew = date !== undefined && since !== undefined && Date.parse(date) >= since;
  claim(deployment, creation.objectName(created), isNew);
  return created;
}

async function sendOrFind<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  started: number,
): Promise<Created> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await creation.send();
    } catch (error) {
      if (isUncertain(error)) {
        deployment.earlierCreates.uncertain.set(creation.key, { started, cause: error });
        const found = await search(deployment, creation, started, error);
        if (found !== undefined) return found;
      } else if (attempt === 1) throw error;
      // Also after a refusal: the first attempt may still show up.
      if (attempt === 2) throw copyMayExist(creation, [...knownFrom(error), ...aboutFirst(error)], nextFrom(error));
      deployment.log(
        `No usable response came to the create, and the list does not show the ${creation.what}; sending it once more.`,
      );
    }
  }
}

/** Sends nothing: a create with the same values is uncertain. */
async function findOrFail<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  started: number,
  cause: ServiceError,
): Promise<Row> {
  const found = await search(deployment, creation, started, cause);
  if (found !== undefined) return found;
  throw copyMayExist(
    creation,
    [...knownFrom(cause), `The list does not show the ${creation.what}, so nothing was sent again.`],
    nextFrom(cause),
  );
}

/** The date from which on an object can be the new one. Undefined while the service's clock is not known. */
function earliest({ service }: Deployment, started: number): number | undefined {
  const time = service.serviceTime(started);
  return time === undefined ? undefined : time - clockTolerance;
}

async function search<Created, Row extends Created>(
  deployment: Deployment,
  creation: Creation<Created, Row>,
  started: number,
  cause: ServiceError,
): Promise<Row | undefined> {
  for (const wait of listReadsAfter) {
    const rows = await listOrExplain(deployment, creation, cause, wait);
    const since = earliest(deployment, started);
    // Undefined where nothing tells.
    const isNew = (row: Row): boolean | undefined => {
      const date = creation.createdDate(row);
      return date === undefined || since === undefined ? undefined : Date.parse(date) >= since;
    };
    const candidates = rows.filter(
      (row) => creation.isAsSent(row) && isNew(row) !== false && !deployment.claims.has(creation.objectName(row)),
    );
    const [only, ...others] = candidates;
    if (others.length > 0 || (only !== undefined && isNew(only) === undefined)) {
      const ids = candidates.map((row) => creation.idOf(row)).join(", ");
      const doubt = others.length > 0 ? "Several objects could be it" : "This object may or may not be it";
      throw copyMayExist(creation, [...knownFrom(cause), `${doubt}: ${ids}.`]);
    }
    if (only !== undefined) {
      deployment.log(`The create response was lost, but the ${creation.what} exists; using ${creation.idOf(only)}.`);
      return only;
    }
  }
  return undefined;
}

/** A refusal of the second attempt says nothing about the first. */
function aboutFirst(error: unknown): string[] {
  return isUncertain(error) ? [] : ["The first attempt may have been carried out."];
}

async function listOrExplain<Created, Row extends Created>(
  { service, clock }: Deployment,
  creation: Creation<Created, Row>,
  cause: ServiceError,
  wait: number,
): Promise<Row[]> {
  try {
    await clock.sleep(wait);
    return await creation.list();
  } catch (error) {
    const known = [...knownFrom(cause), "The list that would show it could not be read:", ...knownFrom(error)];
    // Only advice about the path of the list: to run the command again could create a copy.
    throw copyMayExist(creation, known, isAbsent(error) ? service.endpoints.doubt(error.operation).next : []);
  }
}

function copyMayExist(
  { what, adoptedBy }: { what: string; adoptedBy: string },
  known: readonly string[],
  next: readonly string[] = [],
): ProviderError {
  return new ProviderError({
    what: `It is uncertain whether the ${what} was created: a copy of this ${what} may exist.`,
    known,
    next: [
      ...next,
      "Look for it in the service.",
      `If it is there, give its id as ${adoptedBy} to adopt it, or delete it there.`,
      "Then run `pulumi up` again.",
    ],
  });
}
