import { sum } from "./goals";

/** A resource as the file backend keeps it. */
export interface Resource {
  type: string;
  created?: string;
  modified?: string;
  sourcePosition?: string;
  stackTrace?: unknown;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** Bytes of one resource in the state, by what they are for. */
export interface Parts {
  /** Names, times and dependencies that the engine keeps of every resource. */
  engine: number;
  /** Where in the program it was declared. */
  stackTrace: number;
  /** The locator, in inputs and outputs. */
  shell: number;
  /** The declared values, in inputs and, as now true, in outputs. */
  declared: number;
  /** Values that the service adds, promised as outputs. */
  results: number;
  /** The notes that the package must remember. */
  notes: number;
}

const results = ["webhookId", "createdDate", "hasSecret", "secret"];

export function byParts(resource: Resource): Parts {
  const { inputs, outputs, stackTrace, sourcePosition } = resource;
  const part = (belongs: (key: string) => boolean): number =>
    [...Object.entries(inputs), ...Object.entries(outputs)]
      .filter(([key]) => belongs(key))
      .reduce((sum, [key, value]) => sum + bytes({ [key]: value }) - 1, 0);
  const parts = {
    stackTrace: bytes({ stackTrace, sourcePosition }) - 1,
    shell: part((key) => key === "__provider"),
    declared: part((key) => key in inputs && key !== "__provider"),
    results: part((key) => results.includes(key)),
    notes: part((key) => !(key in inputs) && !results.includes(key)),
  };
  return { engine: bytes(withWholeTimes(resource)) - sum(Object.values(parts)), ...parts };
}

/** The engine leaves out the zeros at the end of a time, so that one resource in ten would seem smaller. */
function withWholeTimes(resource: Resource): Resource {
  const whole = (time: string): string =>
    time.replace(/(?:\.(\d+))?Z$/, (_, digits = "") => `.${String(digits).padEnd(9, "0")}Z`);
  const { created, modified } = resource;
  return {
    ...resource,
    ...(created === undefined ? {} : { created: whole(created) }),
    ...(modified === undefined ? {} : { modified: whole(modified) }),
  };
}

/** All but where in the program it was declared, which is the SDK's to say and not ours. */
export function untraced({ stackTrace: _, ...rest }: Parts): number {
  return sum(Object.values(rest));
}

function bytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
