import type { z } from "zod";
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

/** The body in the asked-for shape, or the 422. */
export function validated<Shape extends z.ZodType>(shape: Shape, body: RequestBody): z.output<Shape> {
  if ("problem" in body) throw unprocessable([body.problem]);
  const result = shape.safeParse(body.json, { reportInput: true });
  if (!result.success) throw unprocessable(result.error.issues.map(problemOf));
  return result.data;
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  const loc = ["body", ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))];
  if (issue.input === undefined) return { loc, msg: "Field required", type: "missing" };
  return { loc, msg: issue.message, type: issue.code };
}

function unprocessable(detail: Problem[]): Refusal {
  return new Refusal(422, { detail });
}
