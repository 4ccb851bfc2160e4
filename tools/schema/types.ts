import ts from "typescript";
import { type Declarations, docOf, type Member } from "./declarations";
import { type EnumSpec, type ObjectSpec, type PropertySpec, tokenOf, type TypeSpec } from "./spec";

const any: TypeSpec = { $ref: "pulumi.json#/Any" };

const keywords: ReadonlyMap<ts.SyntaxKind, TypeSpec> = new Map([
  [ts.SyntaxKind.StringKeyword, { type: "string" }],
  [ts.SyntaxKind.NumberKeyword, { type: "number" }],
  [ts.SyntaxKind.BooleanKeyword, { type: "boolean" }],
  [ts.SyntaxKind.UnknownKeyword, any],
  [ts.SyntaxKind.ObjectKeyword, { type: "object", additionalProperties: any }],
]);

/** The result of one look-up is also a row of another. SDKs give the name of the interface to the result itself. */
const otherNames: Readonly<Record<string, string>> = { GetWebhookResult: "ListedWebhook" };

type Bindings = ReadonlyMap<string, ts.TypeNode>;

/** Turns types of the sources into types of the schema, and collects those that need a name there. */
export class Types {
  private readonly named = new Map<string, ObjectSpec | EnumSpec>();

  constructor(private readonly declarations: Declarations) {}

