import type { LoggedRequest } from "./types";

export class RequestLog {
  private entries: LoggedRequest[] = [];
  private count = 0;

  constructor(private readonly now: () => number) {}

  /** The caller sets the entry's status when it sends a response. */
  add(request: Omit<LoggedRequest, "number" | "status" | "at">): LoggedRequest {
    const entry: LoggedRequest = {
      number: ++this.count,
      ...request,
      status: "none",
      at: new Date(this.now()).toISOString(),
    };
    this.entries.push(entry);
    return entry;
  }

  all(): LoggedRequest[] {
    return [...this.entries];
  }

  clear(): void {
    this.entries = [];
  }
}
