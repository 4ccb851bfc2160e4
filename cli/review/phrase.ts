import { Hidden } from "./hidden-values";

/* Sentences with values in them. A value from a plan is never interpreted as Markdown, HTML or a mention. */

/** A value from the plan, or why it is not shown. */
export type Shown = string | Hidden;

/** Words and values, alternating. */
export interface Phrase {
  readonly words: readonly string[];
  readonly values: readonly (Shown | Phrase)[];
}

/** phrase`campaign ${id} of app ${app}` */
export function phrase(words: TemplateStringsArray, ...values: (Shown | Phrase)[]): Phrase {
  return { words: [...words], values };
}

/** A text of this package, without values. */
export function words(text: string): Phrase {
  return { words: [text], values: [] };
}

/** Any value, as text to show. */
export function shown(value: unknown): Shown {
  if (value instanceof Hidden) return value;
  if (value === undefined || value === null) return new Hidden("not known yet");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A list: `a, b and 3 more`. */
export function listed(values: readonly Shown[], most = 10): Phrase {
  const first = values.slice(0, most);
  const more = values.length - first.length;
  const end = more > 0 ? ` and ${String(more)} more` : "";
  return { words: ["", ...first.slice(1).map(() => ", "), end], values: first };
}

export function toPlainText(phrase: Phrase): string {
  return render(phrase, (value) => `"${value}"`);
}

export function toMarkdown(phrase: Phrase): string {
  return render(phrase, codeSpan);
}

function render({ words, values }: Phrase, quote: (value: string) => string): string {
  return words
    .map((text, index) => {
      const value = values[index];
      if (value === undefined) return text;
      if (value instanceof Hidden) return `${text}(${value.why})`;
      return text + (typeof value === "string" ? quote(oneLine(value)) : render(value, quote));
    })
    .join("");
}

const maxValueLength = 100;

/** Short, on one line, without characters that are invisible or change the text direction. */
function oneLine(value: string): string {
  const visible = value.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "·");
  return visible.length > maxValueLength ? `${visible.slice(0, maxValueLength - 1).toWellFormed()}…` : visible;
}

/**
 * Nothing in a code span is interpreted, mentioned or linked. Two characters could still break it. The fence is longer
 * than any run of backticks. A bar is replaced, because it ends a table cell even if it is escaped.
 */
function codeSpan(value: string): string {
  const text = value.replaceAll("|", "¦");
  const maxRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(maxRun + 1);
  // Markdown removes the padding again. An empty span would not be a span.
  const padded = /^[`\s]|[`\s]$|^$/.test(text) ? ` ${text} ` : text;
  return padded.trim() === "" ? "(empty)" : `${fence}${padded}${fence}`;
}
