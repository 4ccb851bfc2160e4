import type { z } from "zod";
import { describeProblem, type Problem, problemsIn } from "../argument-problems";
import { canonicalJson } from "../resources/shared/compare";
import type { Deployment } from "../resources/shared/deployment";
import { defaultsOf, type Lifecycle, type Rule } from "../resources/shared/lifecycle";
import { isManagedAlready } from "../resources/shared/ownership";
import { unknownValue, withoutUndefined } from "../serializable";
import { linesOf, withCode } from "../service/errors";
import type { Settings } from "../settings";
import { resourceDigitsKey, nameIn } from "./hidden-inputs";
import { type Properties, visible } from "./saved";
import { hasUnknown, isAllUnknownAt, isUnknownAt } from "./unknown";

/** Facts that a host knows of a resource besides its values. */
export interface Declaration {
  /** `project/stack/[parent/]name`, or nothing where that does not matter. */
  readonly place: string;
  /** The resource's own name. */
  readonly name: string;
  /** Digits that only this resource has. */
  readonly resourceDigits?: string | undefined;
}

/** Fills in defaults, and reports every problem of the inputs at once. `checked`: the inputs that were checked. */
export function checkStep<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  checked: Set<string>,
) {
  const { namedBy, needsResourceDigits } = lifecycle;
  /** By place, the names that resources keep. A replacement is checked once more, without what it was declared with. */
  const keptNames = new Map<string, Partial<Inputs>>();
  const named = (earlier: Partial<Inputs>, { place }: Declaration, isNew: boolean): Partial<Inputs> => {
    if (namedBy === undefined) return earlier;
    if (!isNew) keptNames.set(place, { [namedBy]: earlier[namedBy] } as Partial<Inputs>);
    return isNew ? (keptNames.get(place) ?? earlier) : earlier;
  };
  return (
    olds: Properties,
    news: Properties,
    declaration: Declaration,
    deployment: Deployment | undefined,
  ): { inputs: Properties; problems: Problem[] } => {
    const earlier = visible(olds) as Partial<Inputs>;
    const isNew = Object.keys(olds).length === 0;
    const given = visible(news) as Inputs;
    const inputs = withoutUndefined(withDefaults(lifecycle, given, declaration, named(earlier, declaration, isNew)));
    checked.add(canonicalJson(inputs));
    const problems = allProblems(lifecycle, inputs as Inputs, isNew ? undefined : earlier, declaration, deployment);
    const { resourceDigits } = declaration;
    const isGiven = needsResourceDigits === true && resourceDigits !== undefined;
    return { inputs: isGiven ? { ...inputs, [resourceDigitsKey]: resourceDigits } : inputs, problems };
  };
}

function allProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  earlier: Partial<Inputs> | undefined,
  { place }: Declaration,
  deployment: Deployment | undefined,
): Problem[] {
  const problems = problemsOf(lifecycle, inputs, deployment?.settings, earlier);
  if (problems.length > 0 || deployment === undefined) return problems;
  const ofNew =
    earlier === undefined
      ? [...creationProblems(lifecycle, inputs, deployment), ...adoptionProblems(lifecycle, inputs, deployment)]
      : [];
  return [
    ...ofNew,
    ...declarationProblems(lifecycle, inputs, deployment, nameIn(place)),
    ...problemsInCommand(lifecycle, inputs, place, earlier, deployment),
  ];
}

/** The arguments with what the lifecycle fills in where the program gives nothing. */
export function withDefaults<Inputs extends object, State extends object>(
  { inputs, derived = {}, namedBy }: Lifecycle<Inputs, State>,
  given: Inputs,
  { place, name }: { readonly place: string; readonly name: string },
  earlier: Partial<Inputs>,
): Inputs {
  const computed = Object.entries(derived).map(([key, derive]) => [
    key,
    hasUnknown(given)
      ? unknownValue
      : (derive as (inputs: Inputs, place: string, earlier: Partial<Inputs>) => unknown)(given, place, earlier),
  ]);
  const named = namedBy === undefined ? {} : { [namedBy]: earlier[namedBy] ?? name };
  return { ...defaultsOf({ inputs }), ...(Object.fromEntries(computed) as Partial<Inputs>), ...named, ...given };
}

/** Every problem of the inputs at once. Values that are unknown during preview are skipped. */
export function problemsOf<Inputs extends object, State extends object>(
  { inputs: schema, rules = [] }: Lifecycle<Inputs, State>,
  inputs: Inputs,
  settings?: Settings,
  earlier?: Partial<Inputs>,
): Problem[] {
  const result = schema.safeParse(inputs);
  const issues = result.error?.issues ?? [];
  const broken = problemsIn(
    schema,
    inputs,
    issues.filter((issue) => !mayResolve(issue, inputs)),
  );
  const brokenAlone = new Set(issues.map((issue) => issue.path[0]));
  // A rule about several arguments is checked only when each of them is right by itself.
  const checkable = rules.filter(({ properties }) => !properties.some((property) => brokenAlone.has(property)));
  return [...broken, ...brokenRules(checkable, inputs, settings, earlier)];
}

