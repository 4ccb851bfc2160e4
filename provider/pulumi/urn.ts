import { configNamespace } from "../settings";

/** The type token of a resource of this package, without its kind: `Webhook`, `AdCampaign`, …. */
export const typePrefix = `pulumi-nodejs:dynamic/${configNamespace}:`;

/** The same in the packaged form. */
export const packagedTypePrefix = `${configNamespace}:index:`;

/** `urn:pulumi:stack::project::parent$type::name`; a name may hold the separator too. */
export function partsOfUrn(urn: string): { stack: string; project: string; type: string; name: string } {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  return {
    stack: head.slice(head.lastIndexOf(":") + 1),
    project,
    type: types.slice(types.lastIndexOf("$") + 1),
    name: name.join("::"),
  };
}
