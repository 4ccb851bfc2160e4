import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { checkEditor, checkReach } from "../app-access";
import type { Area } from "../area";
import { Collection, MissingObjectError } from "../collection";
import { id, ofApp, route } from "../control/route";
import { byName, listBy } from "../exported";
import type { Handlers } from "../handler";
import { Ids } from "../ids";
import { refusal } from "../refusal";
import type { AllObjects, CodingSession, CodingSessionObjects, CodingSessionOptions } from "../types";
import { anyObject, sized, validated, validatedPart } from "../validation";

/** The inputs of a launch; null for those that were omitted. */
interface LaunchInputs {
  prompt: string;
  title: string;
  existing_branch: string | null;
  source_ref: string | null;
  pull_request_body: string | null;
  commit_message: string | null;
  client_reference: string | null;
  expected_repository_full_name: string | null;
}

interface CodingSessionStore {
  objects: CodingSessionObjects;
  /** Undefined if it does not exist. */
  session: (appId: string, sessionId: string) => CodingSession | undefined;
  repository: (appId: string) => string;
  /** The launch with this key; undefined if there was none. */
  launched: (appId: string, key: string) => Launch | undefined;
  launch: (appId: string, key: string, inputs: LaunchInputs) => CodingSession;
  snapshot: () => { codingSessions: Record<string, CodingSession[]> };
  restore: (objects: AllObjects) => void;
}

interface Launch {
  /** Undefined for a session that nobody launched here. */
  inputs: LaunchInputs | undefined;
  session: CodingSession;
}

/** The coding sessions of all apps. All returned objects are copies. */
function openStore({ repositories = {} }: CodingSessionOptions): CodingSessionStore {
  /** By app and launch key. */
  const launches = new Collection<Launch>();
  const connected = new Map(Object.entries(repositories));
  const ids = new Ids("cs");

  const find = (appId: string, sessionId: string) =>
    launches.list(appId).find(({ session }) => session.id === sessionId)?.session;
  const repository = (appId: string) => connected.get(appId) ?? "example/app";
  const newSession = (appId: string, fields: Pick<CodingSession, "id"> & Partial<CodingSession>): CodingSession => ({
    ...queued,
    repository_full_name: repository(appId),
    ...fields,
  });

  return {
    objects: {
      codingSessions: (appId) => launches.list(appId).map(({ session }) => structuredClone(session)),

      putCodingSession: (appId, fields = {}) => {
        const id = fields.id ?? ids.next();
        ids.keep(id);
        const session = newSession(appId, { id, launch_key: id, ...structuredClone(fields) });
        launches.set(appId, id, { inputs: undefined, session });
        return structuredClone(session);
      },

      changeCodingSession: (appId, sessionId, fields) => {
        const session = find(appId, sessionId);
        if (session === undefined) throw new MissingObjectError(`App ${appId} has no coding session ${sessionId}.`);
        return structuredClone(Object.assign(session, structuredClone(fields)));
      },

      setRepository: (appId, fullName) => {
        connected.set(appId, fullName);
      },
    },

    session: (appId, sessionId) => structuredClone(find(appId, sessionId)),

    repository,

    launched: (appId, key) => structuredClone(launches.get(appId, key)),

    launch: (appId, key, inputs) => {
      const { client_reference } = inputs;
      const session = newSession(appId, { id: ids.next(), launch_key: key, client_reference });
      launches.set(appId, key, { inputs, session });
      return structuredClone(session);
    },

    snapshot: () => ({ codingSessions: launches.byOwner(({ session }) => structuredClone(session)) }),

    restore: ({ codingSessions }) => {
      launches.clear();
      for (const [appId, sessions] of Object.entries(codingSessions))
        for (const session of sessions) {
          const { id, launch_key } = session;
          const isTaken = launch_key === null || launches.get(appId, launch_key) !== undefined;
          // No request can have a key with a space.
          launches.set(appId, isTaken ? `session ${id}` : launch_key, { inputs: undefined, session });
          ids.keep(id);
        }
    },
  };
}

