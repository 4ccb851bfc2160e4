import { readJson } from "./json";
import { type Answer, isRead, type Operation, type OperationId, operations } from "./operations";
import { whyPartial, withHeaders } from "./partial-responses";
import { oneLine } from "./redaction";
import { isPage } from "./shapes";
import type { HttpAnswer } from "./transport";

/** The result of a call, or why the response proves nothing. */
export type Parsed<Id extends OperationId> = { readonly result: Answer<Id> } | { readonly problem: string };

/** How many problems of one response a message shows. */
const maxProblems = 5;

/** Checks a 2xx response against the operations table. */
export function parse<Id extends OperationId>(id: Id, method: string, answer: HttpAnswer): Parsed<Id> {
  const { answer: shape, doneOn204, doneOnlyOn200 }: Operation = operations[id];
  if (answer.status === 204 && doneOn204 === true) return { result: undefined as Answer<Id> };
  if (answer.status !== 200 && doneOnlyOn200 === true) return { problem: "only a 200 says that it was carried out" };
  const body = readJson(answer.text);
  // Even if any JSON will do: a proxy's page with status 200 says nothing about the service.
  if ("problem" in body) return { problem: `body: ${body.problem}` };
  const { success, data, error } = shape.safeParse(body.json);
  if (!success) return { problem: describe(error.issues) };
  if (isPage(data)) return { result: withHeaders(data, answer) as Answer<Id> };
  const part = isRead(id, method) ? whyPartial(answer) : undefined;
  return part === undefined ? { result: data as Answer<Id> } : { problem: `it ${part}` };
}

/** Names each field and what was expected, never the value, which is the user's. */
function describe(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const problems = issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  const more = problems.length > maxProblems ? ["and more"] : [];
  return oneLine([...problems.slice(0, maxProblems), ...more].join("; "));
}
