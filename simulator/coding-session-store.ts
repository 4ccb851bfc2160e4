import { Ids } from "./ids";

export const codingSessionStates = [
  "queued",
  "running",
  "opening_pull_request",
  "needs_input",
  "completed",
  "failed",
  "cancelling",
  "cancelled",
] as const;

/** A coding session, in the field names of the service. Its transitions are not shown: it stays `queued` until changed. */
export interface CodingSession {
  id: string;
  state: (typeof codingSessionStates)[number];
  message_id: string | null;
  repository_full_name: string;
  branch_id: string | null;
  branch_name: string | null;
  session_url: string | null;
  pull_request: Record<string, unknown> | null;
  error_code: string | null;
  launch_key: string | null;
  client_reference: string | null;
  input_request_id: string | null;
  outcome: "pull_request" | "answer" | null;
  summary: string | null;
}

/** What a launch was asked for; null for what was left out. */
export interface LaunchInputs {
  prompt: string;
  title: string;
  existing_branch: string | null;
  source_ref: string | null;
  pull_request_body: string | null;
  commit_message: string | null;
  client_reference: string | null;
  expected_repository_full_name: string | null;
}

/** What coding sessions start from. */
export interface CodingSessionOptions {
  /** The connected repository, by app. @default "example/app" for each */
  repositories?: Record<string, string>;
}

/** The coding sessions that the service holds. */
export interface CodingSessionObjects {
  /** Copies, in the order of their launches. */
  codingSessions(appId?: string): CodingSession[];
  /** Fails when there is none. */
  changeCodingSession(appId: string, id: string, fields: Partial<Omit<CodingSession, "id">>): CodingSession;
  /** Connects another repository; sessions keep theirs. */
  setRepository(appId: string, fullName: string): void;
}

export interface CodingSessionStore {
  objects: CodingSessionObjects;
  /** Undefined when there is none. */
  session: (appId: string, id: string) => CodingSession | undefined;
  repository: (appId: string) => string;
  /** What was launched under a key; undefined when nothing was. */
  launched: (appId: string, key: string) => Launch | undefined;
  launch: (appId: string, key: string, inputs: LaunchInputs) => CodingSession;
  all: () => Record<string, CodingSession[]>;
}

interface Launch {
  inputs: LaunchInputs;
  session: CodingSession;
}

/** The coding sessions of all apps. What it gives out are copies. */
export function openCodingSessionStore({ repositories = {} }: CodingSessionOptions): CodingSessionStore {
  /** By app, then by the key that launched it. */
  const byApp = new Map<string, Map<string, Launch>>();
  const connected = new Map(Object.entries(repositories));
  const ids = new Ids("cs");

  const launchesOf = (appId: string) => [...(byApp.get(appId)?.values() ?? [])];
  const sessionsOf = (appId: string) => structuredClone(launchesOf(appId).map(({ session }) => session));
  const find = (appId: string, id: string) => launchesOf(appId).find(({ session }) => session.id === id)?.session;
  const repository = (appId: string) => connected.get(appId) ?? "example/app";

  return {
    objects: {
      codingSessions: (appId) => (appId === undefined ? [...byApp.keys()].flatMap(sessionsOf) : sessionsOf(appId)),

      changeCodingSession: (appId, id, fields) => {
        const session = find(appId, id);
        if (session === undefined) throw new Error(`App ${appId} has no coding session ${id}.`);
        return structuredClone(Object.assign(session, structuredClone(fields)));
      },

      setRepository: (appId, fullName) => {
        connected.set(appId, fullName);
      },
    },

    session: (appId, id) => structuredClone(find(appId, id)),

    repository,

    launched: (appId, key) => structuredClone(byApp.get(appId)?.get(key)),

    launch: (appId, key, inputs) => {
      const session: CodingSession = {
        ...queued,
        id: ids.next(),
        repository_full_name: repository(appId),
        launch_key: key,
        client_reference: inputs.client_reference,
      };
      byApp.set(appId, (byApp.get(appId) ?? new Map<string, Launch>()).set(key, { inputs, session }));
      return structuredClone(session);
    },

    all: () => Object.fromEntries([...byApp.keys()].map((appId) => [appId, sessionsOf(appId)])),
  };
}

/** Before anything was dispatched or provisioned. */
const queued = {
  state: "queued",
  message_id: null,
  branch_id: null,
  branch_name: null,
  session_url: null,
  pull_request: null,
  error_code: null,
  input_request_id: null,
  outcome: null,
  summary: null,
} as const;
