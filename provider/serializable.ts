/* Values that Pulumi can serialize, between a program, the engine and this package. Loads no SDK. */

/**
 * Stands for a value that is not known during preview, whatever the property's type. It is `runtime.unknownValue` of
 * the SDK, which takes too long to load for a command. A test compares the two.
 */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** States, plans and inputs mark an object that represents a secret, an asset or a reference by this key. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** Pulumi's SDK fails on the first of these field names with a bare TypeError, and drops the second. */
const refusedNames: readonly string[] = ["toString", "__proto__"];

export function isSerializable(value: unknown): boolean {
  return serializationProblem(value) === undefined;
}

/**
 * Names the first part that Pulumi would change, drop or fail on, and what to use instead.
 *
 * @param isHandled Whether the SDK serializes an object itself, such as an Output.
 */
export function serializationProblem(value: unknown, isHandled = (_: object): boolean => false): string | undefined {
  return problemAt("", value, []);

  function problemAt(path: string, value: unknown, containers: readonly object[]): string | undefined {
    if (typeof value === "object" && value !== null) {
      if (isHandled(value)) return undefined;
      if (!Array.isArray(value) && !isPlainObject(value)) return unsupported(path, `a ${value.constructor.name}`);
      if (containers.includes(value)) return unsupported(path, "a circular reference");
      for (const [key, inner] of Object.entries(value)) {
        const innerPath = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
        const problem = nameProblem(innerPath, key) ?? problemAt(innerPath, inner, [...containers, value]);
        if (problem !== undefined) return problem;
      }
      return undefined;
    }
    if (typeof value === "string")
      return isChanged(value) ? `${path} is a text that Pulumi cannot serialize.` : undefined;
    const isUnsupported = typeof value === "function" || typeof value === "symbol" || typeof value === "bigint";
    return isUnsupported ? unsupported(path, `a ${typeof value}`) : undefined;
  }
}

function nameProblem(path: string, name: string): string | undefined {
  return refusedNames.includes(name) || isChanged(name)
    ? `${path} has a name that Pulumi cannot serialize. Use another name, or leave it out.`
    : undefined;
}

function unsupported(path: string, type: string): string {
  const hint = type === "a Date" ? ", for a Date its toISOString()" : "";
  return `${path} is ${type}, which Pulumi cannot serialize. Use a string, a number, true, false, null, a list or a plain object${hint}.`;
}

/** Protobuf replaces what is not valid Unicode. */
function isChanged(text: string): boolean {
  return text === unknownValue || !text.isWellFormed();
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm, such as a test runner's sandbox, has a prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * A copy without `undefined` anywhere. One `undefined` in what a handler returns turns a finished create into a lost
 * one and makes an initialization failure hang the command. So everything that a handler returns passes through here.
 */
export function withoutUndefined(value: object): Record<string, unknown> {
  return strip(value) as Record<string, unknown>;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => strip(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, strip(item)]])),
  );
}
