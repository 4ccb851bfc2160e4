import { parseUrl, unescaped } from "./urls";

/** Shorter values are replaced only as whole words, so that the rest of the sentence stays readable. */
const shortValue = 4;

/** Replaces every secret, also where JSON or a URL escapes it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return hiding(secrets).clean(text);
}

/** Replaces every text and number of a submitted body. */
export function withoutValues(text: string, sent: unknown): string {
  return hiding([], sent).clean(text);
}

/** Hides the same values in many texts. */
interface Hiding {
  readonly clean: (text: string) => string;
  /** The beginning of a text, at most `most` characters, that does not end inside a hidden value: half is not recognized. */
  readonly beginning: (text: string, most: number) => string;
}

/** Hides secrets, and every text and number of a submitted body. The longest first: one may contain another. */
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
    // One pattern for all of them: a search for each of a thousand numbers would take a second.
    const present = short.filter((form) => cleaned.includes(form));
    return present.length === 0 ? cleaned : cleaned.replace(asWords(present), "[value]");
  };
  return { clean, beginning: (text, most) => text.slice(0, endWithout(hidden, text, most)) };
}

/** Whether a body holds so many values that the search for them would block the process. */
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

/** A text that repeats one hidden value again and again could move the end by one character at a time. */
const mostMoves = 100;

/** The last position up to `most` that is not inside a hidden value. */
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

/** The text as it is, and as JSON, Python's JSON, a URL or a form writes it, on one line; of a URL also its parts. */
function spellings(text: string): string[] {
  const href = parseUrl(text)?.href ?? text;
  const all = [text, oneLine(text), href, ...partsOfUrl(text), ...partsOfUrl(href)]
    .flatMap((one) => [one, ...inJson(one), ...inUrls(one)])
    .map(oneLine);
  // The text itself too: a message may hold it with its line breaks.
  return [...new Set([text.trim(), ...all])].filter((form) => form !== "");
}

/** A shorter query value is not a key. */
const shortestKey = 8;
/** A shorter segment of a path may be a word of the message. */
const shortestSegment = 20;

/** The parts of a web address that may hold a key, with and without their escapes: all but the host. */
function partsOfUrl(text: string): string[] {
  const [, path = "", query = "", fragment = ""] = /^https?:\/\/[^/?#]*([^?#]*)\??([^#]*)#?(.*)$/is.exec(text) ?? [];
  const values = query.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  const parts = [
    ...[path, path.replace(/\/+$/, "")].filter(({ length }) => length > 1),
    ...[...values, path.slice(1), fragment].filter(({ length }) => length >= shortestKey),
    ...path.split("/").filter(({ length }) => length >= shortestSegment),
  ];
  return parts.flatMap((part) => [part, unescaped(part)]);
}

/** With and without escapes for letters beyond ASCII, and for slashes. */
function inJson(text: string): string[] {
  const usual = JSON.stringify(text).slice(1, -1);
  const inAscii = usual.replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [usual, inAscii].flatMap((form) => [form, form.replaceAll("/", "\\/")]);
}

/** As part of a URL, and as a form writes it, with the escapes in upper and lower case. */
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

/** Removes control characters and direction marks, so that no text can control the terminal. Keeps line breaks. */
export function withoutControlCharacters(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ").trimEnd())
    .join("\n");
}

/** The same, on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}
