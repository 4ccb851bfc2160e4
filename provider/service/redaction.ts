import { parseUrl } from "./urls";

/** Values shorter than this hide only as whole words, so that the rest of the sentence stays readable. */
const shortValue = 4;

/** Replaces every secret, however JSON or a URL spells it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return hiding(secrets).clean(text);
}

/** Replaces the texts and numbers anywhere in a body that was sent. */
export function withoutValues(text: string, sent: unknown): string {
  return hiding([], sent).clean(text);
}

/** What is not to be shown, made ready for many texts. */
interface Hiding {
  readonly clean: (text: string) => string;
  /** As much of the beginning of a text as `most` allows in which nothing hidden is cut in two: half is not recognised. */
  readonly beginning: (text: string, most: number) => string;
}

/** Hides secrets, and the texts and numbers anywhere in a body that was sent. Longest first: one may be a part of another. */
export function hiding(secrets: readonly string[], sent?: unknown): Hiding {
  const secretForms = spellings(secrets);
  const valueForms = spellings(valuesIn(sent));
  const long = valueForms.filter((value) => value.length >= shortValue);
  const short = valueForms.filter((value) => value.length < shortValue);
  const clean = (text: string): string => {
    let cleaned = text;
    for (const secret of secretForms) cleaned = cleaned.replaceAll(secret, "[secret]");
    for (const value of long) cleaned = cleaned.replaceAll(value, "[value]");
    // One pattern for all that may be there: a search for each would cost a second for a thousand numbers.
    const present = short.filter((value) => cleaned.includes(value));
    return present.length === 0 ? cleaned : cleaned.replace(asWords(present), "[value]");
  };
  const hidden = [...secretForms, ...valueForms];
  return { clean, beginning: (text, most) => text.slice(0, endWithout(hidden, text, most)) };
}

function asWords(values: readonly string[]): RegExp {
  const literals = values.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${literals.join("|")})(?![\\p{L}\\p{N}])`, "gu");
}

/** A text that repeats one hidden value over and over could be moved through by one character at a time. */
const mostMoves = 100;

/** The last place, from `most` on backwards, that is in the midst of nothing hidden. */
function endWithout(hidden: readonly string[], text: string, most: number): number {
  if (text.length <= most) return text.length;
  let end = most;
  for (let move = 0; move < mostMoves; move++) {
    const before = end;
    for (const form of hidden) {
      const first = Math.max(0, end - form.length + 1);
      const at = text.slice(first, end + form.length - 1).indexOf(form);
      if (at >= 0) end = first + at;
    }
    if (end === before) return end;
  }
  return 0;
}

function spellings(texts: readonly string[]): string[] {
  const all = texts
    .flatMap((text) => [text, parseUrl(text)?.href ?? text])
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), ...inUrls(text)]);
  return [...new Set(all)].filter((text) => text !== "").sort((one, other) => other.length - one.length);
}

/** As a part of a URL, and as a form writes it. */
function inUrls(text: string): string[] {
  const wellFormed = text.toWellFormed();
  return [encodeURIComponent(wellFormed), new URLSearchParams({ "": wellFormed }).toString().slice(1)];
}

function valuesIn(body: unknown): string[] {
  if (typeof body === "number") return [String(body)];
  if (typeof body === "string") return [oneLine(body)];
  return typeof body === "object" && body !== null ? Object.values(body).flatMap(valuesIn) : [];
}

/** Also without control characters, those of writing direction included: what a service says must not steer a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}
