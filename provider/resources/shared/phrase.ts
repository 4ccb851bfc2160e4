import { Hidden } from "./hidden-values";

/* Sentences with values in them: what comes from a plan is never taken for Markdown, HTML or a mention. */

/** A value as it came from the plan, or why it is not shown. */
export type Shown = string | Hidden;

/** Plain words and values by turns. */
export interface Phrase {
  readonly words: readonly string[];
  readonly values: readonly (Shown | Phrase)[];
}

/** phrase`campaign ${id} of app ${app}` */
export function phrase(words: TemplateStringsArray, ...values: (Shown | Phrase)[]): Phrase {
  return { words: [...words], values };
}

/** Words of this package alone. */
export function words(text: string): Phrase {
  return { words: [text], values: [] };
}

/** A value of any type as one to show. */
export function shown(value: unknown): Shown {
  if (value instanceof Hidden) return value;
  if (value === undefined || value === null) return new Hidden("not known yet");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Values in a row: `a, b and 3 more`. */
export function listed(values: readonly Shown[], most = 10): Phrase {
  const first = values.slice(0, most);
  const more = values.length - first.length;
  const ends = more > 0 ? ` and ${String(more)} more` : "";
  return { words: ["", ...first.slice(1).map(() => ", "), ends], values: first };
}

export function inPlainText(phrase: Phrase): string {
  return rendered(phrase, (value) => `"${value}"`);
}

export function inMarkdown(phrase: Phrase): string {
  return rendered(phrase, codeSpan);
}

function rendered({ words, values }: Phrase, render: (value: string) => string): string {
  return words
    .map((text, index) => {
      const value = values[index];
      if (value === undefined) return text;
      if (value instanceof Hidden) return `${text}(${value.why})`;
      return text + (typeof value === "string" ? render(oneLine(value)) : rendered(value, render));
    })
    .join("");
}

const longestValue = 100;

/** Short, on one line, without characters that are not seen or turn the direction of the text. */
function oneLine(value: string): string {
  const visible = value.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "·");
  return visible.length > longestValue ? `${visible.slice(0, longestValue - 1).toWellFormed()}…` : visible;
}

/**
 * In a code span nothing else is interpreted, nobody is mentioned and nothing is linked. Only a longer run of backticks
 * would end it, and a bar would end a cell of a table, however it is escaped.
 */
function codeSpan(value: string): string {
  const text = value.replaceAll("|", "¦");
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  // The space inside is taken off again by the reader; an empty span would be no span.
  const padded = /^[`\s]|[`\s]$|^$/.test(text) ? ` ${text} ` : text;
  return padded.trim() === "" ? "(empty)" : `${fence}${padded}${fence}`;
}
