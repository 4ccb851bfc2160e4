import { parsePlainUrl, parseUrl, plainly } from "../service/urls";

/** Whether two URLs are the same in meaning: `https://example.com` and `https://example.com/`. */
export function sameUrl(one: string, other: string): boolean {
  const href = parseUrl(one)?.href;
  return one === other || (href !== undefined && href === parseUrl(other)?.href);
}

/** Why a text is no absolute http(s) URL; undefined when it is one. */
export function webUrlProblem(text: string): string | undefined {
  const protocol = parsePlainUrl(text)?.protocol;
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb ? undefined : `must be an absolute URL that begins with https:// or http://, ${plainly}`;
}
