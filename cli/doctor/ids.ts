import { segmentProblem } from "../../provider/service/endpoints";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import type { Page } from "../../provider/service/shapes";
import type { Outcome } from "./probe";
import { listOperationFor } from "./read-operations";

/** The result of looking for an id in the service's own list. */
type Listing = "listed" | "not listed" | "unknown";

/** The ids to call operations with: those that the user gave, and those found in lists of the service. */
export class Ids {
  private readonly lists = new Map<string, { ids: readonly string[]; complete: boolean }>();

  constructor(private readonly given: ReadonlyMap<string, string>) {}

  /** The parameters of an operation's path. Undefined while one of them is missing. */
  parametersOf(id: OperationId): Record<string, string> | undefined {
    const parameters = parameterNames(operations[id].endpoint).map((name) => [name, this.find(name)] as const);
    return parameters.every(([, value]) => value !== undefined)
      ? (Object.fromEntries(parameters) as Record<string, string>)
      : undefined;
  }

  /** Tells the user which ids to give so that the operation can be called. */
  missingIdsHint(id: OperationId): string {
    const missing = parameterNames(operations[id].endpoint).filter((name) => this.find(name) === undefined);
    const required = missing.filter((name) => !this.willBeListed(name, missing));
    const options = (required.length > 0 ? required : missing).map((name) => `--id ${name}=…`).join(" ");
    const empty = missing.find((name) => this.lists.has(name));
    return empty === undefined ? `give ${options}` : `${String(listOperationFor[empty])} is empty; give ${options}`;
  }

  /** Remembers the ids on the first page of a list. */
  addListed({ operation, answer }: Outcome): void {
    const name = Object.keys(listOperationFor).find((name) => listOperationFor[name] === operation);
    if (name === undefined || answer === undefined) return;
    const { rows, more } = answer as Page<{ id: string }>;
    const ids = rows.map(({ id }) => id).filter((id) => segmentProblem(id) === undefined);
    this.lists.set(name, { ids, complete: !more });
  }

  /** Whether a list of the service has the object that these parameters name. */
  listing(parameters: Readonly<Record<string, string>>): Listing {
    for (const [name, value] of Object.entries(parameters)) {
      const list = this.lists.get(name);
      if (list?.ids.includes(value)) return "listed";
      if (list?.complete) return "not listed";
    }
    return "unknown";
  }

  private find(name: string): string | undefined {
    return this.given.get(name) ?? this.lists.get(name)?.ids[0];
  }

  /** Whether a list will give this id once the other ids are known. */
  private willBeListed(name: string, missing: readonly string[]): boolean {
    return listOperationFor[name] !== undefined && missing.length > 1 && !this.lists.has(name);
  }
}
