import { kindOfType, partsOfUrn } from "../../provider/pulumi/urn";
import { kinds } from "../../provider/registry";
import type { StateResource } from "../stack-state";
import type { Found } from "./inventory";

/** The values that tell an object from all others. */
export interface Identified {
  readonly kind: Found["kind"];
  readonly id: string;
  /** The ids that name its parent, by their arguments. */
  readonly parents: Readonly<Record<string, string>>;
}

/** The objects that a stack manages already. */
export interface Excluded {
  readonly has: (object: Identified) => boolean;
  /** The names of its resources of a kind, which no other may have. */
  readonly namesOf: (kind: Found["kind"]) => string[];
}

export function excludedBy(state: readonly StateResource[]): Excluded {
  const managed = state.map(({ urn, id, outputs }) => {
    const { type, name } = partsOfUrn(urn);
    return { kind: kindOfType(type), name, id, outputs: outputs ?? {} };
  });
  return {
    has: ({ kind, id, parents }) =>
      managed.some((one) => one.kind === kind && idIn(kind, one) === id && hasSameParents(parents, one.outputs)),
    namesOf: (kind) => managed.filter((one) => one.kind === kind).map(({ name }) => name),
  };
}

/** The object's id in the service. Pulumi's own may be older: it stays the same when a launch is confirmed later. */
function idIn(kind: Found["kind"], { id, outputs }: Pick<StateResource, "id"> & { outputs: Outputs }): unknown {
  const { adoptedBy = "" } = kinds[kind];
  return typeof outputs[adoptedBy] === "string" ? outputs[adoptedBy] : id;
}

type Outputs = Readonly<Record<string, unknown>>;

/** A parent that the state hides, because it is secret, or lacks is not compared. */
function hasSameParents(parents: Identified["parents"], outputs: Outputs): boolean {
  return Object.entries(parents).every(([name, id]) => typeof outputs[name] !== "string" || outputs[name] === id);
}
