import { z } from "zod";
import { rowsOf } from "./rows";
import type { Body } from "./json";
import { hiding, isMuch, oneLine } from "./redaction";

/** The codes that the specification names; where in a body they stand is not shown. */
const knownCodes = [
  "read_only_credential_route_not_allowed",
  "folder_not_found",
  "payment_provider_unavailable",
] as const;

export type KnownCode = (typeof knownCodes)[number];

export function codeIn(body: string): KnownCode | undefined {
  return knownCodes.find((code) => body.includes(code));
}

const validationError = z.object({ loc: rowsOf(z.union([z.string(), z.number()])), msg: z.string() });
type ValidationError = z.output<typeof validationError>;
const validationErrors = z.object({ detail: rowsOf(validationError) });
const plainWords = z.union([
  z.object({ detail: z.string() }).transform((body) => body.detail),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ detail: z.object({ message: z.string() }) }).transform((body) => body.detail.message),
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
]);

/** What is the users' own and not to be shown. */
interface Own {
  /** Texts and numbers at any depth. */
  values?: unknown;
  /** Whether a body that is no known form of an error may hold more of it, and is not shown at all. */
  onlyKnownForms?: boolean;
}

/** Enough of an unknown body to recognise it by. */
const longestExcerpt = 300;
/** Looked through for what must not show: with as much as an error may hold it would take a second. */
const longestCleaned = 8 * 1024;
/** A 422 may name many fields. */
const longestValidation = 2_000;

/**
 * The service's own words from an error's body: a 422's details as `field: message`, the usual message fields, else the
 * beginning of the text. `secrets` never come out, whatever the service repeats; nor do the users' own values.
 */
export function wordsOf(body: Body, secrets: readonly string[] = [], own: Own = {}): string {
  if (isMuch(own.values)) return "(words that are not shown, because they may repeat some of the much that was sent)";
  const hidden = hiding(secrets, own.values);
  // Cleaned before it is cut to what is shown: the first half of a secret is not recognised.
  const clean = (text: string): string => hidden.clean(hidden.beginning(oneLine(text), longestCleaned));
  const json = "problem" in body ? undefined : body.json;
  const validation = validationErrors.safeParse(json);
  if (validation.success) return excerpt(clean(fieldMessages(validation.data.detail)), longestValidation);
  const words = plainWords.safeParse(json);
  if (!words.success && own.onlyKnownForms === true) return "";
  // JSON is written anew, because a secret in it can be spelled in several ways.
  const whole = words.success ? words.data : json === undefined ? body.text : JSON.stringify(json, maskSecrets);
  return excerpt(clean(whole));
}

/** As much of a long text as a message can hold. */
export function excerpt(text: string, most = longestExcerpt): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function maskSecrets(key: string, value: unknown): unknown {
  return /secret|token|password|api_?key|connection_config/i.test(key) && value !== null ? "[secret]" : value;
}

/** No more of them than are looked through. */
function fieldMessages(all: readonly ValidationError[]): string {
  let text = "";
  for (const [index, problem] of all.entries()) {
    if (text.length > longestCleaned) break;
    text += `${index === 0 ? "" : "; "}${fieldMessage(problem)}`;
  }
  return text;
}

function fieldMessage({ loc, msg }: ValidationError): string {
  const field = loc[0] === "body" ? loc.slice(1) : loc;
  return field.length === 0 ? oneLine(msg) : `${oneLine(field.join("."))}: ${oneLine(msg)}`;
}
