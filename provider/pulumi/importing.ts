import type { Importing, Lifecycle } from "../resources/shared/lifecycle";
import { argumentsInImportId } from "../resources/shared/importing";
import { ProviderError } from "../service/errors";
import { problemsOf } from "./check";

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
      what: `"${id}" is not the id of ${withArticle(lifecycle.kind)}. No request was sent.`,
      known: wrong.map(({ property, reason }) => `${property} ${reason}.`),
      next: [`Give ${names.join("/")}.`],
    });
  return named;
}

export function notImportable(kind: string): ProviderError {
  return new ProviderError({
    what: `A ${kind} cannot be imported or read by its id.`,
    next: ["Declare it without the option import, and without get."],
  });
}

/** After the option `import`, the engine would change the object at once to what the program declares. */
export function importWouldChange(object: string, differing: readonly string[]): ProviderError {
  return new ProviderError({
    what: `The ${object} was not imported: an import changes nothing, and the program declares another value for ${differing.join(", ")}.`,
    next: [
      "Declare the values that it has: `pulumi preview --diff` shows them, and `pulumi import` prints a program with them.",
      "Change them after the import, when the option is removed.",
    ],
  });
}

/** Where `get` takes the place of a declaration, Pulumi would delete the object that the program goes on reading. */
export function stillRead(object: string): ProviderError {
  return new ProviderError({
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
