import ts from "typescript";
import { tokenOf } from "./spec";

/* The examples of the doc comments in the languages of the schema. */

/** A resource that an example declares. */
export interface Declared {
  /** The name of its variable. */
  readonly variable: string;
  readonly kind: string;
  readonly name: string;
  readonly args: readonly Argument[];
}

interface Argument {
  readonly name: string;
  readonly value: Value;
  /** The comment of the example at the end of its line. */
  readonly comment?: string;
}

type Value = string | number | boolean | Reference | readonly Value[] | { readonly [key: string]: Value };

/** A property of another resource of the example. */
export class Reference {
  constructor(
    readonly resource: Pick<Declared, "variable" | "name">,
    readonly property: string,
  ) {}
}

export interface Example {
  readonly resources: readonly Declared[];
  readonly outputs: readonly { readonly name: string; readonly value: Reference }[];
}

const fence = /```ts\n([\s\S]*?)\n```/;

/** A doc comment without its example, and the example. */
export function splitExample(text: string): { prose: string; example: string } {
  const example = fence.exec(text)?.[1];
  if (example === undefined) throw new Error(`This doc comment has no example in TypeScript:\n${text}`);
  return { prose: text.replace(fence, "").trim(), example };
}

/** The part of a description that Pulumi's tools show for the language of the reader only. */
export function exampleSection(snippets: readonly string[]): string {
  return [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    ...snippets,
    "{{% /example %}}",
    "{{% /examples %}}",
  ].join("\n\n");
}

export function typescript(code: string): string {
  const imports = [
    ...(/\bpulumi\./.test(code) ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as apps from "pulumi-workspace-apps/packaged";',
  ];
  return fenced("typescript", [...imports, "", code]);
}

/** Reads an example that declares resources from plain values and exports properties of them. */
export function parseExample(code: string): Example {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const resources: Declared[] = [];
  const outputs: Example["outputs"][number][] = [];
  for (const statement of source.statements) {
    const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const { name, initializer } = declaration ?? {};
    if (name === undefined || initializer === undefined) throw unreadable(statement);
    const variable = name.getText();
    if (ts.isNewExpression(initializer)) resources.push(declaredBy(variable, initializer));
    else outputs.push({ name: variable, value: referenceIn(initializer, resources) });
  }
  return { resources, outputs };
}

function declaredBy(variable: string, { expression, arguments: given }: ts.NewExpression): Declared {
  const [name, args] = given ?? [];
  if (!ts.isPropertyAccessExpression(expression) || !name || !ts.isStringLiteral(name) || !args)
    throw unreadable(expression);
  return { variable, kind: expression.name.text, name: name.text, args: argumentsIn(args) };
}

function argumentsIn(node: ts.Node): Argument[] {
  if (!ts.isObjectLiteralExpression(node)) throw unreadable(node);
  return node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) throw unreadable(property);
    const comment = commentAfter(property);
    const argument = { name: property.name.getText(), value: valueOf(property.initializer) };
    return comment === undefined ? argument : { ...argument, comment };
  });
}

/** The comment in the rest of the line, behind the comma. */
function commentAfter(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text.slice(node.end);
  return /^,? *\/\/ *(.*)/.exec(text)?.[1];
}

function valueOf(node: ts.Node): Value {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(argumentsIn(node).map(({ name, value }) => [name, value]));
  // Only the Node package has this function.
  if (ts.isCallExpression(node) && node.expression.getText() === "apps.micros" && node.arguments[0] !== undefined)
    return Number(node.arguments[0].getText()) * 1_000_000;
  throw unreadable(node);
}

function referenceIn(node: ts.Expression, resources: readonly Declared[]): Reference {
  const access = ts.isPropertyAccessExpression(node) ? node : undefined;
  const resource = resources.find(({ variable }) => variable === access?.expression.getText());
  if (access === undefined || resource === undefined) throw unreadable(node);
  return new Reference(resource, access.name.text);
}

function unreadable(node: ts.Node): Error {
  return new Error(`The example cannot be translated: ${node.getText()}`);
}

export function yaml({ resources, outputs }: Example): string {
  return fenced("yaml", [
    "resources:",
    ...resources.flatMap(({ name, kind, args }) => [
      `  ${camelCase(name)}:`,
      `    type: ${tokenOf(kind)}`,
      "    properties:",
      ...args.flatMap(yamlArgument).map((line) => `      ${line}`),
    ]),
    ...(outputs.length === 0 ? [] : ["outputs:"]),
    ...outputs.map(({ name, value }) => `  ${name}: ${yamlScalar(value)}`),
  ]);
}

function yamlArgument({ name, value, comment }: Argument): string[] {
  const said = comment === undefined ? "" : ` # ${comment}`;
  if (isScalar(value)) return [`${name}: ${yamlScalar(value)}${said}`];
  return [`${name}:${said}`, ...yamlLines(value).map((line) => `  ${line}`)];
}

function yamlLines(value: Value): string[] {
  if (isScalar(value)) return [yamlScalar(value)];
  if (isList(value))
    return value.flatMap((item) => yamlLines(item).map((line, index) => `${index === 0 ? "-" : " "} ${line}`));
  return Object.entries(value).flatMap(([name, inner]) => yamlArgument({ name, value: inner }));
}

/** Texts in quotes, so that none is read as a number, a date or a flag. */
function yamlScalar(value: string | number | boolean | Reference): string {
  if (value instanceof Reference) return `\${${camelCase(value.resource.name)}.${value.property}}`;
  return JSON.stringify(value);
}

export function python({ resources, outputs }: Example): string {
  return fenced("python", [
    ...(outputs.length === 0 ? [] : ["import pulumi"]),
    "import pulumi_workspace_apps as apps",
    "",
    ...resources.flatMap(({ variable, kind, name, args }) => [
      `${snakeCase(variable)} = apps.${kind}(`,
      `    ${JSON.stringify(name)},`,
      ...args.flatMap(pythonArgument).map((line) => `    ${line}`),
      ")",
    ]),
    ...outputs.map(({ name, value }) => `pulumi.export(${JSON.stringify(name)}, ${pythonValue(value)})`),
  ]);
}

function pythonArgument({ name, value, comment }: Argument): string[] {
  const said = comment === undefined ? "" : `  # ${comment}`;
  if (isScalar(value) || isList(value)) return [`${snakeCase(name)}=${pythonValue(value)},${said}`];
  return [`${snakeCase(name)}={`, ...pythonEntries(value).map((entry) => `    ${entry},`), `},${said}`];
}

function pythonValue(value: Value): string {
  if (value instanceof Reference) return `${snakeCase(value.resource.variable)}.${snakeCase(value.property)}`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isScalar(value)) return JSON.stringify(value);
  return isList(value) ? `[${value.map(pythonValue).join(", ")}]` : `{${pythonEntries(value).join(", ")}}`;
}

/** The keys are data, and stay as they are. */
function pythonEntries(value: Readonly<Record<string, Value>>): string[] {
  return Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${pythonValue(inner)}`);
}

function isScalar(value: Value): value is string | number | boolean | Reference {
  return typeof value !== "object" || value instanceof Reference;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function fenced(language: string, lines: readonly string[]): string {
  return [`\`\`\`${language}`, ...lines, "```"].join("\n");
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
