import ts from "typescript";
import { markdownTexts } from "./markdown";
import type { Text } from "./text";

/** The words that people read in a file of TypeScript or JavaScript. */
export interface Source {
  readonly comments: readonly Text[];
  readonly strings: readonly Text[];
  /** The titles of `describe` and `it`. */
  readonly titles: readonly Text[];
  readonly names: readonly Text[];
}

/** A comment `words-ok: reason` excepts what begins in its lines or in the line after it. */
export function sourceOf(file: string, code: string): Source {
  const parsed = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const comments = commentsIn(parsed);
  const excepted = new Set(
    comments.filter(({ text }) => text.includes("words-ok:")).flatMap(({ line, lines }) => [line, line + lines]),
  );
  const checked = <T extends Text>(texts: readonly T[]): T[] => texts.filter(({ line }) => !excepted.has(line));
  const strings = checked(stringsIn(parsed));
  return {
    comments: checked(comments.flatMap(({ line, text }) => markdownTexts(withoutMarks(text), line))),
    strings: strings.filter(({ isTitle }) => !isTitle),
    titles: strings.filter(({ isTitle }) => isTitle),
    names: checked(namesIn(parsed)),
  };
}

interface Comment extends Text {
  readonly lines: number;
}

/** Comments of adjacent lines are one. */
function commentsIn(file: ts.SourceFile): Comment[] {
  const ranges = new Map<number, ts.CommentRange>();
  // To list the tokens of a node takes time, so only nodes that may contain a comment are opened.
  const visit = (node: ts.Node, starts: readonly number[]): void => {
    const inside = starts.filter((start) => start >= node.pos && start < node.end);
    if (inside.length === 0 || ts.isJSDoc(node)) return;
    if (ts.isToken(node))
      for (const rangesAt of [ts.getTrailingCommentRanges, ts.getLeadingCommentRanges])
        for (const range of rangesAt(file.text, node.pos) ?? []) ranges.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child, inside);
  };
  visit(
    file,
    [...file.text.matchAll(/\/[/*]/g)].map(({ index }) => index),
  );
  const comments: Comment[] = [];
  for (const { pos, end } of ranges.values()) {
    const text = file.text.slice(pos, end);
    const [line, lines] = [lineAt(file, pos), text.split("\n").length];
    const last = comments.at(-1);
    if (last?.text.startsWith("//") && text.startsWith("//") && last.line + last.lines === line)
      comments.splice(-1, 1, { line: last.line, lines: last.lines + 1, text: `${last.text}\n${text}` });
    else comments.push({ line, lines, text });
  }
  return comments;
}

/** The words of a comment, as Markdown. Each tag begins a paragraph. */
function withoutMarks(comment: string): string {
  if (/^\/[/*]+\s*(eslint|@ts|prettier|<reference)/.test(comment)) return "";
  return comment
    .replace(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, "")
    .replace(/\{@link [^}]*\}/g, "`link`")
    .replace(/^\s*@(\w+)/gm, "\n");
}

interface Words extends Text {
  readonly isTitle: boolean;
}

/** Strings and templates, each line by itself. Parts joined by + are one string. */
function stringsIn(file: ts.SourceFile): Words[] {
  const found: Words[] = [];
  const visit = (node: ts.Node): void => {
    if (!isString(node)) {
      ts.forEachChild(node, visit);
      return;
    }
    const [line, isTitle] = [lineAt(file, node.getStart(file)), isTitleOfTest(node)];
    for (const text of textOf(node).split("\n")) found.push({ line, text: text.trim(), isTitle });
    holesOf(node).forEach(visit);
  };
  visit(file);
  return found;
}

function isString(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isString(node.left) || isString(node.right));
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** A placeholder is one word. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `Value${literal.text}`).join("");
  return ts.isBinaryExpression(node) && isString(node) ? textOf(node.left) + textOf(node.right) : "Value";
}

/** The expressions in a string, which may have strings in them. */
function holesOf(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (ts.isBinaryExpression(node))
    return [node.left, node.right].flatMap((side) => (isString(side) ? holesOf(side) : [side]));
  return [];
}

function isTitleOfTest({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && ["describe", "it"].includes(parent.expression.getText());
}

function namesIn(file: ts.SourceFile): Text[] {
  const names = new Map<string, Text>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !names.has(node.text))
      names.set(node.text, { line: lineAt(file, node.getStart(file)), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...names.values()];
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
