import { appendFile, cp, readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { startSimulator } from "../../simulator";
import { type ProgramOptions, PulumiProject } from "../../tools/harness/engine";
import { type Goal, measured, median, spread } from "../goals";

const example = path.resolve(__dirname, "../../examples/quickstart");

/**
 * The cost of a preview of the quickstart, however little it does. It runs type-checked, and without the check by
 * `noCheck`, as the examples do. It also runs only transpiled by the variable, and compiled before.
 */
export async function programGoals(count: number): Promise<Goal[]> {
  const simulator = await startSimulator();
  try {
    const source = await readFile(path.join(example, "index.ts"), "utf8");
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const given = (transpileOnly: string): ProgramOptions => ({
      program: source,
      file: "index.ts",
      baseUrl: simulator.url,
      environment: { PULUMI_NODEJS_TRANSPILE_ONLY: transpileOnly },
    });
    const forms = {
      checked: await project(given("false")),
      // The variable would count for more than the file.
      unchecked: await project(given(""), "tsconfig.run.json"),
      transpiled: await project(given("true")),
      compiled: await project({
        program: ts.transpileModule(source, { compilerOptions: options }).outputText,
        baseUrl: simulator.url,
      }),
    };
    const seconds: Record<keyof typeof forms, number[]> = { checked: [], unchecked: [], transpiled: [], compiled: [] };
    for (let number = 1; number <= count; number++)
      for (const form of Object.keys(forms) as (keyof typeof forms)[]) {
        process.stdout.write(`quickstart preview, ${form}, round ${String(number)} of ${String(count)}\n`);
        const began = process.hrtime.bigint();
        const run = await forms[form].preview();
        if (run.code !== 0) throw new Error(run.output.slice(-4000));
        seconds[form].push(Number(process.hrtime.bigint() - began) / 1e9);
      }
    const compared = (form: keyof typeof forms): Goal =>
      measured({
        what: `preview, ${form} to compiled`,
        at: "quickstart",
        value: median(seconds[form]) / median(seconds.compiled),
        unit: "x",
        from: `${spread(seconds[form], "s")} to ${spread(seconds.compiled, "s")}`,
      });
    return [compared("checked"), compared("unchecked"), compared("transpiled")];
  } finally {
    await simulator.close();
  }
}

/** With the example's settings for TypeScript, or with those that its Pulumi.yaml names. */
async function project(options: ProgramOptions, tsconfig = "tsconfig.json"): Promise<PulumiProject> {
  const made = await PulumiProject.create(options);
  for (const file of ["tsconfig.json", "tsconfig.run.json"])
    await cp(path.join(example, file), path.join(made.folder, file));
  // The options of the runtime are the last lines there.
  await appendFile(path.join(made.folder, "Pulumi.yaml"), `    tsconfig: ${tsconfig}\n`);
  return made;
}
