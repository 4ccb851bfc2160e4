import type { z } from "zod";
import type { Claims } from "./claims";
import type { Declarations } from "./declarations";
import type { Clock } from "../service/clock";
import type { Service } from "../service/client";
import type { OperationId } from "../service/operations";
import type { SharedReads } from "../service/shared-reads";
import type { Settings } from "../settings";

/** What a lifecycle works with: one for all resources of a `pulumi` command. */
export interface Deployment {
  readonly service: Service;
  readonly settings: Settings;
  readonly clock: Clock;
  /** The service's ids that resources of this deployment manage already. */
  readonly claims: Claims;
  /** What the resources of the program stand for. */
  readonly declarations: Declarations;
  /** Reads that resources share. */
  readonly reads: SharedReads;
  /** Shows a line to the person who runs the command. */
  readonly say: (line: string) => void;
}

/** A rule about several properties; left out while one of them is unknown. Reported under the first. */
interface Rule<Inputs> {
  readonly properties: readonly [keyof Inputs & string, ...(keyof Inputs & string)[]];
  /** The sentence to show, or undefined when the rule is kept. Settings are undefined where they are wrong themselves. */
  readonly problem: (inputs: Inputs, settings: Settings | undefined) => string | undefined;
}

/** An operation without which an object cannot be made, and what to do where it must not be called. */
interface Need {
  readonly operation: OperationId;
  readonly instead: string;
}

/** What inputs stand for in the service, once the properties are known. */
interface Declared<Inputs> {
  readonly properties: readonly [keyof Inputs & string, ...(keyof Inputs & string)[]];
  readonly object: (inputs: Inputs) => string;
}

/**
 * One kind of managed object, as any Pulumi host needs it. State is what Pulumi keeps as outputs: the arguments as they
 * are now true in the service, what the service added, and what this package must remember.
 */
export interface Lifecycle<Inputs extends object, State extends object> {
  /** Types and bounds of the arguments. */
  readonly inputs: z.ZodType<Inputs> & { readonly shape: Record<keyof Inputs & string, unknown> };
  /**
   * Filled in where the program gives nothing. `place` is `project/stack/name` of the resource, empty where its kind does
   * not tell; `earlier` what it was last declared with, if anything.
   */
  defaults?(inputs: Inputs, place: string, earlier: Partial<Inputs>): Partial<Inputs>;
  readonly rules?: readonly Rule<Inputs>[];
  /** The objects that no second resource of a program may stand for. */
  readonly declares?: readonly Declared<Inputs>[];
  /** Arguments whose change cannot be made in place. */
  readonly replacedBy: readonly (keyof Inputs & string)[];
  /** Arguments that are equal in other cases than the same value. */
  readonly same?: { readonly [Key in keyof Inputs]?: (state: State, inputs: Inputs) => boolean };
  /** Whether these inputs only tell which object an unfinished step made, so that none of them replaces it. */
  identifies?(state: State, inputs: Inputs): boolean;
  /** Why this object must not be replaced, although its arguments changed; a refusal at preview. */
  mustStay?(state: State, inputs: Inputs): string | undefined;
  /** What creating from these inputs needs to call, for a refusal at preview where it must not be called. */
  creatingNeeds(inputs: Partial<Inputs>): readonly Need[];
  /** Whether an earlier step left something to finish that the inputs do not show. */
  isUnfinished?(state: State): boolean;

  /** Names the object in the service, so that no two resources of a deployment manage the same one. */
  claimOf(state: State): string;
  /** Pulumi's ID of the object. Learnt late in places, so no operation may depend on it. */
  idOf(state: State): string;
  /** The arguments that would declare this state. */
  inputsOf(state: State): Inputs;

  create(inputs: Inputs, deployment: Deployment): Promise<State>;
  /** Undefined only on evidence that the object is gone. */
  read(state: State, deployment: Deployment): Promise<State | undefined>;
  update(state: State, inputs: Inputs, deployment: Deployment): Promise<State>;
  /** `livesOn`: whether another resource of the stack manages an object by now, so that it must outlive this one. */
  delete(state: State, deployment: Deployment, livesOn: (object: string) => boolean): Promise<void>;
}

/**
 * The object exists, but the step did not finish. Its state is saved, the command fails with the message, and the next
 * `pulumi up` goes on from there.
 */
export class Unfinished extends Error {
  override readonly name = "Unfinished";
  constructor(
    readonly state: object,
    message: string,
  ) {
    super(message);
  }
}
