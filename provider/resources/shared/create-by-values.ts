import type { ServiceClient } from "../../service/client";
import { differingFields, type Fields, pick, showsAll } from "./compare";
import {
  countsAsAdopted,
  createOnce,
  type Creation,
  findCreated,
  type Finding,
  isSince,
  isWithin,
  type Made,
  originByDate,
  type Period,
} from "./create-once";
import type { Step } from "./deployment";
import { readBack } from "./evidence";
import type { Lifecycle } from "./lifecycle";
import { claimWhile, type Origin } from "./ownership";
import { decideYourself } from "./unfinished-create";
import { savingOnFailure } from "./partial-failure";

/*
 * Creating a record or a test. Nothing tells one apart but its values, so an object that is found by them may be somebody
 * else's: it counts as adopted.
 */

interface ByValues<Inputs, State, Wire> {
  /** The beginning of its operations. */
  readonly operations: "record" | "test";
  readonly idArgument: keyof Inputs & string;
  /** `TaxRate record`. */
  readonly what: (inputs: Inputs) => string;
  readonly objectName: (inputs: Inputs, id: string) => string;
  /** The fields that are sent, and that the list and a read show. */
  readonly values: (inputs: Inputs) => Fields;
  readonly send: (inputs: Inputs, service: ServiceClient) => Promise<Wire>;
  readonly list: (inputs: Inputs, reader: ServiceClient) => Promise<Wire[]>;
  readonly get: (inputs: Inputs, id: string, reader: ServiceClient) => Promise<Wire>;
  /** `stored`: what a read after the create has shown. */
  readonly toState: (inputs: Inputs, origin: Origin | undefined, created: Wire, stored?: Wire) => State;
  /** Throws a PartialFailure if the service stored something else. */
  readonly requireAsDeclared: (state: State, inputs: Inputs) => State;
  readonly adopt: (inputs: Inputs, id: string, step: Step) => Promise<State>;
}

/** How objects of a kind are created or adopted, and found by a later step if the outcome of the create is not known. */
export function creatingByValues<
  Inputs extends { appId: string },
  State extends object,
  Wire extends Fields & { id: string },
>(kind: ByValues<Inputs, State, Wire>): Pick<Lifecycle<Inputs, State>, "create" | "unfinishedCreate"> {
  const groupOf = (inputs: Inputs): string => `${kind.what(inputs)} of app ${inputs.appId}`;
  return {
    create(inputs, step) {
      const id = inputs[kind.idArgument] as string | undefined;
      if (id === undefined) return createOnce(step, creation(inputs, step));
      return claimWhile(step, kind.objectName(inputs, id), () => kind.adopt(inputs, id, step));
    },
    unfinishedCreate: {
      what: groupOf,
      find: (inputs, unfinished, isRepeated, step) => findCreated(step, creation(inputs, step), unfinished, isRepeated),
    },
  };

  function creation(inputs: Inputs, step: Step): Creation<Wire, State> {
    return {
      what: kind.what(inputs),
      group: groupOf(inputs),
      listedBy: `${kind.operations}.list`,
      next: decideYourself(kind.idArgument),
      send: () => kind.send(inputs, step.service),
      find: (reader, period) => findByValues(inputs, reader, period, step),
      isNew: (created, since) => isSince(created["created_date"], since),
      objectName: ({ id }) => kind.objectName(inputs, id),
      finish: (made) => finish(inputs, made, step),
      adopt: (id) => kind.adopt({ ...inputs, overwrite: undefined }, id, step),
    };
  }

  /** The only object that has all values that were sent, that was not there before, and that no resource manages. */
  async function findByValues(
    inputs: Inputs,
    reader: ServiceClient,
    periodNow: () => Period,
    { ledger }: Step,
  ): Promise<Finding<Wire>> {
    const sent = kind.values(inputs);
    const rows = await kind.list(inputs, reader);
    const period = periodNow();
    // A field that is not shown may have been dropped.
    const shown = (row: Wire): Fields => pick(sent, Object.keys(row));
    const isAsSent = (row: Wire): boolean => differingFields(shown(row), row).length === 0;
    // Undefined where nothing tells.
    const isNew = (row: Wire): boolean | undefined =>
      Object.keys(shown(row)).length === 0 ? undefined : isWithin(row["created_date"], period);
    const isFree = ({ id }: Wire): boolean => !ledger.isManaged(kind.objectName(inputs, id));
    const candidates = rows.filter((row) => isAsSent(row) && isNew(row) !== false && isFree(row));
    const [only, ...others] = candidates;
    if (only === undefined) return { is: "absent" };
    const ids = candidates.map(({ id }) => id).join(", ");
    if (others.length > 0) return { is: "doubtful", why: `Several objects could be it: ${ids}.` };
    // A list may show an object in part.
    const isWhole = showsAll(only, Object.keys(sent)) || !reader.can(`${kind.operations}.get`);
    const hasAll = isWhole || (await kind.get(inputs, only.id, reader).then(isAsSent, () => false));
    if (isNew(only) === true && hasAll) return { is: "found", row: only };
    return { is: "doubtful", why: `This object may or may not be it: ${ids}.` };
  }

  async function finish(inputs: Inputs, made: Made<Wire>, step: Step): Promise<State> {
    const { service, evidence, log } = step;
    const { id } = made.object;
    const object = kind.objectName(inputs, id);
    const origin = originOf(made, object, step);
    evidence.shownBy(`${kind.operations}.create`);
    const created = kind.toState(inputs, origin, made.object);
    // It exists now: whatever fails must leave it in state.
    const unread = { ...created, unconfirmed: true };
    const read = await savingOnFailure(unread, `The ${object} was created`, async () => {
      if (!service.can(`${kind.operations}.get`)) return created;
      const stored = await readBack(object, log, () => kind.get(inputs, id, service));
      if (stored === undefined) return created;
      evidence.shownBy(`${kind.operations}.get`);
      return kind.toState(
        inputs,
        origin ?? originByDate(made, stored["created_date"], object, step),
        made.object,
        stored,
      );
    });
    return kind.requireAsDeclared(read, inputs);
  }
}

/** An object that was found by its values may be somebody else's. */
function originOf({ by, mayHaveCopy }: Made<unknown>, object: string, { warn }: Step): Origin | undefined {
  if (mayHaveCopy)
    warn({
      code: "WA1305",
      what: `Two requests to create the ${object} were sent. If the first one is carried out late, there is a copy of it.`,
    });
  if (by === "response") return undefined;
  warn({
    code: "WA1306",
    what: `The ${object} was found by its values, because the response to the create was lost. It ${countsAsAdopted}.`,
  });
  return "adopted";
}
