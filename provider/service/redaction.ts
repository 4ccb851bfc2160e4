import { unescaped } from "./urls";

/** Stands for a whole text that may repeat a hidden value. */
export const hiddenText = "(message hidden: it may repeat submitted data)";

/** A search for more values would block the process: then every text counts as repeating one. */
const maxValues = 500;

/** Shorter values count only as whole words: the text "1 of 10" does not repeat a 0. */
const minSubstring = 4;

/**
 * Returns a function that hides a whole text if it may repeat one of these values. Any text or number in them counts,
 * and any part of a URL that may hold a key. The service may have escaped them for JSON, a URL or a form.
 */
export function hiding(values: unknown): (text: string) => string {
  const hidden: Form[] = [];
  for (const value of valuesIn(values)) {
    hidden.push(...[value, ...partsOfUrl(value)].map(formOf).filter(({ compact }) => compact !== ""));
    if (hidden.length > maxValues) return (text) => (text === "" ? "" : hiddenText);
  }
  return (text) => {
    const forms = [...readings(text)].map(formOf);
    return hidden.some((value) => forms.some((form) => repeats(form, value))) ? hiddenText : text;
  };
}

/** A text for comparison. */
interface Form {
  /** Without white space, control characters and plus signs, which a form writes for spaces. */
  readonly compact: string;
  /** Letters and digits only, with one space around each word. */
  readonly words: string;
}

function formOf(text: string): Form {
  return {
    compact: text.replace(/[\s+\p{Cc}\p{Cf}]+/gu, ""),
    words: ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `,
  };
}

function repeats(text: Form, value: Form): boolean {
  const isWord = value.compact.length < minSubstring && value.words.trim() !== "";
  return isWord ? text.words.includes(value.words) : text.compact.includes(value.compact);
}

/** A text may be JSON in a URL, or JSON in JSON. */
const maxLayers = 3;

/** The text itself, and without its layers of JSON and URL escapes. */
function readings(text: string): Set<string> {
  const all = new Set([text]);
  for (let layer = 0; layer < maxLayers; layer++)
    for (const one of [...all]) for (const inner of [fromJson(one), fromUrl(one)]) all.add(inner);
  return all;
}

function fromJson(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, character = "") =>
    code === undefined ? String(character).replace(/[bfnrt]/, " ") : String.fromCharCode(parseInt(code, 16)),
  );
}

function fromUrl(text: string): string {
  return unescaped(text.replaceAll("+", " "));
}

/** A shorter path is not a key. */
const minPath = 3;
/** A shorter query value is not a key. */
const minKey = 8;
/** A shorter segment of a path may be a word of the message. */
const minSegment = 20;

/** The parts of a web address that may hold a key, with and without their escapes: all but the host. */
function partsOfUrl(text: string): string[] {
  const [, path = "", query = "", fragment = ""] =
    /^https?:\/\/[^/?#]*\/*([^?#]*?)\/*(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ?? [];
  const values = query.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [
    ...(path.length >= minPath ? [`/${path}`] : []),
    ...[path, ...values, fragment].filter(({ length }) => length >= minKey),
    ...path.split("/").filter(({ length }) => length >= minSegment),
  ].flatMap((part) => [part, unescaped(part)]);
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
