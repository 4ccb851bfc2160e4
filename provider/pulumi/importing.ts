import type { Importing, Lifecycle } from "../resources/shared/lifecycle";
import { separator } from "../resources/shared/importing";
import { ProviderError } from "../service/errors";
import { problemsOf } from "./check";

/** The arguments that Pulumi's id consists of. */
export function argumentsOfId<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  { id: names }: Importing<Inputs, State>,
  id: string,
): Inputs {
  const parts = id.split(separator);
  const named = Object.fromEntries(names.map((name, index) => [name, parts[index] ?? ""])) as Inputs;
  // Only the arguments of the id: the others are not given yet.
  const wrong = problemsOf(lifecycle, named).filter(({ property }) => (names as readonly string[]).includes(property));
  if (parts.length !== names.length || wrong.length > 0)
    throw new ProviderError({
      what: `"${id}" is not the id of ${withArticle(lifecycle.kind)}. No request was sent.`,
      known: parts.length === names.length ? wrong.map(({ property, reason }) => `${property} ${reason}.`) : [],
      next: [`Give ${names.join(separator)}.`],
    });
  return named;
}

export function notImportable(kind: string): ProviderError {
  return new ProviderError({
    what: `A ${kind} cannot be imported: it does not exist by itself in the service.`,
    next: ["Declare it without an id."],
  });
}

/** After the option `import`, the engine would change the object at once to what the program declares. */
export function notImported(object: string, differing: readonly string[]): ProviderError {
  return new ProviderError({
    what: `The ${object} is not changed by its import, but the program declares another ${differing.join(", ")}.`,
    next: [
      "Declare the values that it has: `pulumi preview --diff` shows them, and `pulumi import` prints a program with them.",
      "Change them after the import, when the option is removed.",
    ],
  });
}

function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;
}
