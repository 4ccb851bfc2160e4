import { type ControlRoute, hasBody } from "./route";
import { controlRoutes } from "./routes";

/** The control routes for the help: each endpoint with its description and examples below it. */
export function controlRoutesHelp(): string {
  const blocks = controlRoutes.map((route) => {
    const description = route.description.match(/.{1,110}(?= |$)/g) ?? [];
    const lines = [...description, ...examplesOf(route)].map((line) => `      ${line.trim()}`);
    return [`  ${route.endpoint}`, ...lines].join("\n");
  });
  return blocks.join("\n");
}

/** The control routes as a Markdown table, for `docs/simulator.md`. */
export function controlRoutesMarkdown(): string {
  return table([
    ["Request", "Example body or query", "Effect"],
    ...controlRoutes.map((route) => [
      code(route.endpoint),
      examplesOf(route).map(code).join("<br>"),
      route.description.replaceAll("|", "\\|"),
    ]),
  ]);
}

function examplesOf({ endpoint, examples = [] }: ControlRoute): string[] {
  return examples.map((example) => (hasBody(endpoint) ? spaced(example) : queryOf(example)));
}

/** JSON on one line, with spaces as people write it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n */g, " ")
    .replace(/([[{]) /g, "$1")
    .replace(/ ([\]}])/g, "$1");
}

function queryOf(example: unknown): string {
  return `?${new URLSearchParams(example as Record<string, string>).toString()}`;
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** Aligned as prettier does it. */
function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(lineOf).join("\n");
}
