import type { Section } from "./declarations";
import { comment, statement } from "./typescript";

/** The program that declares these objects. */
export function programOf(sections: readonly Section[]): string {
  const needsConfig = sections.some(({ declarations }) => declarations.some(({ secrets }) => secrets.length > 0));
  return [
    ...(needsConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as apps from "pulumi-workspace-apps";',
    "",
    ...comment(
      "Written by workspace-apps adopt. Every object is declared with its own id and values, so the first `pulumi up` adopts it and changes nothing. A destroy leaves it in the service, unless deletionPolicy says otherwise.",
    ),
    ...(needsConfig ? ["", "const config = new pulumi.Config();"] : []),
    ...sections.flatMap(sectionLines),
    "",
  ].join("\n");
}

function sectionLines({ title, note, declarations }: Section): string[] {
  const blocks = declarations.map(({ kind, name, args, comments, secrets }) =>
    [
      ...comments.flatMap(comment),
      ...secrets.flatMap(({ argument, key }) => [
        `// Its ${argument} may hold a key:`,
        `// pulumi config set --secret ${key}`,
      ]),
      statement(`apps.${kind}`, name, args),
    ].join("\n"),
  );
  return ["", ...comment(title), ...(note === undefined ? [] : comment(note)), "", blocks.join("\n\n")];
}
