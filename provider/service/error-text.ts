import { z } from "zod";
import type { Body } from "./json";
import { hiddenText, hiding, oneLine } from "./redaction";
import { rowsOf } from "./rows";

/** The codes that the specification names. It does not show where in a body they are. */
const knownCodes = [
  "read_only_credential_route_not_allowed",
  "folder_not_found",
  "payment_provider_unavailable",
] as const;

export type KnownCode = (typeof knownCodes)[number];

export function serviceCodeIn(body: string): KnownCode | undefined {
  return knownCodes.find((code) => body.includes(code));
}

const validationError = z.object({ loc: rowsOf(z.union([z.string(), z.number()])), msg: z.string() });
const validationErrors = z.object({ detail: rowsOf(validationError) });
const plainWords = z.union([
  z.object({ detail: z.string() }).transform((body) => body.detail),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ detail: z.object({ message: z.string() }) }).transform((body) => body.detail.message),
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
]);

/** Enough to recognize an unknown body. */
const maxExcerpt = 300;
/** A 422 may name many fields. */
const [maxValidation, maxFields] = [2_000, 100];

/** A field of an unknown body whose value may be a secret that only the service knows. */
const secretField = /"[^"]*(?:secret|token|password|api_?key|connection_config)[^"]*"\s*:/i;

/**
 * The service's own message from the body of an error. For a 422 this is a list of `field: message`, else one of the usual
 * message fields, else the beginning of the text. A message that may repeat one of the `hidden` values is hidden as a
 * whole. `onlyKnownForms`: a body of another form may hold more of the user's data, and is not shown.
 */
export function wordsOf(body: Body, hidden: unknown = [], onlyKnownForms = false): string {
  const hide = hiding(hidden);
  const json = "problem" in body ? undefined : body.json;
  const validation = validationErrors.safeParse(json);
  if (validation.success) {
    const fields = validation.data.detail.slice(0, maxFields).flatMap(({ loc, msg }) => {
      const field = loc[0] === "body" ? loc.slice(1) : loc;
      const parts = [field.join("."), msg].map(oneLine).filter((part) => part !== "");
      return parts.length === 0 ? [] : [parts.map(hide).join(": ")];
    });
    return excerpt(fields.join("; "), maxValidation);
  }
  const words = plainWords.safeParse(json);
  if (words.success) return excerpt(hide(oneLine(words.data)));
  if (onlyKnownForms) return "";
  return secretField.test(body.text) ? hiddenText : excerpt(hide(oneLine(body.text)));
}

/** The beginning of a long text. */
function excerpt(text: string, max = maxExcerpt): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
