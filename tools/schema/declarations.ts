import { dirname, join, resolve } from "node:path";
import ts from "typescript";

const checkout = resolve(__dirname, "..", "..");

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Node16,
  strict: true,
  types: [],
};

/** Without the packages that the sources import: their types are not needed, and take longer than all the rest. */
function onlyOwnFiles(): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    );
  return host;
}

/** A property of an interface or a class, as its declaration says. */
export interface Member {
  readonly name: string;
  readonly doc: Doc;
  /** One, or several where the owner is a union of interfaces. */
  readonly types: readonly ts.TypeNode[];
  readonly isOptional: boolean;
}

/** A doc comment as Markdown. */
export interface Doc {
  readonly text: string;
  /** The text of `@default`. */
  readonly default?: string;
}

/** The declarations of the sources by their names, and what the compiler knows of them. */
export class Declarations {
  readonly checker: ts.TypeChecker;
  private readonly program: ts.Program;

  /** Reads these files and all that they import. */
  constructor(...files: readonly string[]) {
    const roots = files.map((file) => join(checkout, file));
    this.program = ts.createProgram(roots, options, onlyOwnFiles());
    this.checker = this.program.getTypeChecker();
  }

  /** A declaration at the top of a file. */
  find<Node extends ts.DeclarationStatement>(
    file: string,
    name: string,
    isWanted: (node: ts.Node) => node is Node,
  ): Node {
    const found = this.program
      .getSourceFile(join(checkout, file))
      ?.statements.find((node): node is ts.Statement & Node => isWanted(node) && node.name?.text === name);
    if (found === undefined) throw new Error(`${file} does not declare ${name}`);
    return found;
  }

  /** The function of a look-up, in whichever file of provider/lookups/ it is. */
  lookup(name: string): ts.FunctionDeclaration {
    const folder = join(checkout, "provider", "lookups");
    const statements = this.program
      .getSourceFiles()
      .filter(({ fileName }) => dirname(resolve(fileName)) === folder)
      .flatMap((file) => [...file.statements]);
    const found = statements.filter(ts.isFunctionDeclaration).find((node) => node.name?.text === name);
    if (found === undefined) throw new Error(`provider/lookups/ does not declare ${name}`);
    return found;
  }

  /** The properties of an interface, a class, an object type or a union of interfaces, in the order of their declaration. */
  membersOf(node: ts.Node): Member[] {
    return this.checker.getPropertiesOfType(this.checker.getTypeAtLocation(node)).flatMap((symbol) => {
      const declarations = (symbol.declarations ?? []).filter(isProperty);
      const [first] = declarations;
      if (first === undefined) return [];
      const types = declarations.flatMap(({ type }) => (type === undefined ? [] : [type]));
      const isOptional = declarations.some(({ questionToken }) => questionToken !== undefined);
      return [{ name: symbol.name, doc: docOf(first), types, isOptional }];
    });
  }

  /** The declaration of a name in the sources, even if it is imported. */
  declarationOf(name: ts.EntityName): ts.Declaration | undefined {
    const symbol = this.checker.getSymbolAtLocation(name);
    const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return (isImported ? this.checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0];
  }
}

type Property = ts.PropertySignature | ts.PropertyDeclaration;

function isProperty(node: ts.Node): node is Property {
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
}

/** The doc comment of a declaration. Links become code, because they lead nowhere outside of the sources. */
export function docOf(node: ts.Node): Doc {
  const comment = ts.getJSDocCommentsAndTags(node).find((part) => ts.isJSDoc(part));
  const tag = comment?.tags?.find(({ tagName }) => tagName.text === "default");
  return {
    text: markdown(comment?.comment),
    ...(tag === undefined ? {} : { default: markdown(tag.comment) }),
  };
}

function markdown(comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replaceAll(/\{@link (\w+)\}/g, "`$1`").trim();
}
