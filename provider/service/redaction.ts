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

/**
 * Hides secrets, and the texts and numbers anywhere in a body that was sent, in texts of one line. Longest first: one may
 * be a part of another.
 */
export function hiding(secrets: readonly string[], sent?: unknown): Hiding {
  const forms = new Map<string, "[secret]" | "[value]">();
  for (const value of valuesIn(sent)) for (const form of spellings(value)) forms.set(form, "[value]");
  for (const secret of secrets) for (const form of spellings(secret)) forms.set(form, "[secret]");
  const hidden = [...forms.keys()].sort((one, other) => other.length - one.length);
  const isShort = (form: string): boolean => form.length < shortValue && forms.get(form) === "[value]";
  const [short, long] = [hidden.filter(isShort), hidden.filter((form) => !isShort(form))];
  const clean = (text: string): string => {
    let cleaned = text;
    for (const form of long) cleaned = cleaned.replaceAll(form, forms.get(form) ?? "");
    // One pattern for all that may be there: a search for each would cost a second for a thousand numbers.
    const present = short.filter((form) => cleaned.includes(form));
    return present.length === 0 ? cleaned : cleaned.replace(asWords(present), "[value]");
  };
  return { clean, beginning: (text, most) => text.slice(0, endWithout(hidden, text, most)) };
}

/** Whether a body holds so much that to look for all of it would hold up the process. */
export function isMuch(sent: unknown): boolean {
  let [values, characters] = [0, 0];
  for (const value of valuesIn(sent)) {
    characters += value.length;
    if (++values > mostValues || characters > mostCharacters) return true;
  }
  return false;
}

const [mostValues, mostCharacters] = [200, 64 * 1024];

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

/** However JSON, Python's JSON, a URL or a form may write it, and in one line. */
function spellings(text: string): string[] {
  const all = [text, oneLine(text), parseUrl(text)?.href ?? text]
    .flatMap((one) => [one, ...inJson(one), ...inUrls(one)])
    .map(oneLine);
  return [...new Set(all)].filter((form) => form !== "");
}

/** With letters beyond ASCII escaped or not, and slashes too. */
function inJson(text: string): string[] {
  const usual = JSON.stringify(text).slice(1, -1);
  const inAscii = usual.replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [usual, inAscii].flatMap((form) => [form, form.replaceAll("/", "\\/")]);
}

/** As a part of a URL, and as a form writes it, in upper and lower case. */
function inUrls(text: string): string[] {
  const wellFormed = text.toWellFormed();
  return [encodeURIComponent(wellFormed), new URLSearchParams({ "": wellFormed }).toString().slice(1)].flatMap(
    (form) => [form, form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())],
  );
}

function* valuesIn(body: unknown): Generator<string> {
  if (typeof body === "number") yield String(body);
  else if (typeof body === "string") yield body;
  else if (typeof body === "object" && body !== null) for (const inner of Object.values(body)) yield* valuesIn(inner);
}

/** Without control characters and marks of writing direction: what a service says must not steer a terminal. */
export function withoutControlCharacters(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ").trimEnd())
    .join("\n");
}

/** The same on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}
