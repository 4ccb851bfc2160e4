/** One paragraph, title or message. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A URL is one word, and "e.g." ends no sentence. */
export function sentencesIn(text: string): string[] {
  const plain = text.replace(/\bhttps?:\/\/[^\s)"]*[^\s)".,;:]/g, "URL").replace(/\b(e\.g|i\.e|etc|vs)\./g, "$1");
  return [...segmenter.segment(plain)].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== "");
}
