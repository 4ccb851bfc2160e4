import { oneLine } from "../../provider/service/redaction";
import { wrapText } from "../wrap-text";

/* TypeScript source as Prettier writes it with its defaults. A test compares the two. */

/** A call that stands for a value, such as `apps.micros(5)`. */
export class Call {
  constructor(
    readonly callee: string,
    readonly argument: string | number,
  ) {}
}

export type Value = null | boolean | number | string | Call | readonly Value[] | Values;

export interface Values {
  readonly [name: string]: Value;
}

const width = 80;
const step = "  ";

/** `new apps.Webhook("orders", { … });` */
export function statement(callee: string, name: string, properties: Values): string {
  const short = `new ${callee}(${quoted(name)}, ${objectOf(properties, "")});`;
  const [first = ""] = short.split("\n", 1);
  return columns(first) <= width
    ? short
    : `new ${callee}(\n${step}${quoted(name)},\n${step}${objectOf(properties, step)},\n);`;
}

/** Comment lines that end at the width where words allow it. Nothing in the text can end the comment, or act as a compiler directive. */
export function comment(text: string): string[] {
  const plain = oneLine(text.replace(/\p{Cf}|\p{Zl}|\p{Zp}/gu, " ")).replace(/@(?=ts-)/g, "@ ");
  return wrapText(plain, width - 3).map((line) => `// ${line}`);
}

/** Control characters, and those that nobody has assigned: their width is anybody's guess. */
export const unreadable = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Cn}\p{Co}]/gu;

/** In double quotes, or in single quotes if that needs fewer escapes. */
function quoted(text: string): string {
  const json = JSON.stringify(text).replace(unreadable, escaped);
  const isSingle = text.split('"').length > text.split("'").length;
  return isSingle ? `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'` : json;
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Always on several lines: the formatter keeps an object whose first name has a line of its own. */
function objectOf(properties: Values, indent: string): string {
  const inner = indent + step;
  const lines = Object.entries(properties).map(([name, value]) => `${inner}${property(name, value, inner)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** A value whose first line does not fit goes to a line of its own. */
function property(name: string, value: Value, indent: string): string {
  const start = `${keyOf(name)}: `;
  const printed = printedValue(value, indent, columns(indent + start) + 1);
  const first = printed.includes("\n") ? printed.slice(0, printed.indexOf("\n")) : `${printed},`;
  // Below a short key there is little room to win, and plain numbers stay where they are.
  const isPlain = typeof value === "boolean" || (typeof value === "number" && !numberOf(value).startsWith("-"));
  const mayMove = columns(start) > step.length + 4 && !isPlain;
  if (!mayMove || columns(indent + start + first) <= width) return start + printed;
  const inner = indent + step;
  return `${keyOf(name)}:\n${inner}${printedValue(value, inner, inner.length + 1)}`;
}

/** `used`: the columns that are taken on the line, with what follows the value. */
function printedValue(value: Value, indent: string, used: number): string {
  if (value instanceof Call) return callOf(value, indent, used);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return arrayOf(value as readonly Value[], indent, used);
  if (typeof value === "object" && value !== null) return objectOf(value as Values, indent);
  return typeof value === "number" ? numberOf(value) : String(value);
}

function callOf({ callee, argument }: Call, indent: string, used: number): string {
  const printed = printedValue(argument, indent, 0);
  const line = `${callee}(${printed})`;
  return used + columns(line) <= width ? line : `${callee}(\n${indent}${step}${printed},\n${indent})`;
}

function numberOf(value: number): string {
  // 1e+21 is written without its sign.
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
}

function arrayOf(items: readonly Value[], indent: string, used: number): string {
  if (items.length === 0) return "[]";
  const flat = items.map((item) => printedValue(item, indent, 0));
  const line = `[${flat.join(", ")}]`;
  if (!mustBreak(items) && !line.includes("\n") && used + columns(line) <= width) return line;
  const inner = indent + step;
  const own = items.map((item) => printedValue(item, inner, inner.length + 1));
  return items.length > 1 && items.every((item) => typeof item === "number")
    ? `[\n${filled(own, inner)}\n${indent}]`
    : `[\n${own.map((item) => `${inner}${item},\n`).join("")}${indent}]`;
}

/** Several objects, or several lists, with more than one value each are never on one line. */
function mustBreak(items: readonly Value[]): boolean {
  const sizes = items.map((item) =>
    typeof item === "object" && item !== null && !(item instanceof Call) ? Object.keys(item).length : 0,
  );
  const isOfOneKind = new Set(items.map((item) => Array.isArray(item))).size === 1;
  return items.length > 1 && isOfOneKind && sizes.every((size) => size > 1);
}

/** As many numbers on a line as it holds. */
function filled(numbers: readonly string[], indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const number of numbers) {
    const item = `${number},`;
    if (line !== "" && columns(`${line} ${item}`) > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? indent + item : ` ${item}`;
  }
  return [...lines, line].join("\n");
}

/** Characters beyond the first 65,536 need quotes, although they may be letters. */
function keyOf(name: string): string {
  const isName = /^[$_\p{L}\p{Nl}][$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(name);
  return isName && Array.from(name).length === name.length ? name : quoted(name);
}

/** A flag, a key cap or a face with its skin tone is one, of several characters. */
const emoji = new RegExp("\\p{RGI_Emoji}", "gv");

/** Chinese, Japanese and Korean characters, and emoji that need no selector. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Modifier_Base}]/gu;

/** How wide the formatter takes a text to be: some characters take two columns, accents and selectors none. */
export function columns(text: string): number {
  const single = text.replace(emoji, "xx").replace(/[\u0300-\u036f\ufe00-\ufe0f]/g, "");
  return Array.from(single).length + (single.match(wide)?.length ?? 0);
}
