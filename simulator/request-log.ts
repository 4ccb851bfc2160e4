import { operations } from "../provider/service/operations";
import type { Events } from "./events";
import { Exchanges } from "./exchanges";
import type { Exchange, ExchangedMessage, LoggedRequest } from "./types";

/** A request that arrived, without what the log adds. */
type Received = Omit<LoggedRequest, "number" | "documented" | "status" | "at" | "milliseconds">;

/** Every request so far, and its exchange. */
export class RequestLog {
  private readonly entries = new Map<number, LoggedRequest>();
  private readonly began = new WeakMap<LoggedRequest, number>();
  private readonly exchanges = new Exchanges();
  private count = 0;

  constructor(
    private readonly now: () => number,
    private readonly events: Events,
  ) {}

  add(request: Received, message: ExchangedMessage): LoggedRequest {
    const { operation, method, path } = request;
    const entry: LoggedRequest = {
      number: ++this.count,
      documented: operation !== undefined && operations[operation].documented,
      ...request,
      status: "none",
      at: new Date(this.now()).toISOString(),
    };
    this.entries.set(entry.number, entry);
    this.began.set(entry, performance.now());
    this.exchanges.received(entry.number, { method, path, ...message });
    this.events.request(entry);
    return entry;
  }

  responded(entry: LoggedRequest, response: Exclude<Exchange["response"], "none">): void {
    entry.status = response === "reset" ? response : response.status;
    this.settle(entry);
    if (this.has(entry)) this.exchanges.responded(entry.number, response);
  }

  /** The connection was closed. */
  closed(entry: LoggedRequest): void {
    if (entry.milliseconds === undefined) this.settle(entry);
  }

  private settle(entry: LoggedRequest): void {
    entry.milliseconds = Math.round(performance.now() - (this.began.get(entry) ?? 0));
    if (this.has(entry)) this.events.request(entry);
  }

  /** Whether it was not cleared since. Its number may have been used again. */
  private has(entry: LoggedRequest): boolean {
    return this.entries.get(entry.number) === entry;
  }

  all(): LoggedRequest[] {
    return [...this.entries.values()];
  }

  /** Throws if it is not kept. */
  exchange(number: number): Exchange {
    return this.exchanges.get(number);
  }

  clear(): void {
    this.entries.clear();
    this.exchanges.clear();
    this.events.changed("requests");
  }

  /** Forgets the numbers too. */
  reset(): void {
    this.count = 0;
    this.clear();
  }
}
