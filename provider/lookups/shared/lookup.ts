import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { ServiceClient } from "../../service/client";
import type { Clock } from "../../service/clock";
import type { Report } from "../../service/errors";
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
  readonly warn: (report: Report) => void;
  /** One read for all look-ups of the program run that need the same data. */
  readonly shared: <T>(key: string, read: () => Promise<T>) => Promise<T>;
}