function brokenRules<Inputs extends object>(
  rules: readonly Rule<Inputs>[],
  inputs: Inputs,
  settings: Settings | undefined,
  earlier: Partial<Inputs> | undefined,
): Problem[] {
  return rules.flatMap(({ properties, problem, code = "WA1101" }): Problem[] => {
    if (properties.some((property) => hasUnknown(inputs[property]))) return [];
    const reason = problem(inputs, settings, earlier);
    return reason === undefined ? [] : [{ property: properties[0], reason, code }];
  });
}

/** Whether an unknown value may still resolve an issue. */
function mayResolve(issue: z.core.$ZodIssue, inputs: object): boolean {
  // Misspelled or refused names are wrong whatever their values.
  if (isOfName(issue)) return false;
  // A list is not a text, whatever will be in it.
  return isOfType(issue) ? isAllUnknownAt(inputs, issue.path) : isUnknownAt(inputs, issue.path);
}

function isOfType(issue: z.core.$ZodIssue): boolean {
  const isCustom = issue.code === "custom" && issue.params?.["ofType"] === true;
  return isCustom || issue.code === "invalid_type" || issue.code === "invalid_value";
}

/** Whether an issue is about a name and not its value: one that the schema does not know, or that it refuses. */
function isOfName(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || (issue.code === "custom" && issue.params?.["ofName"] === true);
}

/** Whether the object can be created at all in this deployment. */
export function creationProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  { service }: Deployment,
): Problem[] {
  const missing = lifecycle.requiredOperations(inputs).filter(({ operation }) => !service.can(operation));
  return missing.map(({ operation, instead }) => {
    const { report } = service.endpoints.unavailable(operation, instead);
    return { property: "", reason: linesOf(report), code: report.code };
  });
}

/** Problems that depend on what else this command has seen, as far as the arguments are known. */
function problemsInCommand<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  place: string,
  earlier: Partial<Inputs> | undefined,
  deployment: Deployment,
): Problem[] {
  const isKnown = (...names: (keyof Inputs & string)[]): boolean =>
    names.length === 0 ? !hasUnknown(inputs) : !names.some((name) => hasUnknown(inputs[name]));
  const checked = { isNew: earlier === undefined, place, earlier, isKnown };
  const refusals = lifecycle.checkInCommand?.(inputs, checked, deployment) ?? [];
  return refusals.map((refusal) => ({ property: "", ...refusal }));
}

/** A resource that is about to adopt an object must not find it managed by another one that this command has seen. */
function adoptionProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  { ledger }: Deployment,
): Problem[] {
  const { adoptedBy } = lifecycle;
  // Where the argument is not the id, both resources declare the object, which is refused already.
  if (adoptedBy === undefined || typeof inputs[adoptedBy] !== "string") return [];
  const managed = declaredObjects(lifecycle, inputs).filter(
    ({ properties, object }) =>
      properties.includes(adoptedBy) && ledger.isManaged(object) && ledger.fateOf(object) !== "replaced",
  );
  return managed.map(({ object }) => ({ property: adoptedBy, reason: isManagedAlready(object), code: "WA1311" }));
}

/** The objects that these inputs declare, as far as they are known. */
export function declaredObjects<Inputs extends object, State extends object>(
  { declares = [], adoptedBy }: Lifecycle<Inputs, State>,
  inputs: Inputs,
) {
  const isKnown = (key: keyof Inputs): boolean => inputs[key] !== undefined && !hasUnknown(inputs[key]);
  const isAdopted = adoptedBy !== undefined && isKnown(adoptedBy);
  return declares
    .filter(({ properties }) => properties.every(isKnown))
    .map(({ properties, object, isSharedByAdopted = false }) => ({
      properties,
      object: object(inputs),
      isShared: isSharedByAdopted && isAdopted,
    }));
}

/**
 * Records what the resource declares. Returns a problem where another resource of the program declares the same object.
 */
export function declarationProblems<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  inputs: Inputs,
  { ledger }: Deployment,
  name: string,
): Problem[] {
  const declared = declaredObjects(lifecycle, inputs);
  const others = ledger.declare(lifecycle.kind, name, declared);
  return declared.flatMap(({ properties, object }, index): Problem[] => {
    const other = others[index];
    if (other === undefined) return [];
    const reason = `is declared twice: "${other}" and "${name}" both declare the ${object}. Declare it once`;
    return [{ property: properties[0], reason, code: "WA1104" }];
  });
}

/** A problem as the engine prints it. */
export type CheckFailure = Omit<Problem, "code">;

/**
 * The problem as one of the whole resource. Beside the problem of a property the engine prints its value: secret or
 * not, however large, and `{<nil>}` where it is nested.
 */
export function withoutValue(problem: Problem): CheckFailure {
  return { property: "", reason: withCode(problem.code, describeProblem(problem)) };
}
