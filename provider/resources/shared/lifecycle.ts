import { z } from "zod";
import type { Problem } from "../../argument-problems";
import type { Report } from "../../service/errors";
import type { MessageCode } from "../../service/message-codes";
import type { OperationId } from "../../service/operations";
import type { Settings } from "../../settings";
import type { Deployment, Step } from "./deployment";
import type { UnfinishedCreate } from "./unfinished-create";

type Properties<Inputs> = readonly [keyof Inputs & string, ...(keyof Inputs & string)[]];

/** Why a resource is refused, in a sentence that continues its name. */
export type Refusal = Pick<Problem, "code" | "reason">;

/** A rule about several arguments. It is not checked while one of them is unknown, and is reported under the first. */
export interface Rule<Inputs> {
  readonly properties: Properties<Inputs>;
  /** Left out where a person only corrects the argument. */
  readonly code?: MessageCode;
  /**
   * The sentence to show, or undefined when the rule is kept. `settings` is undefined while they are wrong themselves.
   * `earlier` is what the resource was last declared with, undefined for one that is about to be created.
   */
  readonly problem: (
    inputs: Inputs,
    settings: Settings | undefined,
    earlier: Partial<Inputs> | undefined,
  ) => string | undefined;
}

/** An operation without which an object cannot be created, and what to do where it must not be called. */
interface RequiredOperation {
  readonly operation: OperationId;
  /** Another way for the user, if there is one. */
  readonly instead?: string;
}

/** A resource that `check` sees, besides its arguments. */
export interface Checked<Inputs> {
  /** The resource is about to be created. */
  readonly isNew: boolean;
  /** Names the resource in the program. */
  readonly place: string;
  /** The arguments that it was last declared with. */
  readonly earlier: Partial<Inputs> | undefined;
  /** Whether these arguments are known, or all of them. During preview they may not be. */
  readonly isKnown: (...names: (keyof Inputs & string)[]) => boolean;
}

/** The object that arguments stand for, once these arguments are known. */
interface DeclaredObject<Inputs> {
  readonly properties: Properties<Inputs>;
  readonly object: (inputs: Inputs) => string;
  /**
   * Whether several resources may declare it that each adopt an object by its id: the service may have two of one name.
   */
  readonly isSharedByAdopted?: boolean;
}

/** How Pulumi imports an existing object, or reads it by its id. */
export interface Importing<Inputs, State> {
  /** The arguments that Pulumi's id consists of, separated by `/`. */
  readonly id: readonly (keyof Inputs & string)[];
  /** Reads the object and changes nothing. The state counts as adopted. Throws if the object is not there. */
  read(named: Inputs, step: Step): Promise<Imported<Inputs, State>>;
  /** A message for the first time that the program declares what the import left out. */
  readonly firstDeclared?: string;
}

/** An imported object. */
export interface Imported<Inputs, State> {
  readonly state: State;
  /** The arguments that the service does not show. Their first declared values are stored, and change nothing. */
  readonly leftOut?: readonly (keyof Inputs & string)[];
}

/**
 * One kind of managed object, as any Pulumi host needs it. Pulumi keeps the state as outputs. It has the arguments as
 * they are now true in the service, what the service added, and what this package must remember. The steps add the
 * lease, the note of an import and `readBy` of the evidence.
 */
export interface Lifecycle<Inputs extends object, State extends object> {
  /** The name of the class, the last part of the type token, and the name of the export in the runtime. */
  readonly kind: string;
  /** One line for the tables in README and docs. */
  readonly purpose: string;
  /** Types and bounds of the arguments. */
  readonly inputs: z.ZodType<Inputs> & { readonly shape: Record<keyof Inputs & string, z.ZodType> };
  /** Every property that a program can read besides the arguments. */
  readonly outputs: readonly string[];
  readonly secretOutputs?: readonly string[];
  /**
   * Arguments that are computed from all others where the program leaves them out; unknown while one of the others is.
   * `place` is `project/stack/name` of the resource, `earlier` what the resource was last declared with, if anything.
   */
  readonly derived?: {
    readonly [Key in keyof Inputs]?: (inputs: Inputs, place: string, earlier: Partial<Inputs>) => Inputs[Key];
  };
  readonly rules?: readonly Rule<Inputs>[];
  /**
   * Whether the inputs hold digits that only this resource has. When the engine repeats a create, they tell two resources with
   * equal arguments apart. A webhook also has them in its mark.
   */
  readonly needsResourceDigits?: boolean;
  /** The objects that no second resource of a program may declare. */
  readonly declares?: readonly DeclaredObject<Inputs>[];
  /** The argument that adopts an existing object: its id, or `adopt`. */
  readonly adoptedBy?: keyof Inputs & string;
  /** Left out for a kind that does not exist by itself. Only the packaged form can import. */
  readonly importing?: Importing<Inputs, State>;
  /** Which outputs an update to these inputs may change. Left out: none. */
  outputsChangedBy?(state: State, inputs: Inputs): readonly string[];
  /** The argument that is the resource's name where the program leaves it out. A renamed resource keeps it. */
  readonly namedBy?: keyof Inputs & string;
  /** Arguments that keep their value in the service when they, or fields of them, are removed from the program. */
  readonly leftAlone?: readonly (keyof Inputs & string)[];
  /** Arguments whose change cannot be made in place. */
  readonly replacedBy: readonly (keyof Inputs & string)[];
  /**
   * For a resource that must never run beside its replacement. The others are replaced first, so that a failure loses
   * none.
   */
  readonly deleteBeforeReplace?: boolean;
  /** Whether an argument is unchanged, where that is more than being the same value. */
  readonly equal?: { readonly [Key in keyof Inputs]?: (state: State, inputs: Inputs) => boolean };
  /** Whether these inputs only tell which object an unfinished step created, so that none of them replaces it. */
  identifiesUnfinished?(state: State, inputs: Inputs): boolean;
  /** Why this object must not be replaced although its arguments changed; refused at preview. */
  replacementRefusal?(state: State, inputs: Inputs, deployment: Deployment): Report | undefined;
  /**
   * The operations that creating from these inputs calls, so that a preview can refuse where one must not be called.
   */
  requiredOperations(inputs: Partial<Inputs>): readonly RequiredOperation[];
  /** Problems that depend on what else this command has seen. */
  checkInCommand?(inputs: Inputs, checked: Checked<Inputs>, deployment: Deployment): readonly Refusal[];
  /** Called when it is decided that the resource is replaced, or that it stays or changes in place. */
  planned?(state: State, inputs: Inputs, isReplaced: boolean, deployment: Deployment): void;
  /**
   * Whether an earlier step left something to finish that the inputs do not show. `deployment` is left out at a
   * refresh, which knows nothing of the program.
   */
  hasMoreToDo?(state: State, deployment?: Deployment): boolean;
  /** Shown by a preview of this object, because its differences do not tell it. */
  previewMessage?(state: State, inputs: Inputs, isReplaced: boolean, deployment: Deployment): string | undefined;

