import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { startSimulator } from "../simulator";
import { PulumiProject } from "../tools/harness/engine";
import { installedProject } from "../tools/harness/installation";
import { type Contestant, noOpModule } from "./contestants";
import { byParts, type Parts, type Resource } from "./parts-of-state";

export const allSteps = ["up", "preview", "refresh", "change", "destroy"] as const;
export type Step = (typeof allSteps)[number];

/** One run of a contestant. */
export interface Round {
  seconds: Partial<Record<Step, number>>;
  /** Processor time of the CLI and all that it started. The neighbours of a busy machine do not change it. */
  processorSeconds: Partial<Record<Step, number>>;
  /** Requests that the service saw. */
  requests: Partial<Record<Step, number>>;
  /** The size of the state after `up`. */
  stateBytes: number;
  /** The same for one webhook, by what the bytes are for. */
  parts: Parts;
  /** The line of the program that the state names for it. */
  sourcePosition: string | undefined;
  /** The line, and how the program came there. */
  stackTrace: unknown;
}

/** The cost of the service's rate limit is not measured here. */
const limits = { "webhook.update": 1_000_000 };

/** The life of `size` webhooks through the real engine, against a service of its own. */
export async function round({ form, program }: Contestant, size: number, steps: readonly Step[]): Promise<Round> {
  const simulator = await startSimulator({ limits });
  try {
    const project = await PulumiProject.create({
      program: program(size, "one"),
      form,
      baseUrl: simulator.url,
      environment: { WORKSPACE_APPS_RATE_LIMITS: JSON.stringify(limits) },
    });
    await installNoOp();
    const done: Commands = { seconds: {}, processorSeconds: {}, requests: {} };
    let state: Omit<Round, keyof Commands> | undefined;
    for (const step of steps) {
      if (step === "change") await project.write(program(size, "two"));
      simulator.clearRequests();
      const began = process.hrtime.bigint();
      const usedBefore = await processorSeconds();
      const run = await (step === "change" ? project.up() : project[step]());
      done.seconds[step] = Number(process.hrtime.bigint() - began) / 1e9;
      done.processorSeconds[step] = (await processorSeconds()) - usedBefore;
      if (run.code !== 0) throw new Error(run.output.slice(-4000));
      done.requests[step] = simulator.requests.length;
      if (step === "up") state = await stateOf(project);
    }
    if (state === undefined) throw new Error("A round begins with up.");
    return { ...done, ...state };
  } finally {
    await simulator.close();
  }
}

type Commands = Pick<Round, "seconds" | "processorSeconds" | "requests">;

/** The time of all ended children of this process. Linux tells it, in hundredths; other systems may not. */
async function processorSeconds(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13] ?? NaN) + Number(fields[14] ?? NaN)) / 100;
}

async function stateOf(project: PulumiProject): Promise<Omit<Round, keyof Commands>> {
  const file = path.join(project.folder, "state/.pulumi/stacks/tested/dev.json");
  const { checkpoint } = JSON.parse(await readFile(file, "utf8")) as {
    checkpoint: { latest: { resources: Resource[] } };
  };
  const webhook = checkpoint.latest.resources.find(({ type }) => type.endsWith(":Webhook"));
  if (webhook === undefined) throw new Error("The state holds no webhook.");
  const { sourcePosition, stackTrace } = webhook;
  return { stateBytes: (await stat(file)).size, parts: byParts(webhook), sourcePosition, stackTrace };
}

/** Beside the package, so that its shell finds it by name. */
export async function installNoOp(): Promise<void> {
  const folder = path.join(installedProject(), "node_modules/no-op");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "index.js"), noOpModule);
}
