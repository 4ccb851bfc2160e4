import { isDeepStrictEqual } from "node:util";
import { differingFields, type Fields } from "../resources/shared/compare";
import type { Importing, Lifecycle } from "../resources/shared/lifecycle";
import { argumentsInImportId } from "../resources/shared/importing";
import { ProviderError } from "../service/errors";
import { problemsOf } from "./check-step";
import { changedArguments } from "./changed-arguments";
import { type ImportNote, importNoteIn } from "./saved";
import { hasUnknown } from "./unknown";

/** The arguments that Pulumi's id consists of. */
export function argumentsOfId<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  importing: Importing<Inputs, State>,
  id: string,
): Inputs {
  const names: readonly string[] = importing.id;
  const named = argumentsInImportId(importing, id) as Inputs | undefined;
  // Only the arguments of the id: the others are not given yet.
  const wrong =
    named === undefined ? [] : problemsOf(lifecycle, named).filter(({ property }) => names.includes(property));
  if (named === undefined || wrong.length > 0)
    throw new ProviderError({
      code: "WA1610",
      what: `"${id}" is not the id of ${withArticle(lifecycle.kind)}. No request was sent.`,
      known: wrong.map(({ property, reason }) => `${property} ${reason}.`),
      next: [`Give ${names.join("/")}.`],
    });
  return named;
}

export function notImportable(kind: string): ProviderError {
  return new ProviderError({
    code: "WA1611",
    what: `A ${kind} cannot be imported or read by its id.`,
    next: ["Declare it without the option import, and without get."],
  });
}

/** The arguments that the import left out, and that the program declares for the first time. */
export function firstDeclared(
  olds: Readonly<Record<string, unknown>>,
  news: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { leftOut = [] } = importNoteIn(olds) ?? {};
  return leftOut.filter((key) => !isDeepStrictEqual(news[key], olds[key]));
}

/** The note of an import once these arguments are declared. */
export function noteAfterUpdate(olds: Fields, newlyDeclared: readonly string[]): ImportNote | undefined {
  const leftOut = importNoteIn(olds)?.leftOut?.filter((key) => !newlyDeclared.includes(key)) ?? [];
  return leftOut.length === 0 ? undefined : { leftOut };
}

/** The state with the arguments that are declared for the first time since the import: they show no difference. */
export function withFirstDeclared<State extends object>(
  olds: State,
  news: Fields,
  newlyDeclared = firstDeclared(olds as Fields, news),
): State {
  return { ...olds, ...Object.fromEntries(newlyDeclared.map((key) => [key, news[key]])) };
}

/**
 * The arguments with which the program would change an imported object. Not those that this package only remembers,
 * those that are left alone, and those that are not known yet.
 */
export function differingFromImport<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  state: State,
  inputs: Inputs,
): string[] {
  const { leftAlone = [] } = lifecycle;
  const { leftOut = [] } = importNoteIn(state as Fields) ?? {};
  const remembered: readonly string[] = ["deletionPolicy", ...leftOut];
  const stored = state as Partial<Record<string, unknown>>;
  return changedArguments(lifecycle, state, inputs).filter((key) => {
    const declared: unknown = inputs[key];
    if (remembered.includes(key) || hasUnknown(declared)) return false;
    if (!leftAlone.includes(key)) return true;
    if (declared === undefined) return false;
    if (typeof declared === "object") return differingFields(declared as Fields, stored[key] as Fields).length > 0;
    // An import leaves a flag out that is false.
    return declared !== (stored[key] ?? false);
  });
}

/** After the option `import`, the engine would change the object at once to what the program declares. */
export function importWouldChange(object: string, differing: readonly string[]): ProviderError {
  return new ProviderError({
    code: "WA1612",
    what: `The ${object} was not imported: an import changes nothing, and the program declares another value for ${differing.join(", ")}.`,
    next: [
      "Declare the values that it has: `pulumi preview --diff` shows them, and `pulumi import` prints a program with them.",
      "Change them after the import, when the option is removed.",
    ],
  });
}

/** For an object that is removed from the stack, and that the program reads under another name. */
export function stillRead(object: string): ProviderError {
  return new ProviderError({
    code: "WA1614",
    what: `The ${object} was not deleted: the program reads it with get.`,
    next: [
      'To keep it: declare it once more with `deletionPolicy: "retain"`, run `pulumi up`, and then use `get`.',
      "To delete it: remove the `get` from the program, and run `pulumi up` again.",
    ],
  });
}

function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}
