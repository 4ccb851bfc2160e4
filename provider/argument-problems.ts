import { z } from "zod";
import { didYouMean } from "./did-you-mean";
import type { MessageCode } from "./service/message-codes";

export interface Problem {
  /** The property's path, or "" for the whole resource. */
  property: string;
  reason: string;
  code: MessageCode;
}

/** The issues as problems of arguments. A misspelled argument is one problem, not also a missing one. */
export function problemsIn(schema: z.ZodType, given: unknown, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const misspelled = new Set<string>();
  const problems = issues.flatMap((issue): Problem[] => {
    if (issue.code !== "unrecognized_keys")
      return [{ property: z.core.toDotPath(issue.path), reason: issue.message, code: "WA1101" }];
    const names = namesLeft(schema, given, issue.path);
    return issue.keys.map((key) => {
      const property = z.core.toDotPath([...issue.path, key]);
      const suggestion = didYouMean(key, names);
      if (suggestion === undefined) return { property, reason: "unknown argument", code: "WA1102" };
      misspelled.add(z.core.toDotPath([...issue.path, suggestion]));
      return { property, reason: `unknown argument; did you mean "${suggestion}"?`, code: "WA1102" };
    });
  });
  return problems.filter(({ property }) => !misspelled.has(property));
}

/** `limit must be …`, but `limti: unknown argument …`. */
export function describeProblem({ property, reason }: Problem): string {
  if (property === "") return reason;
  return reason.startsWith("unknown argument") ? `${property}: ${reason}` : `${property} ${reason}`;
}

/** The known arguments that the object at a path does not set. */
function namesLeft(schema: unknown, given: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return namesLeft(schema.unwrap(), given, path);
  if (!(schema instanceof z.ZodObject)) return [];
  const [key, ...rest] = path as string[];
  const values = given as Record<string, unknown>;
  return key === undefined
    ? Object.keys(schema.shape).filter((name) => values[name] === undefined)
    : namesLeft(schema.shape[key], values[key], rest);
}
