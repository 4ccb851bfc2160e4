import { type Operation, operations } from "../provider/service/operations";
import { refusal } from "./refusal";
import type { OperationId } from "./types";

const minute = 60_000;

/** The specification (Limits) gives each caller a limit of its own. The personal tokens of a workspace share the others. */
const perCaller: readonly OperationId[] = ["connector.fields", "test.delete"];

/** Requests per minute over a sliding window. A refused request does not count. */
export class Limits {
  private readonly windows = new Map<string, number[]>();

  constructor(
    private readonly set: Partial<Record<OperationId, number>>,
    private readonly now: () => number,
  ) {}

  /** Counts the request, or throws a 429. */
  admit(id: OperationId, parameters: Readonly<Record<string, string>>, user: string): void {
    const { perMinute, limitedPer }: Operation = operations[id];
    const limit = this.set[id] ?? perMinute;
    if (limit === undefined) return;
    const now = this.now();
    const owner = limitedPer === undefined ? "" : (parameters[limitedPer] ?? "");
    const key = `${id} ${owner} ${perCaller.includes(id) ? user : ""}`;
    const recent = this.windows.get(key) ?? [];
    this.windows.set(key, recent);
    while (recent[0] !== undefined && recent[0] <= now - minute) recent.shift();
    if (recent.length >= limit) throw tooMany(limit, (recent[0] ?? now) + minute - now);
    recent.push(now);
  }
}

function tooMany(limit: number, wait: number) {
  return refusal(429, "rate_limit_exceeded", `At most ${String(limit)} requests per minute.`, {
    "retry-after": String(Math.ceil(wait / 1000)),
  });
}
