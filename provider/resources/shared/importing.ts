import { describeProblem, problemsIn } from "../../argument-problems";
import { serializationProblem } from "../../serializable";
import { ProviderError } from "../../service/errors";
import type { Step } from "./deployment";
import { argumentsIn, type Imported, type Importing, type Lifecycle } from "./lifecycle";

/* Importing an object of any kind. */

/** The arguments that name an object. */
type Named<Inputs, Id extends keyof Inputs> = { [Key in Id]-?: NonNullable<Inputs[Key]> };

interface Source<Inputs, State, Id extends keyof Inputs & string> {
  readonly id: readonly Id[];
  readonly objectName: (named: Named<Inputs, Id>) => string;
  readonly read: (named: Named<Inputs, Id>, step: Step) => Promise<Imported<Inputs, State>>;
  readonly firstDeclared?: string;
}

/** How objects are imported: refused where a program could not declare what is there. */
export function importing<Inputs extends object, State extends object, const Id extends keyof Inputs & string>(
  schema: Lifecycle<Inputs, State>["inputs"],
  { objectName, read, ...rest }: Source<Inputs, State, Id>,
): Importing<Inputs, State> {
  return {
    ...rest,
    async read(given, step) {
      const named = given as Named<Inputs, Id>;
      const imported = await read(named, step);
      requireDeclarable(objectName(named), schema, imported.state);
      return imported;
    },
  };
}

/** Between the parts of an import id. */
const separator = "/";

/** The id by which Pulumi imports the object of these arguments. Undefined where an argument contains the separator. */
export function importId(
  { id }: { readonly id: readonly string[] },
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  const parts = id.map((name) => String(args[name]));
  return parts.some((part) => part.includes(separator)) ? undefined : parts.join(separator);
}

/** The arguments that are the parts of an import id. Undefined where it has another number of parts. */
export function argumentsInImportId(
  { id: names }: { readonly id: readonly string[] },
  id: string,
): Readonly<Record<string, string>> | undefined {
  const parts = id.split(separator);
  if (parts.length !== names.length) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? ""]));
}

function requireDeclarable<Inputs extends object, State extends object>(
  object: string,
  schema: Lifecycle<Inputs, State>["inputs"],
  state: State,
): void {
  const declared = argumentsIn({ inputs: schema }, state);
  const issues = schema.safeParse(declared).error?.issues ?? [];
  const problems = problemsIn(schema, declared, issues).map((problem) => `${describeProblem(problem)}.`);
  const unserializable = serializationProblem(declared);
  if (unserializable !== undefined) problems.push(unserializable);
  if (problems.length === 0) return;
  throw new ProviderError({
    code: "WA1613",
    what: `The ${object} was not imported: a program cannot declare it as the service shows it. Nothing was changed.`,
    known: problems,
    next: ["Change it in the service, or leave it unmanaged."],
  });
}
