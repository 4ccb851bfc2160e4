/** A launch intent that this command wrote or keeps. */
export interface KnownIntent {
  /** The app of now, last, after every app that it had before. */
  readonly apps: readonly string[];
  readonly deletionPolicy: string | undefined;
  /** The credential and the list with which it was written. */
  readonly readBy: string;
}

/** What became of the launch that this command sent under a key. */
export type Sent =
  | { readonly is: "sending" | "refused" }
  | { readonly is: "launched"; readonly campaign: object }
  | { readonly is: "uncertain"; readonly attemptedAt: number; readonly why: readonly string[] };

/**
 * What one command knows about launches. It saves requests and bridges a slow list. Across commands, safety never rests
 * on it.
 */
export class LaunchMemory {
  /** By key. */
  readonly intents = new Map<string, KnownIntent>();
  /** The keys that this command generated: no earlier command launched under them. */
  readonly written = new Set<string>();
  /** The campaigns that are in the state, or that this command put there. */
  readonly managed = new Set<string>();
  /** The keys of which a confirmed campaign was in the state, or was deleted or paused by this command. */
  readonly settled = new Set<string>();
  /** The keys whose campaign was in the state until this command deleted or forgot it: no dead command launched beside it. */
  readonly freed = new Set<string>();
  /** The campaigns that this command deleted or paused: a slow list may still show them as they were. */
  readonly ended = new Set<string>();
  /** The campaigns whose pause by this package was confirmed. */
  readonly paused = new Set<string>();
  /** By key. At most one launch is sent for each. */
  readonly sent = new Map<string, Sent>();
  /** The arguments that `check` saw for a resource in the state, by the key or the id that the state has. */
  readonly declared = new Map<string, object>();
  /** The daily budgets that this command launched, by app, then by launched name. A slow list may not show them. */
  private readonly budgets = new Map<string, Map<string, number>>();
  /** The declared daily budgets of the program, by app, then by resource. */
  private readonly planned = new Map<string, Map<string, number>>();
  /** The name of each campaign that leaves it out, by its place in the program. */
  readonly names = new Map<string, string>();
  private readonly users = new Map<string, string>();

  /** Records which campaign uses a key. Returns the name of another one that does. */
  useKey(key: string, name: string): string | undefined {
    const other = this.users.get(key);
    if (other === undefined) this.users.set(key, name);
    return other === name ? undefined : other;
  }

  reserve(appId: string, name: string, micros: number): void {
    within(this.budgets, appId).set(name, micros);
  }

  release(appId: string, name: string): void {
    this.budgets.get(appId)?.delete(name);
  }

  reservedIn(appId: string): ReadonlyMap<string, number> {
    return within(this.budgets, appId);
  }

  /** Records a declared budget. Returns what the app's campaigns in the program may spend together. */
  plan(appId: string, name: string, micros: number): number {
    for (const ofApp of this.planned.values()) ofApp.delete(name);
    const ofApp = within(this.planned, appId).set(name, micros);
    return [...ofApp.values()].reduce((sum, one) => sum + one, 0);
  }
}

function within(maps: Map<string, Map<string, number>>, key: string): Map<string, number> {
  const existing = maps.get(key) ?? new Map<string, number>();
  maps.set(key, existing);
  return existing;
}
