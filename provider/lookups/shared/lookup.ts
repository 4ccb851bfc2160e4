import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Provider } from "../../pulumi/provider";
import type { ServiceClient } from "../../service/client";
import type { Clock } from "../../service/clock";
import type { OperationId } from "../../service/operation-ids";

/** One look-up: its arguments, and how it runs. */
export interface Lookup<Args extends object, Result> {
  /** The name of the function: `getMembers`. */
  readonly name: string;
  /** The operation that it calls. */
  readonly operation: OperationId;
  /** One line for the tables in README and docs. */
  readonly purpose: string;
  /** Types, bounds and rules of the arguments. */
  readonly args: z.ZodType<Args>;
  /** Fields of the result that are secret outputs. `run` and mocks give plain values for them. */
  readonly secretResults?: readonly string[];
  run(args: Args, context: LookupContext): Promise<Plain<Result>>;
}

/** A result before its secret fields become outputs. */
export type Plain<Result> = {
  [Key in keyof Result]: Result[Key] extends pulumi.Output<infer Value> ? Value : Result[Key];
};

/** The environment in which a look-up runs. */
export interface LookupContext {
  readonly service: ServiceClient;
  readonly clock: Clock;
  /** Shows a line to the person who runs the command. */
  readonly log: (line: string) => void;
  /** The same, as a warning. */
  readonly warn: (line: string) => void;
  /** One read for all look-ups of the program run that need the same data. */
  readonly shared: <T>(key: string, read: () => Promise<T>) => Promise<T>;
}

/** The options of a look-up. */
export interface LookupOptions {
  /** In the dynamic form, the resource at which Pulumi shows the messages of this look-up. */
  parent?: pulumi.Resource;
  /** The workspace to ask, if it is not the one of the stack's configuration. Default: the provider of `parent`. */
  provider?: Provider;
}

/** The options of a look-up with inputs. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must be created or updated before the look-up runs. While one does not exist, no request is sent. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The same arguments, where each value at every depth may be an output or a promise. */
export type LookupInputs<Args> = { [Key in keyof Args]: DeepInput<Args[Key]> };

/** In brackets, so that a union is not distributed: one input of `"asc" | "desc"`, not an input of each. */
type DeepInput<T> = [T] extends [string | number | boolean | undefined]
  ? pulumi.Input<T>
  : [NonNullable<T>] extends [readonly (infer Item)[]]
    ? pulumi.Input<DeepInput<Item>[]>
    : pulumi.Input<LookupInputs<NonNullable<T>>>;