/** A session before anything is dispatched or provisioned. */
const queued = {
  state: "queued",
  launch_key: null,
  client_reference: null,
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

/** The form of the `Idempotency-Key` and of `client_reference`. */
const key = sized(1, 200).regex(/^[A-Za-z0-9_.:-]+$/);

/** Null means the same as omitting the field. */
const optional = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().transform((value) => value ?? null);

const launch = z.object({
  prompt: sized(1, 99_611),
  title: sized(1, 200),
  existing_branch: optional(sized(1, 255)),
  source_ref: optional(sized(1, 255)),
  pull_request_body: optional(sized(0, 20_000)),
  commit_message: optional(sized(1, 2000)),
  client_reference: optional(key),
  expected_repository_full_name: optional(sized(0, 201).regex(/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/)),
});

function handlersOf(store: CodingSessionStore): Handlers {
  return {
    "codingSession.launch": ({ parameters: { app_id }, caller, body, idempotencyKey }) => {
      const launchKey = validatedPart(key, "header", "Idempotency-Key", idempotencyKey);
      const inputs = validated(launch, body);
      checkEditor(app_id, caller, "coding sessions");
      const earlier = store.launched(app_id, launchKey);
      if (earlier !== undefined) {
        if (earlier.inputs !== undefined) checkSame(earlier.inputs, inputs);
        return earlier.session;
      }
      checkRepository(store.repository(app_id), inputs);
      return store.launch(app_id, launchKey, inputs);
    },

    "codingSession.get": ({ parameters: { app_id, session_id }, caller }) => {
      checkReach(app_id, caller);
      const session = store.session(app_id, session_id);
      if (session === undefined) throw refusal(404, "coding_session_not_found", "There is no such coding session.");
      return session;
    },
  };
}

/**
 * "Reuse it with the same runtime inputs on retries; a previously associated client_reference may then be omitted".
 *
 * Assumed: other inputs respond 409, and a key belongs to one app.
 */
function checkSame(
  { client_reference: associated, ...before }: LaunchInputs,
  { client_reference, ...now }: LaunchInputs,
): void {
  const sameReference = client_reference === null || client_reference === associated;
  if (!sameReference || !isDeepStrictEqual(before, now))
    throw refusal(409, "idempotency_key_reused", "The Idempotency-Key was used with other inputs.");
}

/** "A mismatch (…) refuses the launch before work starts." Assumed: with 409, and the key stays unused. */
function checkRepository(connected: string, { expected_repository_full_name: expected }: LaunchInputs): void {
  if (expected !== null && expected !== connected)
    throw refusal(409, "repository_mismatch", `The app's connected repository is not ${expected}.`);
}

const textOrNull = z.string().nullable();

const sessionShape = z.strictObject({
  id,
  state: z.enum([
    "queued",
    "running",
    "opening_pull_request",
    "needs_input",
    "completed",
    "failed",
    "cancelling",
    "cancelled",
  ]),
  message_id: textOrNull,
  repository_full_name: z.string(),
  branch_id: textOrNull,
  branch_name: textOrNull,
  session_url: textOrNull,
  pull_request: anyObject.nullable(),
  error_code: textOrNull,
  launch_key: textOrNull,
  client_reference: textOrNull,
  input_request_id: textOrNull,
  outcome: z.enum(["pull_request", "answer"]).nullable(),
  summary: textOrNull,
});

const sessionFields: z.ZodType<Partial<Omit<CodingSession, "id">>> = sessionShape.omit({ id: true }).exactPartial();

export const codingSessions = {
  open: ({ options }) => {
    const store = openStore(options);
    const { objects, snapshot, restore } = store;
    return { objects, handlers: handlersOf(store), snapshot, restore };
  },
  exported: { codingSessions: byName(listBy((session: CodingSession) => session.id, sessionShape)) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/coding-sessions",
      description: "Changes a coding session.",
      input: ofApp.extend({ sessionId: id, fields: sessionFields }),
      examples: [{ appId: "a", sessionId: "cs_1", fields: { state: "completed" } }],
      handle: ({ objects }, { appId, sessionId, fields }) => objects.changeCodingSession(appId, sessionId, fields),
    }),
    route({
      endpoint: "PUT repositories",
      description: "Connects a repository to the app. At the start it is `example/app`.",
      input: ofApp.extend({ fullName: id }),
      examples: [{ appId: "a", fullName: "owner/name" }],
      handle: ({ objects }, { appId, fullName }) => {
        objects.setRepository(appId, fullName);
      },
    }),
  ],
} satisfies Area;
