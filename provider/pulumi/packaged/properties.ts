import type { Struct as StructMessage } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../saved";
import { signatureKey } from "../../serializable";
import { Struct } from "./protocol";

/** Marks an object as a secret: its value is under `value`. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The values of a request. Secrets are plain here: the engine keeps arguments secret by itself. */
export function fromStruct(struct: StructMessage | undefined): Properties {
  return withoutSecrets(struct?.toJavaScript() ?? {}) as Properties;
}

/** The values of a response, those of the given names as secrets. */
export function toStruct(properties: Properties, secretNames: readonly string[] = []): StructMessage {
  const marked = Object.entries(properties).map(([name, value]) =>
    secretNames.includes(name) ? [name, { [signatureKey]: secretSignature, value }] : [name, value],
  );
  return Struct.fromJavaScript(Object.fromEntries(marked) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  const object = value as Properties;
  if (object[signatureKey] === secretSignature) return withoutSecrets(object["value"]);
  return Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, withoutSecrets(inner)]));
}
