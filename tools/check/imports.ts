import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";

/** One import of a file. */
export interface Import {
  /** A file of the checkout without its ending, or a package. */
  readonly target: string;
  /** When it is loaded: with the file, when a function asks for it, or only by the compiler. */
  readonly loaded: "eagerly" | "lazily" | "never";
}

/** The imports of each file, by the file's path in the checkout without its ending. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

const folders = ["provider", "policy", "simulator", "cli", "tools", "bench", "test"];

/** Import cycles, and imports against the direction that docs/architecture.md gives. */
export async function importFaults(checkout: string): Promise<string[]> {
  const imports = await importsIn(checkout);
  return [...cycles(imports), ...forbiddenImports(imports), ...loadingTheSdk(imports)];
}

/** One line for each cycle. Imports of types count too. */
export function cycles(imports: Imports): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (finished.has(file)) return;
    const start = trail.indexOf(file);
    if (start !== -1) {
      found.push(`import cycle: ${[...trail.slice(start), file].join(" -> ")}`);
      return;
    }
    for (const target of new Set(imports.get(file)?.map(({ target }) => target))) visit(target, [...trail, file]);
    finished.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

interface Rule {
  readonly says: string;
  readonly of: RegExp;
  readonly forbids: RegExp;
}

const rules: readonly Rule[] = [
  { says: "tools/ and bench/ import nothing from test/", of: /^(tools|bench)\//, forbids: /^test\// },
  {
    says: "provider/service/ imports nothing else of provider/",
    of: /^provider\/service\//,
    forbids: /^provider\/(?!service\/)/,
  },
  { says: "provider/service/ does not know Pulumi", of: /^provider\/service\//, forbids: /^@pulumi\// },
  {
    says: "of a resource, only index.ts knows Pulumi",
    of: /^provider\/resources\/(?![^/]+\/index$)/,
    forbids: /^(@pulumi\/|provider\/pulumi\/)/,
  },
  {
    says: "arguments, settings and the like do not know Pulumi",
    of: /^provider\/(?!index$|packaged$|runtime$)[^/]+$/,
    forbids: /^(@pulumi\/|provider\/pulumi\/)/,
  },
  {
    says: "the simulator does not use the client",
    of: /^simulator\//,
    forbids: /^provider\/(?!service\/)|^provider\/service\/(client|transport|retry|rate-limiter)$/,
  },
  { says: "the command does not use the SDK", of: /^cli\//, forbids: /^@pulumi\// },
];

/** One line for each import that a rule forbids, of types too. */
export function forbiddenImports(imports: Imports): string[] {
  return [...imports].flatMap(([file, all]) =>
    rules
      .filter(({ of }) => of.test(file))
      .flatMap(({ says, forbids }) => {
        const targets = new Set(all.map(({ target }) => target).filter((target) => forbids.test(target)));
        return [...targets].map((target) => `${file} imports ${target}: ${says}`);
      }),
  );
}

/** The plugin, the review command and tests load these, and the SDK would take longer than all the rest. */
const withoutSdk = /^(cli\/.*|provider\/(registry|resources\/[^/]+\/lifecycle))$/;
const sdk = "@pulumi/pulumi";

/** One line for each file that must load without the SDK and does not. */
export function loadingTheSdk(imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => withoutSdk.test(file))
    .flatMap((file) => {
      const way = wayToSdk(imports, file);
      return way === undefined ? [] : [`${file} loads the SDK: ${way.join(" -> ")}`];
    });
}

/** The shortest chain of imports that are loaded with their file. */
function wayToSdk(imports: Imports, start: string): string[] | undefined {
  const reached = new Set([start]);
  const ways = [[start]];
  for (const way of ways)
    for (const { target, loaded } of imports.get(way.at(-1) ?? "") ?? []) {
      if (loaded !== "eagerly" || reached.has(target)) continue;
      if (target === sdk || target.startsWith(`${sdk}/`)) return [...way, target];
      reached.add(target);
      ways.push([...way, target]);
    }
  return undefined;
}

async function importsIn(checkout: string): Promise<Imports> {
  const imports = new Map<string, Import[]>();
  for (const folder of folders)
    for (const name of (await readdir(path.join(checkout, folder), { recursive: true })).sort()) {
      if (!name.endsWith(".ts")) continue;
      const file = path.posix.join(folder, ...name.split(path.sep));
      imports.set(withoutEnding(file), importsOf(file, await readFile(path.join(checkout, file), "utf8")));
    }
  // A folder stands for its index.
  const named = (target: string): string => (imports.has(`${target}/index`) ? `${target}/index` : target);
  return new Map([...imports].map(([file, all]) => [file, all.map((one) => ({ ...one, target: named(one.target) }))]));
}

/** The imports that a file states: `import`, `export from`, `require` and `import()`. */
export function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (module: ts.Node | undefined, loaded: Import["loaded"]): void => {
    if (module === undefined || !ts.isStringLiteral(module)) return;
    const isOwn = module.text.startsWith(".");
    const target = isOwn ? path.posix.join(path.posix.dirname(file), module.text) : module.text;
    found.push({ target: isOwn ? withoutEnding(target) : target, loaded });
  };
  const visit = (node: ts.Node, isInFunction: boolean): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isErased(node.importClause) ? "never" : "eagerly");
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly ? "never" : "eagerly");
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, "never");
    else if (ts.isCallExpression(node) && isLoading(node)) add(node.arguments[0], isInFunction ? "lazily" : "eagerly");
    const isFunction = ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => {
      visit(child, isInFunction || isFunction);
    });
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest), false);
  return found;
}

/** Whether nothing is left of an import when it is compiled. */
function isErased(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function isLoading({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === "require")
  );
}

function withoutEnding(file: string): string {
  return file.replace(/(\.d)?\.[cm]?[jt]s$/, "");
}
