import { packagedTypePrefix, typePrefix } from "./urn";

/** How a resource reaches its lifecycle: by Pulumi's dynamic host, or by the plugin. */
export type Form = "dynamic" | "packaged";
export const forms: readonly Form[] = ["dynamic", "packaged"];

const prefixes: Record<Form, string> = { dynamic: typePrefix, packaged: packagedTypePrefix };

/** The type token of a kind. */
export function typeOf(form: Form, kind: string): string {
  return prefixes[form] + kind;
}
