import { typeOf } from "../../provider/pulumi/urn";

/* The parts of Pulumi's package schema that this package uses. https://www.pulumi.com/docs/iac/extending-pulumi/schema/ */

export interface TypeSpec {
  readonly type?: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

export interface PropertySpec extends TypeSpec {
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
}

export type Properties = Readonly<Record<string, PropertySpec>>;

export interface ObjectSpec {
  readonly description?: string;
  readonly type?: "object";
  readonly properties: Properties;
  readonly required?: readonly string[];
}

export interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

export interface ResourceSpec {
  readonly description: string;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

export interface PackageSpec {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly language: Readonly<Record<string, object>>;
  readonly config: { readonly variables: Properties };
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly provider: ResourceSpec;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
}

/** The token of a resource, a function or a type. */
export function tokenOf(name: string): string {
  return typeOf("packaged", name);
}
