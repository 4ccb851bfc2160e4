import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { checkEditor, checkReach } from "./app-access";
import type { CodingSessionStore, LaunchInputs } from "./coding-session-store";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import { sized, validated, validatedPart } from "./validation";

/** Of the `Idempotency-Key` and of the caller's own reference. */
const key = sized(1, 200).regex(/^[A-Za-z0-9_.:-]+$/);

/** A null is as good as leaving the field out. */
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

export function codingSessionHandlers(store: CodingSessionStore): Handlers {
  return {
    "codingSession.launch": ({ parameters: { app_id }, caller, body, idempotencyKey }) => {
      const launchKey = validatedPart(key, "header", "Idempotency-Key", idempotencyKey);
      const inputs = validated(launch, body);
      checkEditor(app_id, caller, "coding sessions");
      const earlier = store.launched(app_id, launchKey);
      if (earlier !== undefined) {
        checkSame(earlier.inputs, inputs);
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
 * "Reuse it with the same runtime inputs on retries; a previously associated client_reference may then be omitted."
 * What other inputs answer is not shown, nor how far a key reaches: it is taken to be the app's.
 */
function checkSame(
  { client_reference: associated, ...before }: LaunchInputs,
  { client_reference, ...now }: LaunchInputs,
): void {
  const sameReference = client_reference === null || client_reference === associated;
  if (!sameReference || !isDeepStrictEqual(before, now))
    throw refusal(409, "idempotency_key_reused", "The Idempotency-Key was used with other inputs.");
}

/** "A mismatch (…) refuses the launch before work starts", with a status that is not shown; the key stays unused. */
function checkRepository(connected: string, { expected_repository_full_name: expected }: LaunchInputs): void {
  if (expected !== null && expected !== connected)
    throw refusal(409, "repository_mismatch", `The app's connected repository is not ${expected}.`);
}
