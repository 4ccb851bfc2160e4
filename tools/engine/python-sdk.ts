import { access, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cli, pythonSdkGenerator } from "./programs";
import { run } from "./run";

/** Generates the Python SDK of a schema into a new folder, with the engine of a folder that `ensureLanguage` returned. */
export async function generatePythonSdk(bin: string, schemaFile: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const built = join(bin, pythonSdkGenerator);
  const isBuilt = await access(built).then(
    () => true,
    () => false,
  );
  if (isBuilt) {
    await run(built, [schemaFile, folder]);
    return;
  }
  // Pulumi's own host generates into a folder named after the language.
  const parent = `${folder}.languages`;
  await run(join(bin, cli), ["package", "gen-sdk", schemaFile, "--language", "python", "--out", parent]);
  await rename(join(parent, "python"), folder);
  await rm(parent, { recursive: true });
}
