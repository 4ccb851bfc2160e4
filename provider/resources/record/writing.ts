import { Unfinished } from "../../engine/lifecycle";
import type { Service } from "../../service/client";
import { isUncertain, mayBeRefusal, Refusal, type ServiceError } from "../../service/errors";
import { type Fields, fieldsThatDiffer, picked } from "../meaning";
import { about, claimOf, get, type Inputs, managed, type State, stateOf, type Wire } from "./state";

/* Changing a record, and telling what the service made of it. */

/** Sends what differs, and only that; answers with what the service then holds. */
export async function settle(earlier: State, inputs: Inputs, service: Service): Promise<State> {
  const state = managed(earlier, inputs);
  const isHeld = (name: string): boolean => Object.hasOwn(state.fields, name);
  const differing = fieldsThatDiffer(inputs.fields, state.fields);
  // What a field holds that was not managed until now is not known, so that a declared null is sent too.
  const names = Object.keys(inputs.fields).filter((name) => differing.includes(name) || !isHeld(name));
  if (names.length === 0) return stateOf(inputs, wireOf(state), state);
  const wire = await write(state, picked(inputs.fields, names), service);
  const changedByOthers = state.changedByOthers?.filter((name) => !names.includes(name));
  return asDeclared(stateOf(inputs, wire, { ...state, changedByOthers }), inputs);
}

/** "Only fields the schema declares are stored; a misspelled name is dropped without error": here it is an error. */
export function asDeclared(state: State, inputs: Inputs): State {
  const differing = fieldsThatDiffer(inputs.fields, state.fields);
  if (differing.length === 0) return state;
  const altered = differing.filter((name) => Object.hasOwn(state.fields, name));
  const dropped = differing.filter((name) => !altered.includes(name));
  const schema = `not in the schema of ${state.entityName}, or spelled otherwise there?`;
  const problems = [
    ...(dropped.length > 0 ? [`dropped ${dropped.join(", ")} (${schema})`] : []),
    ...(altered.length > 0 ? [`stored another value than was sent in ${altered.join(", ")}`] : []),
  ];
  throw new Unfinished(
    state,
    `The ${claimOf(state)} was written, but the service ${problems.join(" and ")}. The rest is kept; declare what the service stores, and run \`pulumi up\` again.`,
  );
}

/** Writes fields. A write triggers the app's automations, so after a lost answer the record is read before another. */
export async function write(state: State, fields: Fields, service: Service): Promise<Wire> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await service.call("record.update", { ...about(state), body: fields });
    } catch (error) {
      if (!isUncertain(error)) throw error;
      const wire = await readAfter(error, state, service);
      const missing = fieldsThatDiffer(fields, wire);
      if (missing.length === 0) return wire;
      if (mayBeRefusal(error)) throw asBefore(error);
      if (attempt === 1) continue;
      // What was taken over in part is for the comparison of sent and stored to tell.
      const changed = fieldsThatDiffer(picked(fields, Object.keys(state.fields)), state.fields);
      if (changed.every((name) => missing.includes(name))) throw asBefore(error);
      return wire;
    }
  }
}

function asBefore(error: ServiceError): Refusal {
  return new Refusal(`${error.message} The record was read since: it does not have what was sent.`);
}

async function readAfter(error: ServiceError, state: State, service: Service): Promise<Wire> {
  try {
    return await get(state, service);
  } catch {
    throw new Unfinished(
      { ...state, unconfirmed: true },
      `${error.message} The ${claimOf(state)} could not be read either: run the command again, which reads before it writes.`,
    );
  }
}

/** What is known of the record without asking. */
function wireOf({ fields, recordId, createdDate, createdBy, createdById, isSample }: State): Wire {
  return {
    ...fields,
    id: recordId,
    created_date: createdDate,
    created_by: createdBy,
    created_by_id: createdById,
    is_sample: isSample,
  };
}
