import { z } from "zod";
import { Refusal } from "./refusal";

/** One entry of the `detail` of a 422 (specification, Errors). */
interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export type RequestBody = { json: unknown } | { problem: Problem };

const inBody = (msg: string, type: string): RequestBody => ({ problem: { loc: ["body"], msg, type } });

/** "All bodies are JSON." */
export function readBody(text: string, contentType: string | undefined): RequestBody {
  if (text === "") return inBody("Field required", "missing");
  if (!/^application\/json\b/i.test(contentType ?? ""))
    return inBody("Input should be sent as application/json", "content_type");
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return inBody("JSON decode error", "json_invalid");
  }
}

/** Returns the body in this shape, or throws a 422. */
export function validated<Shape extends z.ZodType>(shape: Shape, body: RequestBody): z.output<Shape> {
  if ("problem" in body) throw unprocessable([body.problem]);
  return validatedAt(["body"], shape, body.json);
}

/** The same for a path parameter, a query parameter or a header. */
export function validatedPart<Shape extends z.ZodType>(
  shape: Shape,
  part: "path" | "query" | "header",
  name: string,
  value: string | undefined,
): z.output<Shape> {
  return validatedAt([part, name], shape, value);
}

function validatedAt<Shape extends z.ZodType>(at: string[], shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value, { reportInput: true });
  if (!result.success) throw unprocessable(result.error.issues.map((issue) => problemOf(at, issue)));
  return result.data;
}

/** Text with a length in characters, not in UTF-16 units. */
export function sized(least: number, most: number) {
  return z.string().refine(
    (text) => {
      const { length } = Array.from(text);
      return length >= least && length <= most;
    },
    `String should have ${String(least)} to ${String(most)} characters`,
  );
}

/** A JSON object with any names. */
export const anyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "Input should be a valid dictionary",
);

/** Adds the problems of a part to the problems of the whole. */
export function reportTo(context: z.RefinementCtx, error: z.ZodError | undefined, at: PropertyKey[] = []): void {
  for (const { path, message } of error?.issues ?? [])
    context.addIssue({ code: "custom", path: [...at, ...path], message });
}

function problemOf(at: string[], issue: z.core.$ZodIssue): Problem {
  const loc = [...at, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))];
  if (issue.input === undefined) return { loc, msg: "Field required", type: "missing" };
  return { loc, msg: issue.message, type: issue.code };
}

function unprocessable(detail: Problem[]): Refusal {
  return new Refusal(422, { detail });
}
