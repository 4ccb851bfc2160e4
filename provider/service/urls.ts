/**
 * The URL of a text, or undefined where it is none. Not `URL.canParse`, which in Node 20 comes to refuse every text with
 * a letter such as ü once it has been called often.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * A URL in which every parser finds the same host. They differ on backslashes (an `\@` makes two hosts of one text), on
 * white space and control characters, and on slashes that are missing or too many; and what is judged here is sent as it
 * was written, to be read by the parsers of others.
 */
export function parsePlainUrl(text: string): URL | undefined {
  return plainUrl.test(text) ? parseUrl(text) : undefined;
}

const plainUrl = /^[a-z][a-z\d+.-]*:\/\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$/iu;

/** For messages about a URL that is not plain. */
export const plainUrlHint = "without white space and backslashes";
