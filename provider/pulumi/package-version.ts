import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this package, from the sources and from `dist/`. */
export const packageFolder = folderWith("package.json", __dirname);

export const packageVersion = (
  JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }
).version;

function folderWith(file: string, folder: string): string {
  try {
    readFileSync(join(folder, file));
    return folder;
  } catch {
    return folderWith(file, dirname(folder));
  }
}
