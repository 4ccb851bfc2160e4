import { ProviderError } from "../../service/errors";
import { differingFields, type Fields } from "./compare";

/** A part of an object that is not as declared. The values are as they may be shown. */
export interface Difference {
  readonly name: string;
  readonly found: string;
  readonly declared: string;
}

/** Shown for a value that may be a secret: Pulumi does not tell a dynamic provider which arguments are. */
export const hidden = "(hidden)";

/** Whether there is a value, and not what it is. */
export function presence(value: unknown): string {
  return value === undefined || value === null ? "none" : hidden;
}

/** The differences of the user's own data, by their names alone: a record or a test may hold anything. */
export function differencesIn(argument: string, found: Fields, declared: Fields): Difference[] {
  return differingFields(declared, found).map((name) => ({
    name: `${argument}.${name}`,
    found: presence(Object.hasOwn(found, name) ? found[name] : undefined),
    declared: presence(declared[name]),
  }));
}

/** Adoption changes an object only where the program says `overwrite: true`. Otherwise every difference is listed. */
export function requireNoDifference(
  object: string,
  differences: readonly Difference[],
  { overwrite }: { overwrite?: boolean | undefined },
): void {
  if (overwrite === true || differences.length === 0) return;
  throw new ProviderError({
    code: "WA1302",
    what: `The ${object} was not adopted: it differs from what is declared (found → declared). Nothing was changed.`,
    known: differences.map(({ name, found, declared }) => `${name}: ${found} → ${declared}`),
    next: [
      "Declare the values that it has in the service.",
      "Or set overwrite: true, and `pulumi up` changes it to what is declared.",
    ],
  });
}
