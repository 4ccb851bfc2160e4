import { packagedTypePrefix } from "../../provider/pulumi/urn";
import type { Section } from "./declarations";

/** The file from which `pulumi import --file` imports these objects. */
export function importFileOf(sections: readonly Section[]): string {
  const resources = sections.flatMap(({ declarations }) =>
    declarations.map(({ kind, name, importId }) => ({ type: packagedTypePrefix + kind, name, id: importId })),
  );
  return `${JSON.stringify({ nameTable: {}, resources }, undefined, 2)}\n`;
}
