import { parseUrl } from "../../provider/service/urls";

/**
 * Whether a URL may hold a key. A guess: everything but the host and plain words in the path counts as one, and so does a
 * host that does not look like words.
 */
export function mayHoldKey(url: string): boolean {
  const { username, password, search, hash, pathname } = parseUrl(url) ?? {};
  const isBare = [username, password, search, hash].every((part) => part === "");
  return !isBare || hostOf(url) === undefined || !pathname?.split("/").every(isPlain);
}

/** A word, several with hyphens, a version or a short number. */
function isPlain(part: string): boolean {
  return /^(?:v?\d{1,4}|[a-z]{1,15}(?:[-_.][a-z]{1,15})*)?$/i.test(part) && !/[a-z][A-Z].*[a-z][A-Z]/.test(part);
}

/** The host, unless a part of it may be a key. */
export function hostOf(url: string): string | undefined {
  const host = parseUrl(url)?.hostname;
  const mayBeKey = (label: string): boolean => label.length >= 20 || (label.length >= 8 && /\d/.test(label));
  return host === undefined || host.split(".").some(mayBeKey) ? undefined : host;
}