  /** Whether its state keeps `readBy` itself. A launch intent merges those of several credentials. */
  readonly keepsOwnReadBy?: true;

  /** Names the object in the service: `webhook wh_1 of agent agent-1`. */
  objectName(state: State): string;
  /** Pulumi's id of the object. It may be learnt late, so no operation depends on it. */
  idOf(state: State): string;

  /** Left out for a kind that may repeat its request, or saves an uncertain one itself. */
  readonly unfinishedCreate?: {
    /** Names the object without its id. Left out where nothing is saved: the next create recognizes the object. */
    what?(inputs: Inputs): string;
    /**
     * Undefined if a complete list does not show it, and it may be created. `isRepeated`: this command sent the create, and
     * must not send another one.
     */
    find(
      inputs: Inputs,
      unfinished: UnfinishedCreate,
      isRepeated: boolean,
      step: Step,
      resourceDigits?: string,
    ): Promise<State | undefined>;
  };

  /** `resourceDigits`: given where `needsResourceDigits`. */
  create(inputs: Inputs, step: Step, resourceDigits?: string): Promise<State>;
  /** Undefined only on evidence that the object is gone. */
  read(state: State, step: Step): Promise<State | undefined>;
  /** `newlyDeclared`: arguments that are declared for the first time since the import. The state has their values already. */
  update(state: State, inputs: Inputs, step: Step, newlyDeclared?: readonly string[]): Promise<State>;
  /** `isManagedElsewhere`: whether another resource of the stack manages the object by now, so that it must stay. */
  delete(state: State, step: Step, isManagedElsewhere: () => boolean): Promise<void>;
}

/** Arguments that only a creation or adoption asks for: their change is not a difference. */
export const askedAtCreation: readonly string[] = ["adopt", "overwrite"];

/** The values that the schema fills in where the program gives nothing. */
export function defaultsOf<Inputs extends object, State extends object>({
  inputs,
}: Pick<Lifecycle<Inputs, State>, "inputs">): Partial<Inputs> {
  const defaults = Object.entries<z.ZodType>(inputs.shape).flatMap(([name, type]) =>
    type instanceof z.ZodDefault ? [[name, type.def.defaultValue]] : [],
  );
  return Object.fromEntries(defaults) as Partial<Inputs>;
}

/** The arguments that would declare this state. The id of an object is one of them only where it was adopted. */
export function argumentsIn<Inputs extends object, State extends object>(
  { inputs, adoptedBy }: Pick<Lifecycle<Inputs, State>, "inputs" | "adoptedBy">,
  state: State,
): Inputs {
  const values = state as Record<string, unknown>;
  const isOwnId = (key: string): boolean =>
    key === adoptedBy && typeof values[key] === "string" && values["origin"] !== "adopted";
  const keys = Object.keys(inputs.shape).filter((key) => !isOwnId(key));
  return Object.fromEntries(keys.map((key) => [key, values[key]])) as Inputs;
}

/**
 * Every argument by its name, undefined where the program leaves it out, so that it is removed from the state too.
 * Without the id, which the state knows better.
 */
export function everyArgument<Inputs extends object, Id extends keyof Inputs & string>(
  { shape }: { readonly shape: Record<string, unknown> },
  inputs: Omit<Inputs, Id>,
  id: Id,
): Omit<Inputs, Id> {
  const keys = Object.keys(shape).filter((key) => key !== id);
  return Object.fromEntries(keys.map((key) => [key, (inputs as Record<string, unknown>)[key]])) as Omit<Inputs, Id>;
}
