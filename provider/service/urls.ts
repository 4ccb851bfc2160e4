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
