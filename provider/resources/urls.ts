/** Whether two URLs are the same in meaning: `https://example.com` and `https://example.com/`. */
export function sameUrl(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href);
}

/** Why a text is no absolute http(s) URL; undefined when it is one. */
export function webUrlProblem(text: string): string | undefined {
  const isWeb = URL.canParse(text) && /^https?:\/\//i.test(text.trim());
  return isWeb ? undefined : "must be an absolute URL that begins with https:// or http://";
}
