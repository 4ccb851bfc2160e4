import { environmentName, isSecretSetting, type SettingKey } from "../../provider/settings";
import { packageSchema } from "../schema/generate";
import { type ObjectSpec, type PackageSpec, type Properties, tokenOf, type TypeSpec } from "../schema/spec";
import { code, table } from "./markdown";

/* The arguments and outputs in docs/reference, from the schema of the plugin, and so from the doc comments. */

let made: PackageSpec | undefined;

/** Takes seconds to make, so all tables share it. */
function schema(): PackageSpec {
  made ??= packageSchema();
  return made;
}

export function argumentTable(kind: string): string {
  const { inputProperties, requiredInputs } = found(schema().resources, kind);
  return argumentsOf({ properties: inputProperties, required: requiredInputs });
}

/** Without the outputs that only repeat an argument. */
export function outputTable(kind: string): string {
  const { properties = {}, inputProperties } = found(schema().resources, kind);
  const own = Object.entries(properties).filter(
    ([name, { description }]) => inputProperties[name]?.description !== description,
  );
  return own.length === 0 ? "None besides the arguments." : outputsOf(Object.fromEntries(own));
}

export function lookupTables(name: string): string {
  const { inputs, outputs } = found(schema().functions, name);
  return `${argumentsOf(inputs)}\n\n${outputsOf(outputs.properties)}`;
}

/** The settings of a stack are the arguments of a Provider too. */
export function settingTable(): string {
  const { inputProperties, requiredInputs } = schema().provider;
  const rows = rowsOf({ properties: inputProperties, required: requiredInputs }).map(
    ({ name, isRequired, meaning, byDefault = "none" }) => [
      `${code(name)}${isSecretSetting(name as SettingKey) ? " (secret)" : ""}`,
      code(environmentName(name as SettingKey)),
      isRequired ? "required" : byDefault,
      meaning,
    ],
  );
  return table(["Key", "Environment", "Default", "Meaning"], rows);
}

function argumentsOf(spec: ObjectSpec): string {
  const rows = rowsOf(spec).map(({ name, type, isRequired, meaning, byDefault = "–" }) => [
    code(name),
    type,
    isRequired ? "required" : byDefault,
    meaning,
  ]);
  return table(["Argument", "Type", "Default", "Meaning"], rows);
}

function outputsOf(properties: Properties): string {
  return table(
    ["Output", "Type", "Meaning"],
    rowsOf({ properties }).map(({ name, type, meaning }) => [code(name), type, meaning]),
  );
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
  readonly byDefault: string | undefined;
}

/** One row for each property, followed by the properties of its own: `members[].email`. */
function rowsOf({ properties, required = [] }: ObjectSpec, owner = ""): Row[] {
  return Object.entries(properties).flatMap(([property, spec]) => {
    const name = `${owner}${property}`;
    const [meaning = "", byDefault] = spec.description.replaceAll(/(?<!\n)\n(?!\n)/g, " ").split("\n\nDefault: ");
    if (meaning === "") throw new Error(`${name} has no description`);
    const parts = partsOf(spec);
    const more = parts === undefined ? [] : rowsOf(parts, `${name}${spec.items === undefined ? "" : "[]"}.`);
    const isRequired = required.includes(property);
    return [{ name, type: typeOf(spec), isRequired, meaning, byDefault: byDefault?.replace(/\.$/, "") }, ...more];
  });
}

/** The object that a property is, or a list of. */
function partsOf(spec: TypeSpec): ObjectSpec | undefined {
  const type = referredBy(spec.items ?? spec);
  return type !== undefined && "properties" in type ? type : undefined;
}

function typeOf(spec: TypeSpec): string {
  if (spec.items !== undefined) return `list of ${typeOf(spec.items)}`;
  if (spec.type !== undefined) return spec.type;
  const type = referredBy(spec);
  if (type === undefined) return "any";
  return "enum" in type ? type.enum.map(({ value }) => code(value)).join(", ") : "object";
}

/** None for `pulumi.json#/Any`. */
function referredBy({ $ref }: TypeSpec): PackageSpec["types"][string] | undefined {
  return $ref === undefined ? undefined : schema().types[$ref.replace("#/types/", "")];
}

function found<Spec>(specs: Readonly<Record<string, Spec>>, name: string): Spec {
  const spec = specs[tokenOf(name)];
  if (spec === undefined) throw new Error(`the schema has no ${name}`);
  return spec;
}
