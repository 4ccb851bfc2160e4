/* Every SVG that is written by hand needs these. */

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A length with one decimal, which is as exact as a screen. */
export function round(length: number): number {
  return Math.round(length * 10) / 10;
}
