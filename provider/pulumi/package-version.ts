import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package, from the sources and from `dist/`. */
export const packageFolder = folderWith("package.json", __dirname);

export const packageVersion = (
  JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }
).version;

/** The classes of another version may declare what this plugin does not know, or leave out what it needs. */
export function versionProblem(ofClasses: unknown, ofPlugin: string): string | undefined {
  // Other languages give none: their SDK names the version of the plugin to the engine.
  if (typeof ofClasses !== "string" || ofClasses === ofPlugin) return undefined;
  return `The program uses version ${ofClasses} of pulumi-workspace-apps, and the plugin is version ${ofPlugin}. Set \`path\` under \`plugins\` in Pulumi.yaml to the folder \`plugin\` of the package that the program imports, or install the same version of both`;
}

function folderWith(file: string, folder: string): string {
  try {
    readFileSync(join(folder, file));
    return folder;
  } catch {
    return folderWith(file, dirname(folder));
  }
}
