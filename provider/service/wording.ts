import { z } from "zod";
import type { OperationId } from "./operations";
import { oneLine, withoutSecrets, withoutValues } from "./redaction";

/** The codes that the specification names; where in a body they stand is not shown. */
const knownCodes = ["read_only_credential_route_not_allowed", "folder_not_found"] as const;

export type KnownCode = (typeof knownCodes)[number];

export function codeIn(body: string): KnownCode | undefined {
  return knownCodes.find((code) => body.includes(code));
}

const validationError = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });
type ValidationError = z.output<typeof validationError>;
const validationErrors = z.object({ detail: z.array(validationError) });
const plainWords = z.union([
  z.object({ detail: z.string() }).transform((body) => body.detail),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ detail: z.object({ message: z.string() }) }).transform((body) => body.detail.message),
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
]);

/** Enough of an unknown body to recognise it by. */
const longestExcerpt = 300;

/**
 * The service's own words from an error's body: a 422's details as `field: message`, the usual message fields, else the
 * beginning of the text. `secrets` never come out, whatever the service repeats; nor, given `records`, a value of the
 * body that was sent, and then an unknown body is not shown at all.
 */
export function wordsOf(body: string, secrets: readonly string[] = [], records?: { sent: unknown }): string {
  const clean = (text: string): string => withoutValues(withoutSecrets(oneLine(text), secrets), records?.sent);
  const json = parseJson(body);
  const validation = validationErrors.safeParse(json);
  if (validation.success) return validation.data.detail.map((problem) => fieldMessage(problem, clean)).join("; ");
  const words = plainWords.safeParse(json);
  if (!words.success && records !== undefined) return "";
  // JSON is written anew, because a secret in it can be spelled in several ways.
  const whole = words.success ? words.data : json === undefined ? body : JSON.stringify(json);
  // Cleaned before it is cut: the first half of a secret is not recognised.
  const text = clean(whole);
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

function fieldMessage({ loc, msg }: ValidationError, clean: (text: string) => string): string {
  const field = loc[0] === "body" ? loc.slice(1) : loc;
  return field.length === 0 ? clean(msg) : `${field.join(".")}: ${clean(msg)}`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a reader of a failed pipeline should do about a refusal. */
export function nextStep(operation: OperationId, status: number, code: KnownCode | undefined): string | undefined {
  if (code === "read_only_credential_route_not_allowed")
    return "The token is read-only: use one with full access, in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN.";
  if (code === "folder_not_found")
    return "Either there is no such folder, or it is the personal folder of another user, which this token cannot see: check folderId and whose token is used.";
  switch (status) {
    case 401:
      return "The credential is missing, invalid or expired: set workspace-apps:accessToken (or WORKSPACE_APPS_ACCESS_TOKEN), and workspace-apps:apiKey where one is used.";
    case 402:
      return "The workspace's plan does not include this: move it to a higher plan tier, or take the resource out of the program.";
    case 403:
      return isWebhook(operation)
        ? "The token's owner must be an editor of the agent; viewers, read-only keys and workspace keys are refused."
        : "The credential may not do this: use a personal token with full access whose owner has editor access, not a workspace key.";
    case 404:
      return operation === "folderItem.remove" || operation === "folderItem.add"
        ? "There is no such folder or app, or the token is limited to other apps: check folderId, appId and the token's scope."
        : "It does not exist, or the token does not reach it: check the ids and the token's scope; after a deletion outside Pulumi run `pulumi refresh`.";
    case 400:
      return isWebhook(operation)
        ? "The specification gives one reason: agentId belongs to an app that is not an agent."
        : undefined;
    default:
      return undefined;
  }
}

function isWebhook(operation: OperationId): boolean {
  return operation.startsWith("webhook.");
}
