/**
 * Parses a URL; undefined if the text is not one. Not `URL.canParse`: in Node 20 it refuses every text with a letter such
 * as ü after many calls.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a URL in which every parser finds the same host. Parsers disagree about backslashes (`\@` can change the host),
 * white space, control characters, and missing or extra slashes. The URL is checked here but sent as written, so that other
 * parsers read it.
 */
export function parsePlainUrl(text: string): URL | undefined {
  return plainUrl.test(text) ? parseUrl(text) : undefined;
}

const plainUrl = /^[a-z][a-z\d+.-]*:\/\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$/iu;

/** For messages about a URL that is not plain. */
export const plainUrlHint = "without white space and backslashes";

/** Escapes that are not valid stay as they are. */
export function unescaped(part: string): string {
  return part.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
