import { z } from "zod";
import { segmentProblem } from "./service/endpoints";

/** Text of the program; a missing one is said to be missing. */
export function text() {
  return z.string({ error: (issue) => (issue.input === undefined ? "is required" : "must be a string") });
}

/** An id that names one object of the service, and so becomes one segment of a path. */
export function identifier() {
  return text().superRefine((value, context) => {
    const problem = segmentProblem(value);
    if (problem !== undefined) context.addIssue(problem);
  });
}

export function flag() {
  return z.boolean("must be true or false");
}

/** A whole number within bounds. */
export function whole(least: number, most: number) {
  const bounds = `must be a whole number from ${String(least)} to ${String(most)}`;
  return z.int(bounds).min(least, bounds).max(most, bounds);
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.map((value) => `"${value}"`).join(", ")}`);
}

/** Text of so many characters, counted as people do: an emoji is one or a few, never half of one. */
export function sized(least: number, most: number) {
  const bounds = `must have ${String(least)} to ${String(most)} characters`;
  return text().refine((value) => {
    const { length } = Array.from(value);
    return length >= least && length <= most;
  }, bounds);
}
