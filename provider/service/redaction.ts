import { parseUrl } from "./urls";

/** Values shorter than this hide only as whole words, so that the rest of the sentence stays readable. */
const shortValue = 4;

/** Replaces every secret, however JSON or a URL spells it. Longest first: one may be a part of another. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return spellings(secrets).reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
}

/** Replaces the texts and numbers anywhere in a body that was sent. */
export function withoutValues(text: string, sent: unknown): string {
  return spellings(valuesIn(sent)).reduce((clean, value) => {
    if (value.length >= shortValue) return clean.replaceAll(value, "[value]");
    const literal = value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return clean.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "gu"), "[value]");
  }, text);
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
