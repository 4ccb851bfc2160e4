import { configNamespace } from "../settings";
import { packagedTypePrefix, typePrefix } from "./urn";

/** How a resource reaches its lifecycle: by Pulumi's dynamic host, or by the plugin. */
export type Form = "dynamic" | "packaged";
export const forms: readonly Form[] = ["dynamic", "packaged"];

const prefixes: Record<Form, string> = { dynamic: typePrefix, packaged: packagedTypePrefix };

/** The packages of the forms' Providers, as Pulumi compares them with the type of a resource. */
const packages: Record<Form, string> = { dynamic: "pulumi-nodejs", packaged: configNamespace };

/** Whether the option `provider` is a Provider of the other form. The engine would send it what its host does not know. */
export function isOfOtherForm(form: Form, provider: unknown): boolean {
  // Not in the SDK's public types.
  const ofProvider = (provider as { getPackage?: () => string } | undefined)?.getPackage?.();
  return ofProvider !== undefined && ofProvider !== packages[form];
}

/** The type token of a kind. */
export function typeOf(form: Form, kind: string): string {
  return prefixes[form] + kind;
}
