import { z } from "zod";
import { meant } from "../meant";

export interface Problem {
  /** The property's path, or "" for the whole resource. */
  property: string;
  reason: string;
}

/**
 * What issues say of the arguments that were given. A misspelled one is an issue of the object that holds it; one that is
 * missing because it is misspelled is one problem, and not two.
 */
export function problemsIn(schema: z.ZodType, given: unknown, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const misspelled = new Set<string>();
  const problems = issues.flatMap((issue): Problem[] => {
    if (issue.code !== "unrecognized_keys") return [{ property: propertyPath(issue.path), reason: issue.message }];
    const names = namesLeft(schema, given, issue.path);
    return issue.keys.map((key) => {
      const property = propertyPath([...issue.path, key]);
      const instead = meant(key, names);
      if (instead === undefined) return { property, reason: "is no argument" };
      misspelled.add(propertyPath([...issue.path, instead]));
      return { property, reason: `is no argument: ${instead} is meant` };
    });
  });
  return problems.filter(({ property }) => !misspelled.has(property));
}

/** The names that the object at a path could have and has not. */
function namesLeft(schema: unknown, given: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return namesLeft(schema.unwrap(), given, path);
  if (!(schema instanceof z.ZodObject)) return [];
  const [key, ...rest] = path as string[];
  const values = given as Record<string, unknown>;
  return key === undefined
    ? Object.keys(schema.shape).filter((name) => values[name] === undefined)
    : namesLeft(schema.shape[key], values[key], rest);
}

/** `["events", 0]` → `events[0]`. */
function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${String(key)}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
