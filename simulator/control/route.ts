import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Simulator } from "../types";

/** The powers of a control route: the same as in a test in the simulator's own process. */
export type Controls = Omit<Simulator, "url" | "port" | "close">;

/** A request that the control interface cannot read or carry out. */
export class InvalidRequestError extends Error {}

/** A row of the table from which the control interface, its help and its documentation are made. */
export interface ControlRoute {
  /** The method, and the path after `/__simulator/`. */
  readonly endpoint: `${"GET" | "PUT" | "POST" | "DELETE"} ${string}`;
  readonly description: string;
  /** The JSON body of a PUT or POST, or the query of a GET or DELETE. Without it, the route ignores both. */
  readonly input?: z.ZodType;
  /** Inputs that work, to show in the help. */
  readonly examples?: readonly unknown[];
  /** Returns the response body; undefined responds `{ done: true }`. It may write to `outgoing` itself instead. */
  handle(controls: Controls, input: unknown, outgoing: ServerResponse): unknown;
}

/** Checks that the examples and the handler fit the input. */
export function route<Input extends z.ZodType>(
  row: Omit<ControlRoute, "input" | "examples" | "handle"> & {
    input?: Input;
    examples?: readonly z.input<Input>[];
    handle(controls: Controls, input: z.output<Input>, outgoing: ServerResponse): unknown;
  },
): ControlRoute {
  return row;
}

/** Whether the input of a route is its body; otherwise it is the query. */
export function hasBody(endpoint: string): boolean {
  return /^(PUT|POST) /.test(endpoint);
}

/* Parts of the inputs of several routes. */
export const id = z.string().min(1);
export const ofApp = z.strictObject({ appId: id });
export const time = z.iso.datetime();
export const count = z.int().nonnegative();
/** A whole number in a query. */
export const numberInQuery = z
  .string()
  .regex(/^\d{1,15}$/, "not a whole number")
  .transform(Number);
