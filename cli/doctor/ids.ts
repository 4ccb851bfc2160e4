import { segmentProblem } from "../../provider/service/endpoints";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { Page } from "../../provider/service/shapes";
import type { Outcome } from "./probe";
import { listedBy } from "./reads";

/** What the service's own list says of an id. */
type Listing = "listed" | "not listed" | "unknown";

/** The ids with which operations are called: those that were given, and those that lists of the service showed. */
export class Ids {
  private readonly shown = new Map<string, { ids: readonly string[]; complete: boolean }>();

  constructor(private readonly given: ReadonlyMap<string, string>) {}

  /** The parameters of an operation's path; undefined as long as one of them is not known. */
  parametersOf(id: OperationId): Record<string, string> | undefined {
    const known = parameterNames(operations[id].endpoint).map((name) => [name, this.find(name)] as const);
    return known.every(([, value]) => value !== undefined)
      ? (Object.fromEntries(known) as Record<string, string>)
      : undefined;
  }

  /** What to give so that the operation can be called. */
  wantedFor(id: OperationId): string {
    const missing = parameterNames(operations[id].endpoint).filter((name) => this.find(name) === undefined);
    const wanted = missing.filter((name) => !this.willBeListed(name, missing));
    const options = (wanted.length > 0 ? wanted : missing).map((name) => `--id ${name}=…`).join(" ");
    const empty = missing.find((name) => this.shown.has(name));
    return empty === undefined ? `give ${options}` : `${String(listedBy[empty])} shows none to read; give ${options}`;
  }

  /** Remembers the ids of a list's first page. */
  learn({ operation, answer }: Outcome): void {
    const name = Object.keys(listedBy).find((name) => listedBy[name] === operation);
    if (name === undefined || answer === undefined) return;
    const { rows, more } = answer as Page<{ id: string }>;
    const ids = rows.map(({ id }) => id).filter((id) => segmentProblem(id) === undefined);
    this.shown.set(name, { ids, complete: !more });
  }

  /** Whether a list of the service shows the object that these parameters name. */
  listing(parameters: Readonly<Record<string, string>>): Listing {
    for (const [name, value] of Object.entries(parameters)) {
      const list = this.shown.get(name);
      if (list?.ids.includes(value)) return "listed";
      if (list?.complete) return "not listed";
    }
    return "unknown";
  }

  private find(name: string): string | undefined {
    return this.given.get(name) ?? this.shown.get(name)?.ids[0];
  }

  /** Whether a list gives this id once the others are there. */
  private willBeListed(name: string, missing: readonly string[]): boolean {
    return listedBy[name] !== undefined && missing.length > 1 && !this.shown.has(name);
  }
}
