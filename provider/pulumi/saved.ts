import type { Deployment } from "../resources/shared/deployment";
import { Evidence } from "../resources/shared/evidence";
import { argumentsIn, type Lifecycle } from "../resources/shared/lifecycle";
import { type UnfinishedCreate, unfinishedKey } from "../resources/shared/unfinished-create";
import { withoutUndefined } from "../serializable";
import { hiddenInputs } from "./hidden-inputs";

/* A resource as Pulumi saves it: the state as its kind returns it, and the notes of the steps. */

/** Inputs or outputs as a host passes them: plain values, and `unknownValue` for what a preview does not know. */
export type Properties = Record<string, unknown>;

/** A resource as Pulumi saves it. */
export interface Saved {
  readonly id: string;
  readonly outputs: Properties;
}

/** A step that failed after it changed something: what exists is saved, and the message shown. */
export class SavedFailure extends Error {
  constructor(
    message: string,
    readonly saved: Saved,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The notes of the steps. They save `readBy` of the evidence beside them. */
export interface Notes {
  /** Tells the resources of one object apart; see Ledger. */
  readonly lease: string | undefined;
  readonly imported?: ImportNote | undefined;
}

/** The note of an import in the state. Undefined once the program has declared everything. */
export interface ImportNote {
  /** The command that imported it, which must not change it. */
  readonly by?: string;
  /** The program declared other values than the object has. No command changes it until the program matches it. */
  readonly isRefused?: true;
  /** The arguments that the service does not show, and that the program has not declared yet. */
  readonly leftOut?: readonly string[] | undefined;
}

const leaseKey = "lease";
const importKey = "imported";
const hiddenKeys: readonly string[] = [...hiddenInputs, leaseKey, unfinishedKey, importKey];

/** The properties that a lifecycle sees. A configuration file or a JavaScript program gives null for nothing. */
export function visible(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => !hiddenKeys.includes(key) && value !== null),
  );
}

/** The state as its kind sees it. */
export function stateIn<Inputs extends object, State extends object>(
  { keepsOwnReadBy }: Lifecycle<Inputs, State>,
  outputs: Properties,
): State {
  const { readBy, ...state } = visible(outputs);
  return (keepsOwnReadBy === true ? { ...state, readBy } : state) as State;
}

export function leaseIn(outputs: Properties): string | undefined {
  return outputs[leaseKey] as string | undefined;
}

export function importNoteIn(outputs: Readonly<Properties>): ImportNote | undefined {
  return outputs[importKey] as ImportNote | undefined;
}

/** Whether this is an import that the program does not match yet. */
export function isImport(outputs: Properties, { command }: Deployment): boolean {
  const note = importNoteIn(outputs);
  return note !== undefined && (note.isRefused === true || note.by === command);
}

export function unfinishedIn(outputs: Properties): UnfinishedCreate | undefined {
  return outputs[unfinishedKey] as UnfinishedCreate | undefined;
}

function readByIn(outputs: Properties): string | undefined {
  return (unfinishedIn(outputs) ?? (outputs as Partial<UnfinishedCreate>)).readBy;
}

/** Names the object, or what an unfinished create may have created. */
export function objectIn<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  outputs: Properties,
): string {
  if (unfinishedIn(outputs) === undefined) return lifecycle.objectName(stateIn(lifecycle, outputs));
  return lifecycle.unfinishedCreate?.what?.(visible(outputs) as Inputs) ?? lifecycle.kind;
}

export function mayExist(object: string): string {
  return `An earlier command may have created the ${object}: the response to its create was lost.`;
}

/** The evidence of what was saved. For a new object, nothing was saved yet. */
export function evidenceIn<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  outputs: Properties,
  { service }: Deployment,
): Evidence {
  const object = Object.keys(outputs).length === 0 ? lifecycle.kind : objectIn(lifecycle, outputs);
  return new Evidence(service.endpoints, object, readByIn(outputs));
}

/**
 * Refuses an object of another base URL. A resource that is only removed from the stack sends no request, and may do so
 * anywhere.
 */
export function requireSameBaseUrl<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  outputs: Properties,
  deployment: Deployment,
): void {
  evidenceIn(lifecycle, outputs, deployment).requireSameBaseUrl(lifecycle.adoptedBy);
}

/** Whether the program names the object, so that nothing must be looked for. */
export function givesId<Inputs extends object, State extends object>(
  { adoptedBy }: Lifecycle<Inputs, State>,
  inputs: Inputs,
): boolean {
  return adoptedBy !== undefined && inputs[adoptedBy] !== undefined;
}

/** The argument that adopts the object by its id. */
export function idArgumentIn<Inputs extends object, State extends object>(
  { adoptedBy }: Lifecycle<Inputs, State>,
  state: State,
): string | undefined {
  return adoptedBy !== undefined && typeof (state as Properties)[adoptedBy] === "string" ? adoptedBy : undefined;
}

export function argumentsOf<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  state: State,
): Inputs & Properties {
  return withoutUndefined(argumentsIn(lifecycle, state)) as Inputs & Properties;
}

export function saved<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  state: State,
  { lease, imported }: Notes,
  { readBy }: Evidence,
): Saved {
  return {
    id: lifecycle.idOf(state),
    outputs: withoutUndefined({ readBy, ...state, [leaseKey]: lease, [importKey]: imported }),
  };
}

/** An unfinished create, saved in place of the object. */
export function savedUnfinished(inputs: object, unfinished: UnfinishedCreate): Saved {
  return { id: "unfinished", outputs: withoutUndefined({ ...inputs, [unfinishedKey]: unfinished }) };
}
