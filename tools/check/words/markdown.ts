import MarkdownIt, { type Token } from "markdown-it";
import type { Text } from "./text";

const parser = new MarkdownIt({ html: true });

/** The paragraphs, headings, list items and table cells of Markdown, without its code and comments. */
export function markdownTexts(markdown: string, firstLine = 1): Text[] {
  const texts: Text[] = [];
  let line = 0;
  let isExcepted = false;
  for (const { type, map, content, children } of parser.parse(markdown, {})) {
    line = map?.[0] ?? line;
    if (type === "html_block") isExcepted = content.includes("words-ok:");
    if (type !== "inline") continue;
    if (!isExcepted)
      for (const text of plain(children ?? []).split("\n")) texts.push({ line: firstLine + line, text: text.trim() });
    isExcepted = false;
  }
  return texts;
}

/** A code span or a picture is one word. A line break in the source is a space, and `<br>` is a new text. */
function plain(tokens: readonly Token[]): string {
  return tokens.map(plainToken).join("");
}

function plainToken({ type, content }: Token): string {
  switch (type) {
    case "text":
      return content;
    case "code_inline":
    case "image":
      return "Code";
    case "softbreak":
      return " ";
    case "hardbreak":
      return "\n";
    case "html_inline":
      return content.startsWith("<br") ? "\n" : "";
    default:
      return "";
  }
}
