import { z } from "zod";
import { rowsOf } from "./rows";
import type { Body } from "./json";
import { hiding, isMuch, oneLine } from "./redaction";

/** The codes that the specification names. It does not show where in a body they are. */
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

/** The user's own data, which must not be shown. */
interface Own {
  /** Texts and numbers at any depth. */
  values?: unknown;
  /** Shows only the message of a known error form. A body of another form may hold more of the user's data. */
  onlyKnownForms?: boolean;
}

/** Enough to recognize an unknown body. */
const longestExcerpt = 300;
/** How much of a text is searched for values to hide. The search in the longest error would take a second. */
const longestCleaned = 8 * 1024;
/** A 422 may name many fields. */
const longestValidation = 2_000;

/**
 * The service's own message from the body of an error: the details of a 422 as `field: message`, else one of the usual
 * message fields, else the beginning of the text. It never contains `secrets` or the user's own values.
 */
export function wordsOf(body: Body, secrets: readonly string[] = [], own: Own = {}): string {
  if (isMuch(own.values)) return "(message hidden: it may repeat submitted data)";
  const hidden = hiding(secrets, own.values);
  // Cleaned before it is cut: half of a secret would not be recognized.
  const clean = (text: string): string => hidden.clean(hidden.beginning(oneLine(text), longestCleaned));
  const json = "problem" in body ? undefined : body.json;
  const validation = validationErrors.safeParse(json);
  if (validation.success) return excerpt(clean(fieldMessages(validation.data.detail)), longestValidation);
  const words = plainWords.safeParse(json);
  if (!words.success && own.onlyKnownForms === true) return "";
  // JSON is rewritten, because a secret can be escaped in several ways.
  const whole = words.success ? words.data : json === undefined ? body.text : JSON.stringify(json, maskSecrets);
  return excerpt(clean(whole));
}

/** The beginning of a long text. */
function excerpt(text: string, most = longestExcerpt): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function maskSecrets(key: string, value: unknown): unknown {
  return /secret|token|password|api_?key|connection_config/i.test(key) && value !== null ? "[secret]" : value;
}

/** As many messages as are searched for values to hide. */
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
