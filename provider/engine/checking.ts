import type { z } from "zod";
import type { Settings } from "../settings";
import type { Deployment, Lifecycle } from "./lifecycle";
import { type Problem, problemsIn } from "./problems";
import { hasUnknown, isAllUnknownAt, isUnknownAt } from "./unknown";

/** Every problem of the inputs at once. What is unknown during preview is passed over. */
export function problemsOf<Inputs extends object, State extends object>(
  { inputs: schema, rules = [] }: Lifecycle<Inputs, State>,
  inputs: Inputs,
  settings?: Settings,
): Problem[] {
  const result = schema.safeParse(inputs);
  const issues = result.error?.issues ?? [];
  const broken = problemsIn(
    schema,
    inputs,
    issues.filter((issue) => !isOpen(issue, inputs)),
  );
  const brokenAlone = new Set(issues.map((issue) => issue.path[0]));
  const brokenTogether = rules.flatMap(({ properties, problem }): Problem[] => {
    // A rule about several properties is asked only of such as are right by themselves.
    if (properties.some((property) => brokenAlone.has(property) || hasUnknown(inputs[property]))) return [];
    const reason = problem(inputs, settings);
    return reason === undefined ? [] : [{ property: properties[0], reason }];
  });
  return [...broken, ...brokenTogether];
}

/** Whether what is still unknown may do away with an issue. */
function isOpen(issue: z.core.$ZodIssue, inputs: object): boolean {
  // Misspelled or refused names are wrong whatever their values, which may well be unknown.
  if (isOfName(issue)) return false;
  // A list is no text, whatever will be in it.
  return isOfType(issue) ? isAllUnknownAt(inputs, issue.path) : isUnknownAt(inputs, issue.path);
}

function isOfType(issue: z.core.$ZodIssue): boolean {
  const isCustom = issue.code === "custom" && issue.params?.["ofType"] === true;
  return isCustom || issue.code === "invalid_type" || issue.code === "invalid_value";
}

/** An issue of a name and not of its value: one that the schema does not know, or that it refuses by itself. */
function isOfName(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || (issue.code === "custom" && issue.params?.["ofName"] === true);
}

/** Whether the object can be created at all in this deployment. */
export function creationProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  { service }: Deployment,
): Problem[] {
  const missing = lifecycle.creatingNeeds(inputs).filter(({ operation }) => !service.can(operation));
  return missing.map(({ operation, instead }) => ({
    property: "",
    reason: `${service.endpoints.unavailable(operation)} ${instead}`,
  }));
}

/** Whether another resource of the program stands for the same object. */
export function declarationProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  { declarations }: Deployment,
  name: string,
): Problem[] {
  const known = (lifecycle.declares ?? []).filter(({ properties }) =>
    properties.every((key) => inputs[key] !== undefined && !hasUnknown(inputs[key])),
  );
  const objects = known.map(({ object }) => object(inputs));
  const others = declarations.declare(lifecycle, name, objects);
  return known.flatMap(({ properties }, index): Problem[] => {
    const other = others[index];
    if (other === undefined) return [];
    const reason = `is declared twice: "${other}" and "${name}" both stand for the ${String(objects[index])}; declare it once`;
    return [{ property: properties[0], reason }];
  });
}
