import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { codingSession } from "../service/shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getCodingSession}. */
export interface GetCodingSessionArgs {
  /** The app whose code the session changes. */
  appId: string;
  /** The id of the session. */
  sessionId: string;
}

/** The result of {@link getCodingSession}. */
export interface GetCodingSessionResult {
  /** The id of the session. */
  sessionId: string;
  /**
   * `queued`, `running`, `opening_pull_request`, `needs_input`, `completed`, `failed`, `cancelling` or `cancelled`. The
   * service may add others.
   */
  state: string;
  /** `pull_request` or `answer`. Absent until it is completed. */
  outcome?: string;
  /** The final reply in Markdown, up to 10,000 characters. */
  summary?: string;
  /** The stable cause of a failure. */
  errorCode?: string;
  /** The pull request. Absent until one is opened. Its shape is not documented. */
  pullRequest?: Record<string, unknown>;
  /** The session in the editor. Absent until its branch exists. */
  sessionUrl?: string;
  /** The connected repository. */
  repositoryFullName?: string;
  /** The id of the branch. Absent until it exists. */
  branchId?: string;
  /** The name of the branch. */
  branchName?: string;
  /** The id of the session's user message. */
  messageId?: string;
  /** The id of the question or approval that it waits for. */
  inputRequestId?: string;
  /** The idempotency key of its launch. */
  launchKey?: string;
  /** The reference that the caller gave at its launch. */
  clientReference?: string;
}

/** @internal */
export const codingSessionLookup: Lookup<GetCodingSessionArgs, GetCodingSessionResult> = {
  name: "getCodingSession",
  operation: "codingSession.get",
  purpose: "The progress and outcome of a coding session",
  args: z.strictObject({ appId: identifier(), sessionId: identifier() }),
  async run(args, { service }) {
    const answer = await service.call("codingSession.get", { parameters: toWire(args) });
    const { id, ...session } = fromWire(codingSession, answer);
    return { sessionId: id, ...session };
  },
};

/**
 * Reads a coding session: its state, and once there is one, its pull request or answer. It does not wait.
 *
 * The path of this operation (`codingSession.get`) is assumed.
 *
 * ```ts
 * const session = apps.getCodingSessionOutput({ appId: "app-1", sessionId: fix.sessionId });
 * export const state = session.state;
 * ```
 */
export function getCodingSession(args: GetCodingSessionArgs, opts?: LookupOptions): Promise<GetCodingSessionResult> {
  return lookUp(codingSessionLookup, args, opts);
}

/** {@link getCodingSession} with inputs. Sends its requests once all inputs are known. */
export function getCodingSessionOutput(
  args: LookupInputs<GetCodingSessionArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetCodingSessionResult> {
  return lookUpOutput(codingSessionLookup, args, opts);
}
