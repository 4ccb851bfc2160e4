import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { startSimulator } from "../../simulator";
import { PulumiProject } from "../../tools/harness/engine";
import { installedProject } from "../../tools/harness/installation";
import { ours, packaged } from "../contestants";
import { atMost, type Goal, measured, median, spread } from "../goals";

/** The cost of a command before its first step: the start of the plugin, and a preview of one webhook in both forms. */
export async function startGoals(count: number): Promise<Goal[]> {
  return [...(await pluginStart(3 * count)), await previewOfOne(count)];
}

/** Until the plugin can be called, and beside it a Node process that does nothing. */
async function pluginStart(count: number): Promise<Goal[]> {
  const [plugins, bares]: [number[], number[]] = [[], []];
  for (let number = 1; number <= count; number++) {
    process.stdout.write(`start of the plugin, round ${String(number)} of ${String(count)}\n`);
    plugins.push(await secondsToPort());
    const began = process.hrtime.bigint();
    await once(spawn(process.execPath, ["-e", "0"]), "exit");
    bares.push(secondsSince(began));
  }
  const asShown = (times: number[]): string =>
    spread(
      times.map((time) => time * 1000),
      "ms",
    );
  return [
    atMost(0.7, {
      what: "start of the plugin",
      at: "once",
      value: median(plugins),
      unit: "s",
      from: asShown(plugins),
    }),
    measured({
      what: "start, plugin to bare Node",
      at: "once",
      value: median(plugins) / median(bares),
      unit: "x",
      from: `${asShown(plugins)} to ${asShown(bares)}`,
    }),
  ];
}

const launcher = "node_modules/pulumi-workspace-apps/plugin/pulumi-resource-workspace-apps";

/** From the spawn to the port on stdout, which the engine waits for. */
async function secondsToPort(): Promise<number> {
  const began = process.hrtime.bigint();
  const plugin = spawn(path.join(installedProject(), launcher), { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(plugin, "exit");
  const [printed] = (await Promise.race([once(plugin.stdout, "data"), ended])) as unknown[];
  const took = secondsSince(began);
  plugin.kill("SIGKILL");
  await ended;
  if (!/^\d+\n$/.test(String(printed))) throw new Error(`The plugin printed no port: ${String(printed)}`);
  return took;
}

/** A preview of one webhook that does not exist yet. */
async function previewOfOne(count: number): Promise<Goal> {
  const simulator = await startSimulator();
  try {
    const projectOf = ({ name, form, program }: typeof ours) =>
      PulumiProject.create({ program: program(1, "one"), form, baseUrl: simulator.url }).then((project) => ({
        name,
        project,
        seconds: [] as number[],
      }));
    const forms = [await projectOf(ours), await projectOf(packaged)] as const;
    for (let number = 1; number <= count; number++)
      for (const { name, project, seconds } of number % 2 === 1 ? forms : forms.toReversed()) {
        process.stdout.write(`${name}, preview of one webhook, round ${String(number)} of ${String(count)}\n`);
        const began = process.hrtime.bigint();
        const run = await project.preview();
        if (run.code !== 0) throw new Error(run.output.slice(-4000));
        seconds.push(secondsSince(began));
      }
    const [{ seconds: dynamic }, { seconds: plugin }] = forms;
    return atMost(1, {
      what: "preview, packaged to ours",
      at: "1 webhook",
      value: median(plugin) / median(dynamic),
      unit: "x",
      from: `${spread(plugin, "s")} to ${spread(dynamic, "s")}`,
    });
  } finally {
    await simulator.close();
  }
}

function secondsSince(began: bigint): number {
  return Number(process.hrtime.bigint() - began) / 1e9;
}
