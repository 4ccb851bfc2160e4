import type { Change, Listener, LoggedRequest } from "./types";

/** Tells the listeners what happens. */
export class Events {
  private readonly listeners = new Set<Listener>();

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    // An object of its own, so that the same listener can listen twice.
    const added: Listener = {
      request: (entry) => {
        listener.request(entry);
      },
      changed: (what) => {
        listener.changed(what);
      },
    };
    this.listeners.add(added);
    return () => {
      this.listeners.delete(added);
    };
  }

  request(entry: LoggedRequest): void {
    for (const listener of this.listeners) listener.request(entry);
  }

  changed(what: Change): void {
    for (const listener of this.listeners) listener.changed(what);
  }
}

/**
 * The methods of what `current` returns at the time of the call, because a reset replaces them. A method whose name matches
 * `changing` calls `changed` afterwards. test/simulator/announced.test.ts lists all the others, so that no new one is
 * forgotten.
 */
export function announced<Methods extends object>(current: () => Methods, changed: () => void): Methods {
  const methods = Object.keys(current()).map((name) => [
    name,
    (...args: unknown[]): unknown => {
      const method = Reflect.get(current(), name) as (...args: unknown[]) => unknown;
      const result = method(...args);
      if (changing.test(name)) changed();
      return result;
    },
  ]);
  return Object.fromEntries(methods) as Methods;
}

const changing = /^(add|change|deliver|put|remove|replace|set|start|trackingVerified)(?![a-z])/;
