import { parseUrl } from "../../provider/service/urls";

/** Whether a URL may hold a key. A guess: everything but a plain host and plain words in the path counts as one. */
export function mayHoldKey(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === undefined) return true;
  const { username, password, search, hash, pathname } = parsed;
  const isBare = username + password + search + hash === "";
  return !isBare || printableHost(url) === undefined || !pathname.split("/").every(isPlain);
}

/** Nothing, a version, a short number, or up to three words. */
function isPlain(part: string): boolean {
  const words = part.split(/[-_.]/);
  return /^(?:v?\d{1,4})?$/i.test(part) || (words.length <= 3 && words.every(isWord));
}

/** Up to 12 letters that can be spoken, with at most one capital inside. */
function isWord(text: string): boolean {
  const isSpoken = text.length <= 4 || (/[aeiouy]/i.test(text) && !/[^aeiouy]{5}/i.test(text));
  return /^[a-z]{1,12}$/i.test(text) && isSpoken && !/[a-z][A-Z].*[a-z][A-Z]/.test(text);
}

/** The host, unless a part of it is so long, or has such a number, that it may be a key. */
export function printableHost(url: string): string | undefined {
  const host = parseUrl(url)?.hostname;
  const mayBeKey = (label: string): boolean => label.length >= 20 || (label.length >= 8 && /\d/.test(label));
  return host === undefined || host.split(".").some(mayBeKey) ? undefined : host;
}

/** The URLs in a text that people wrote. */
export function urlsIn(text: string): string[] {
  return text.match(/https?:\/\/\S+/gi) ?? [];
}
