import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import { assertDone, type ProgramOptions, PulumiProject } from "../../tools/harness/engine";

/** The files of an example. */
interface Files {
  /** @default "index.ts" */
  program?: string;
  /** Settings of its compiler or editor. @default "tsconfig.json" and "tsconfig.run.json" */
  settings?: readonly string[];
  /** How the project is made. */
  more?: Partial<ProgramOptions>;
}

export function fileOfExample(example: string, file: string): string {
  return path.resolve(__dirname, "../../examples", example, file);
}

/** The example's own files, with the packed tarball installed. */
export async function exampleProject(
  example: string,
  baseUrl: string,
  { program: file = "index.ts", settings = ["tsconfig.json", "tsconfig.run.json"], more = {} }: Files = {},
): Promise<PulumiProject> {
  const program = await readFile(fileOfExample(example, file), "utf8");
  const stack = await PulumiProject.create({ program, file, baseUrl, ...more });
  await stack.writeSettings(await readFile(fileOfExample(example, "Pulumi.yaml"), "utf8"));
  for (const copied of ["package.json", ...settings])
    await copyFile(fileOfExample(example, copied), path.join(stack.folder, copied));
  assertDone(await stack.pulumi("stack", "init", "dev"));
  return stack;
}
