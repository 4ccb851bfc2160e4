import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { startSimulator } from "../../simulator";
import { PulumiProject } from "../../test/support/engine";
import { type Goal, measured, median, spread } from "../goals";

const example = path.resolve(__dirname, "../../examples/quickstart");

/** What a preview of the quickstart costs however little it does: type-checked, only transpiled, and compiled before. */
export async function programGoals(count: number): Promise<Goal[]> {
  const simulator = await startSimulator();
  try {
    const source = await readFile(path.join(example, "index.ts"), "utf8");
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const forms = {
      checked: await project(source, "index.ts", simulator.url, { PULUMI_NODEJS_TRANSPILE_ONLY: "false" }),
      transpiled: await project(source, "index.ts", simulator.url, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" }),
      compiled: await project(
        ts.transpileModule(source, { compilerOptions: options }).outputText,
        "index.js",
        simulator.url,
      ),
    };
    const seconds: Record<keyof typeof forms, number[]> = { checked: [], transpiled: [], compiled: [] };
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
    // The examples run transpiled.
    return [compared("checked"), compared("transpiled")];
  } finally {
    await simulator.close();
  }
}

async function project(
  program: string,
  file: string,
  baseUrl: string,
  environment: Record<string, string> = {},
): Promise<PulumiProject> {
  const made = await PulumiProject.create({ program, file, baseUrl, environment });
  await writeFile(path.join(made.folder, "tsconfig.json"), await readFile(path.join(example, "tsconfig.json")));
  return made;
}
