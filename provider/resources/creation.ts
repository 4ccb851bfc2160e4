import type { Deployment } from "../engine/lifecycle";
import { factsOf, isUncertain, Refusal, type ServiceError } from "../service/errors";
import { mapInTurns } from "../service/turns";
import { type Fields, fieldsThatDiffer, picked } from "./meaning";
import { claim } from "./ownership";

/** When the list is read after an uncertain creation: a request that timed out here may still be under way there. */
const listReadsAfter = [0, 1_000, 2_000];
/** `Date` headers count whole seconds, and so may `created_date`. */
const clockTolerance = 2_000;

export interface Creation<Made, Row extends Made> {
  /** What is made, for messages: `webhook`. */
  what: string;
  /** Creations with the same key take turns: their objects could not be told apart. */
  key: string;
  send(): Promise<Made>;
  /** Everything that the new object would be among; throws when it cannot be read to its end. */
  list(): Promise<Row[]>;
  /** Whether the object has the values that were sent. */
  isAsSent(row: Row): boolean;
  /** Undefined where the service does not say: then nothing proves that the object is the new one. */
  createdDate(made: Made): string | undefined;
  idOf(made: Made): string;
  claimOf(made: Made): string;
  /** The argument that adopts an existing object. */
  adoptBy: string;
}

/** How to know what was sent in rows that may show less of it, because the service drops fields or lists only some. */
export function comparedBy(sent: Fields) {
  const shown = (row: Fields): Fields => picked(sent, Object.keys(row));
  return {
    isAsSent: (row: Fields): boolean => fieldsThatDiffer(shown(row), row).length === 0,
    /** Undefined, as if not told, where nothing ties the row to what was sent. */
    createdDate: (row: Fields): string | undefined => {
      const { created_date } = row;
      return Object.keys(shown(row)).length > 0 && typeof created_date === "string" ? created_date : undefined;
    },
  };
}

/**
 * Makes one object, never blindly a second. When the outcome of the request is uncertain the list tells: exactly one
 * object with the values that were sent, made since and managed by no other resource, is the one; none in a complete
 * list means that it was not made, and it is sent once more; anything else is for a person to decide.
 */
export async function createOnce<Made, Row extends Made>(
  deployment: Deployment,
  creation: Creation<Made, Row>,
): Promise<Made> {
  return deployment.claims.inTurn(creation.key, async () => {
    const began = deployment.clock.now();
    const made = await sendOrFind(deployment, creation, began);
    const created = creation.createdDate(made);
    // A service that answers with an object that it had already has made nothing.
    const isNew = created !== undefined && Date.parse(created) >= earliest(deployment, began);
    claim(deployment, creation.claimOf(made), isNew);
    return made;
  });
}

async function sendOrFind<Made, Row extends Made>(
  deployment: Deployment,
  creation: Creation<Made, Row>,
  began: number,
): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await creation.send();
    } catch (error) {
      if (isUncertain(error)) {
        const found = await search(deployment, creation, began, error);
        if (found !== undefined) return found;
      } else if (attempt === 1) throw error;
      // Also after a refusal: the first attempt may still come to light.
      if (attempt === 2) throw new Refusal(`${factsOf(error)} ${copyMayExist(creation)}`);
      deployment.say(`The answer to creating a ${creation.what} was lost and no list shows it: it is sent once more.`);
    }
  }
}

/** The date, by the service's clock, from which on an object can be the one that was made. */
function earliest({ service }: Deployment, began: number): number {
  return service.serviceTime(began) - clockTolerance;
}

async function search<Made, Row extends Made>(
  deployment: Deployment,
  creation: Creation<Made, Row>,
  began: number,
  cause: ServiceError,
): Promise<Row | undefined> {
  for (const wait of listReadsAfter) {
    await deployment.clock.sleep(wait);
    const rows = await listOrExplain(creation, cause);
    const since = earliest(deployment, began);
    const isNew = (created: string | undefined): boolean => created === undefined || Date.parse(created) >= since;
    const mayBeIt = (row: Row): boolean =>
      creation.isAsSent(row) && isNew(creation.createdDate(row)) && !deployment.claims.has(creation.claimOf(row));
    const judged = await mapInTurns(rows, mayBeIt);
    const candidates = rows.filter((_, index) => judged[index]);
    const [only, ...others] = candidates;
    if (others.length > 0 || (only !== undefined && creation.createdDate(only) === undefined)) {
      const ids = candidates.map((made) => creation.idOf(made)).join(", ");
      const doubt = others.length > 0 ? "Several could be this one" : "It cannot be told whether this is it";
      throw new Refusal(`${cause.facts} ${doubt}: ${ids}. ${copyMayExist(creation)}`);
    }
    if (only !== undefined) {
      deployment.say(`The answer to creating a ${creation.what} was lost; ${creation.idOf(only)} is it, and is used.`);
      return only;
    }
  }
  return undefined;
}

async function listOrExplain<Made, Row extends Made>(
  creation: Creation<Made, Row>,
  cause: ServiceError,
): Promise<Row[]> {
  try {
    return await creation.list();
  } catch (error) {
    const why = factsOf(error);
    throw new Refusal(`${cause.facts} The list that would tell could not be read: ${why} ${copyMayExist(creation)}`);
  }
}

function copyMayExist({ what, adoptBy }: { what: string; adoptBy: string }): string {
  return `A copy of this ${what} may exist: look for it in the service, then adopt it by giving ${adoptBy} or delete it there, and run \`pulumi up\` again.`;
}
