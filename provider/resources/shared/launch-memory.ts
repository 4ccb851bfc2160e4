/** A launch intent that this command wrote or keeps. */
interface KnownIntent {
  /** The app of now, last, after every app that it had before. */
  readonly apps: readonly string[];
  readonly deletionPolicy: string | undefined;
  /** The credential and the list with which it was written. */
  readonly readBy: string;
}

/** An uncertain launch: when that became known, and why. */
export interface UncertainLaunch {
  readonly is: "uncertain";
  readonly attemptedAt: number;
  readonly why: readonly string[];
}

/** The launch that this command sent under a key. */
type Sent = { readonly is: "sent" } | UncertainLaunch;

/** A daily budget that is launched in this command. A slow list may not show its campaign. */
export interface Reservation {
  readonly appId: string;
  readonly launchedName: string;
  readonly micros: number;
}

/** The knowledge of one command about a launch intent. */
export interface KeyMemory {
  intent?: KnownIntent;
  /**
   * - `new`: this command generated the key, so no earlier command launched under it.
   * - `kept`: a confirmed campaign of the key is in the state.
   * - `freed`: a confirmed campaign of the key was in the state until this command deleted, paused or forgot it.
   * - Left out: an earlier command may have launched a campaign without saving it.
   */
  history?: "new" | "kept" | "freed";
  /** At most one launch is sent for each key. */
  sent?: Sent | undefined;
  reserved?: Reservation | undefined;
  /** Campaigns of the key that this command paused by the policy "pause". A refresh must not take them for duplicates. */
  pausedOrphans?: string[];
  /** The resource that uses the key. */
  user?: string;
}

/** A campaign that the program declares. */
interface Plan {
  readonly appId: string;
  readonly micros: number;
  readonly isLaunched: boolean;
}

/**
 * The knowledge of one command about launches. It saves requests and bridges a slow list. Across commands, safety never rests
 * on it.
 */
export class LaunchMemory {
  private readonly keys = new Map<string, KeyMemory>();
  /** By resource. */
  readonly plans = new Map<string, Plan>();
  /** The apps of the campaigns that the program declares, as far as `check` has seen it. */
  readonly apps = new Set<string>();
  /** The arguments that `check` was last given, by the launch intent, the campaign's id or its declared name. */
  readonly lastDeclared = new Map<string, object>();

  of(key: string): KeyMemory {
    const known = this.keys.get(key) ?? {};
    this.keys.set(key, known);
    return known;
  }

  reservedIn(appId: string): Reservation[] {
    return [...this.keys.values()].flatMap(({ reserved }) => (reserved?.appId === appId ? [reserved] : []));
  }
}
