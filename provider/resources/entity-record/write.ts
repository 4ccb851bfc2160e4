import { isUncertain, knownFrom, mayBeRefusal, nextFrom, ProviderError, type ServiceError } from "../../service/errors";
import { differingFields, type Fields, pick } from "../shared/compare";
import type { Step } from "../shared/deployment";
import {
  callFor,
  changedByOthers,
  get,
  type Inputs,
  managing,
  objectName,
  type State,
  toState,
  toStateAfterWrite,
  type Wire,
} from "./record";
import { PartialFailure } from "../shared/partial-failure";

/* Changing a record, finding out what the service stored, and restoring an adopted record. */

/** Sends only what differs, and returns what the service then holds. */
export async function applyChanges(earlier: State, inputs: Inputs, step: Step): Promise<State> {
  const state = managing(earlier, inputs);
  if (state.dropped !== undefined) throw stillDropped(state, state.dropped);
  const differing = differingFields(inputs.fields, state.fields);
  // The value of a field that was not managed until now is not known, so a declared null is sent too.
  const isNew = (name: string): boolean => !Object.hasOwn(state.fields, name);
  const names = Object.keys(inputs.fields).filter((name) => differing.includes(name) || isNew(name));
  if (names.length === 0) return toState(inputs, wireOf(state), state);
  const wire = await write(state, pick(inputs.fields, names), step);
  const stillChanged = state.changedByOthers?.filter((name) => !names.includes(name));
  const kept = { ...state, changedByOthers: stillChanged };
  return requireAsDeclared(toStateAfterWrite(inputs, wire, kept, state.fields), inputs);
}

/** The service drops a misspelled field without an error. Here it is an error. */
export function requireAsDeclared(state: State, inputs: Inputs): State {
  const { fields, dropped = {} } = state;
  const altered = differingFields(inputs.fields, fields).filter((name) => Object.hasOwn(fields, name));
  if (altered.length === 0 && state.dropped === undefined) return state;
  throw new PartialFailure(state, {
    code: "WA1801",
    what: `The ${objectName(state)} was written, but the service did not store everything as sent.`,
    known: [
      ...aboutDropped(state, dropped),
      ...(altered.length > 0 ? [`Stored with another value: ${altered.join(", ")}.`] : []),
      "Everything else is kept.",
    ],
    next: ["Declare what the service stores, and run `pulumi up` again.", ...ifLeftOut(dropped)],
  });
}

/** Every update triggers the app's automations, so what was dropped once is not sent again. */
function stillDropped(state: State, dropped: Fields): PartialFailure {
  return new PartialFailure(state, {
    code: "WA1801",
    what: `The ${objectName(state)} was not written: the program still declares a field that the service dropped.`,
    known: aboutDropped(state, dropped),
    next: [
      "Correct the name, or remove the field from the program.",
      ...ifLeftOut(dropped),
      `If the schema of ${state.entityName} has the field by now: remove it, run \`pulumi up\`, then declare it again.`,
    ],
  });
}

function aboutDropped({ entityName }: State, dropped: Fields): string[] {
  const names = Object.keys(dropped);
  if (names.length === 0) return [];
  return [`Dropped: ${names.join(", ")} (not in the schema of ${entityName}, or spelled differently there).`];
}

/** A service that leaves out fields that are null cannot be told apart from one that dropped them. */
function ifLeftOut(dropped: Fields): string[] {
  const nulls = Object.keys(dropped).filter((name) => dropped[name] === null);
  if (nulls.length === 0) return [];
  return [
    `Sent as null: ${nulls.join(", ")}. If the schema has it, the service does not show fields that are null: remove it from the program.`,
  ];
}

/** Writes fields. A write triggers the app's automations, so after a lost response the record is read before another. */
async function write(state: State, fields: Fields, step: Step): Promise<Wire> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step.service.call("record.update", { ...callFor(state), body: fields });
    } catch (error) {
      if (!isUncertain(error)) throw error;
      const wire = await readAfter(error, state, fields, step);
      const missing = lackingIn(wire, fields, state.fields);
      if (missing.length === 0) return wire;
      if (mayBeRefusal(error)) throw notStored(error);
      if (attempt === 1) continue;
      // The caller compares what was sent with what was stored in part.
      const changed = differingFields(pick(fields, Object.keys(state.fields)), state.fields);
      if (changed.every((name) => missing.includes(name))) throw notStored(error);
      return wire;
    }
  }
}

/** The sent fields that the record does not have. A null that it does not show is stored only if there was a value before. */
function lackingIn(wire: Wire, sent: Fields, before: Fields): string[] {
  const isUnknown = (name: string): boolean => !Object.hasOwn(wire, name) && !Object.hasOwn(before, name);
  const differing = differingFields(sent, wire);
  return Object.keys(sent).filter((name) => differing.includes(name) || isUnknown(name));
}

function notStored(error: ServiceError): ProviderError {
  return new ProviderError({
    code: "WA1802",
    what: error.report.what,
    known: [...knownFrom(error).slice(1), "The record was read afterwards: it does not have what was sent."],
    next: nextFrom(error),
  });
}

async function readAfter(error: ServiceError, state: State, sent: Fields, step: Step): Promise<Wire> {
  try {
    return await get(state, step, sent);
  } catch (readError) {
    throw new PartialFailure(
      { ...state, unconfirmed: true },
      {
        code: "WA1320",
        what: `It is uncertain whether the ${objectName(state)} was changed, and it could not be read.`,
        known: [...knownFrom(error), ...knownFrom(readError)],
        next: [...nextFrom(error), "Run the command again. It reads before it writes."],
      },
    );
  }
}

const otherPolicy = 'Set deletionPolicy to "delete" or "retain", run `pulumi up`, then destroy.';

/** Puts back the values found at adoption: only those of managed fields, and only where nobody changed them since. */
export async function restore(state: State, step: Step): Promise<void> {
  const { service, evidence, log } = step;
  const { valuesFound } = state;
  if (valuesFound === undefined)
    throw new ProviderError({
      code: "WA1804",
      what: `The values that the ${objectName(state)} had before are not known, so they cannot be restored.`,
      next: [otherPolicy],
    });
  if (!service.can("record.get")) throw service.endpoints.unavailable("record.get", otherPolicy);
  const wire = await evidence.readUnlessGone(() => get(state, step));
  if (wire === undefined) return;
  const byOthers = changedByOthers(state, wire);
  const changed = differingFields(valuesFound, wire);
  const left = changed.filter((name) => byOthers.includes(name));
  const back = changed.filter((name) => !byOthers.includes(name));
  const who = state.unconfirmed === true ? "Others, or a write whose response was lost," : "Others";
  if (left.length > 0)
    log(`${who} changed ${left.join(", ")} of the ${objectName(state)} since \`pulumi up\` wrote it: left unchanged.`);
  if (back.length === 0) return;
  const values = pick(valuesFound, back);
  const lost = differingFields(values, await write(state, values, step));
  if (lost.length > 0)
    throw new ProviderError({
      code: "WA1804",
      what: `The service did not take back the values found at adoption in ${lost.join(", ")} of the ${objectName(state)}.`,
      next: [otherPolicy],
    });
  log(`The ${objectName(state)} has the values found at adoption again in ${back.join(", ")}.`);
}

/** The record by its state, without a request. */
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
