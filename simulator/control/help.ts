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

/** The examples of a route as JSON bodies or queries. */
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
