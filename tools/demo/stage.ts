import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSimulator } from "../../simulator";
import { ensureEngine } from "../engine";
import { run, type Say } from "../engine/run";
import { ThrowAwayProject } from "./project";
import type { Stage } from "./story";

export interface StageOptions {
  readonly say: Say;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

const checkout = resolve(__dirname, "..", "..");

/** Where the simulator shows what it holds and what it was asked. */
export function pageOf({ simulator }: Stage): string {
  return `${simulator.url}/__simulator/`;
}

/** Prepares one simulator and one project for all stories, and removes both afterwards. */
export async function withStage(options: StageOptions, work: (stage: Stage) => Promise<void>): Promise<void> {
  const { say, colour, signal } = options;
  const simulator = await startSimulator();
  const folder = await mkdtemp(join(tmpdir(), "workspace-apps-demo-"));
  try {
    const { bin, version } = await ensureEngine({ say });
    say("Compiling the package, as a program imports it.");
    await run(process.execPath, ["tools/build.js"], { cwd: checkout, signal });
    const environment = {
      WORKSPACE_APPS_BASE_URL: simulator.url,
      WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token",
      // The simulator's list shows a launch at once.
      WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "3",
    };
    const project = await ThrowAwayProject.create({ folder, bin, environment, colour, signal });
    say(`The service is simulated on ${simulator.url}. Pulumi ${version} runs a project in ${folder}.`);
    await work({ simulator, project, say });
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}