  /** By token, sorted, so that the order of the sources does not matter. */
  all(): Record<string, ObjectSpec | EnumSpec> {
    const sorted = [...this.named].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, spec]) => [tokenOf(name), spec]));
  }

  /** YAML refuses to pass an output on to an argument of the same enumeration, and takes a text. */
  withoutEnumerations<Type extends TypeSpec>(spec: Type): Type {
    const { $ref, items, ...rest } = spec;
    const isEnumeration = [...this.named].some(([name, each]) => "enum" in each && $ref === referenceTo(name).$ref);
    if (isEnumeration) return { type: "string", ...rest } as Type;
    return items === undefined ? spec : { ...spec, items: this.withoutEnumerations(items) };
  }

  /** `owner` names the types that have no name in the sources. */
  property({ name, doc, types }: Member, owner: string, bindings: Bindings = new Map()): PropertySpec {
    const spec = this.of(types, `${owner}${capitalized(name)}`, bindings);
    return { ...spec, description: withDefault(doc) };
  }

  object(members: readonly Member[], owner: string, bindings?: Bindings): ObjectSpec {
    const required = members.filter((member) => !this.mayBeUndefined(member)).map(({ name }) => name);
    return {
      type: "object",
      properties: Object.fromEntries(members.map((member) => [member.name, this.property(member, owner, bindings)])),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  mayBeUndefined({ types, isOptional }: Member): boolean {
    return isOptional || types.flatMap(alternatives).some(isUndefined);
  }

  private of(nodes: readonly ts.TypeNode[], name: string, bindings: Bindings): TypeSpec {
    const possible = nodes.flatMap(alternatives).filter((node) => !isUndefined(node));
    const texts = possible.flatMap(literalText);
    if (texts.length > 0 && texts.length === possible.length) return this.enumeration(name, texts);
    const [only, ...others] = possible;
    if (only === undefined || others.length > 0) throw new Error(`${name} has a type that the schema cannot express`);
    return this.one(only, name, bindings);
  }

  private one(node: ts.TypeNode, name: string, bindings: Bindings): TypeSpec {
    const keyword = keywords.get(node.kind);
    if (keyword !== undefined) return keyword;
    // `true` or `false`: no language but TypeScript has types of one value.
    if (ts.isLiteralTypeNode(node)) return { type: "boolean" };
    if (ts.isTypeOperatorNode(node)) return this.one(node.type, name, bindings);
    if (ts.isArrayTypeNode(node)) return { type: "array", items: this.of([node.elementType], name, bindings) };
    if (ts.isTypeLiteralNode(node))
      return this.reference(name, () => this.object(this.declarations.membersOf(node), name));
    if (ts.isTypeReferenceNode(node)) return this.referred(node, name, bindings);
    throw new Error(`${name} has a type that the schema cannot express: ${node.getText()}`);
  }

  private referred(node: ts.TypeReferenceNode, name: string, bindings: Bindings): TypeSpec {
    const called = node.typeName.getText();
    const bound = bindings.get(called);
    if (bound !== undefined) return this.of([bound], name, bindings);
    const [first, second] = node.typeArguments ?? [];
    if (called === "Record" && second !== undefined)
      return { type: "object", additionalProperties: this.of([second], name, bindings) };
    const declaration = this.declarations.declarationOf(node.typeName);
    if (declaration !== undefined && ts.isInterfaceDeclaration(declaration)) return this.interface(declaration, first);
    if (declaration !== undefined && ts.isTypeAliasDeclaration(declaration)) return this.alias(declaration);
    throw new Error(`${name} has a type that the schema cannot express: ${node.getText()}`);
  }

  private interface(declaration: ts.InterfaceDeclaration, argument: ts.TypeNode | undefined): TypeSpec {
    const own = declaration.name.text;
    const name = argument === undefined ? (otherNames[own] ?? own) : `${capitalized(argument.getText())}${own}`;
    const parameter = declaration.typeParameters?.[0]?.name.text;
    const bindings: Bindings = new Map(
      parameter === undefined || argument === undefined ? [] : [[parameter, argument]],
    );
    return this.reference(name, () => ({
      description: docOf(declaration).text,
      ...this.object(this.declarations.membersOf(declaration), name, bindings),
    }));
  }

  private alias(declaration: ts.TypeAliasDeclaration): TypeSpec {
    const name = declaration.name.text;
    const values = this.textsOf(declaration.type);
    if (values.length === 0) throw new Error(`${name} is not a union of texts`);
    return this.enumeration(name, values, docOf(declaration).text);
  }

  /** In the order of the sources: the compiler keeps the members of a union in an order of its own. */
  private textsOf(node: ts.TypeNode): string[] {
    if (!ts.isIndexedAccessTypeNode(node)) return alternatives(node).flatMap(literalText);
    // `(typeof values)[number]`
    const list = this.declarations.checker.getTypeFromTypeNode(node.objectType) as ts.TypeReference;
    const items = this.declarations.checker.getTypeArguments(list);
    return items.flatMap((item) => (item.isStringLiteral() ? [item.value] : []));
  }

  private enumeration(
    name: string,
    values: readonly string[],
    description = `One of ${values.map((value) => `\`${value}\``).join(", ")}.`,
  ): TypeSpec {
    const named = values.map((value) => ({ name: identifierOf(value), value }));
    return this.reference(name, () => ({ description, type: "string", enum: named }));
  }

  private reference(name: string, spec: () => ObjectSpec | EnumSpec): TypeSpec {
    if (!this.named.has(name)) this.named.set(name, spec());
    return referenceTo(name);
  }
}

function referenceTo(name: string): TypeSpec {
  return { $ref: `#/types/${tokenOf(name)}` };
}

/** The types that a value may have, without the wrappers of Pulumi and of promises. */
function alternatives(node: ts.TypeNode): ts.TypeNode[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(alternatives);
  const [wrapped] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  const isWrapper = ts.isTypeReferenceNode(node) && /^(pulumi\.)?(Input|Output)$/.test(node.typeName.getText());
  return isWrapper && wrapped !== undefined ? alternatives(wrapped) : [node];
}

function isUndefined({ kind }: ts.TypeNode): boolean {
  return kind === ts.SyntaxKind.UndefinedKeyword;
}

function literalText(node: ts.TypeNode): string[] {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [];
}

function withDefault({ text, default: value }: Member["doc"]): string {
  return value === undefined ? text : `${text}\n\nDefault: ${value}.`;
}

/** `message.created` → `MessageCreated`: each language changes it to its own style. */
function identifierOf(value: string): string {
  return value
    .split(/[^A-Za-z0-9]+/)
    .map((part) => capitalized(part === part.toUpperCase() ? part.toLowerCase() : part))
    .join("");
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
