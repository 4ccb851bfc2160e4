import { configNamespace } from "../settings";

/** The type token of a dynamic resource of this package, without its kind: `Webhook`, `AdCampaign`, …. */
export const typePrefix = `pulumi-nodejs:dynamic/${configNamespace}:`;

/** The same of a resource of the packaged form. */
export const packagedTypePrefix = `${configNamespace}:index:`;

/** How a resource reaches its lifecycle: by Pulumi's dynamic host, or by the plugin. */
export type Form = "dynamic" | "packaged";
export const forms: readonly Form[] = ["dynamic", "packaged"];

/** The type token of a kind. */
export function typeOf(form: Form, kind: string): string {
  return (form === "dynamic" ? typePrefix : packagedTypePrefix) + kind;
}

/** The kind of a resource of this package, in either form. Undefined for other types. */
export function kindOfType(type: string): string | undefined {
  const prefix = [typePrefix, packagedTypePrefix].find((one) => type.startsWith(one));
  return prefix === undefined ? undefined : type.slice(prefix.length);
}

/** `urn:pulumi:stack::project::parent$type::name`; a name may hold the separator too. */
export function partsOfUrn(urn: string): Record<"stack" | "project" | "parents" | "type" | "name", string> {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  return {
    stack: head.slice(head.lastIndexOf(":") + 1),
    project,
    parents: types.slice(0, Math.max(0, types.lastIndexOf("$"))),
    type: types.slice(types.lastIndexOf("$") + 1),
    name: name.join("::"),
  };
}

/** Whether a provider has a name that the engine gives: `default`, alone or before a version (`default_1_2_3`). */
export function isDefaultProvider(urn: string): boolean {
  return /^default(_\d|$)/.test(partsOfUrn(urn).name);
}

/** The URN of a resource of another kind, with the form, the parent and the name of this one of this package. */
export function urnOfKind(urn: string, kind: string): string {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  const own = kindOfType(partsOfUrn(urn).type) ?? "";
  return [head, project, types.slice(0, types.length - own.length) + kind, ...name].join("::");
}
