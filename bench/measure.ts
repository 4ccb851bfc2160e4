import { mkdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { startSimulator } from "../simulator";
import { installedProject } from "../test/support/installation";
import { PulumiProject } from "../test/support/engine";
import { type Contestant, noOpModule } from "./contestants";

const steps = ["up", "preview", "refresh", "change", "destroy"] as const;
type Step = (typeof steps)[number];

export interface Result {
  contestant: string;
  /** Seconds, the median of the rounds. */
  seconds: Record<Step, number>;
  /** Requests that the service saw, in one round. */
  requests: Record<Step, number>;
  /** Of the state after `up`. */
  stateBytes: number;
}

interface Round {
  seconds: Map<Step, number>;
  requests: Map<Step, number>;
  stateBytes: number;
}

/** Rounds of all contestants in turn, so that a slow minute of the machine meets each of them. */
export async function measure(contestants: readonly Contestant[], size: number, rounds: number): Promise<Result[]> {
  const done = new Map<Contestant, Round[]>(contestants.map((contestant) => [contestant, []]));
  for (let number = 0; number < rounds; number++)
    for (const contestant of contestants) {
      process.stdout.write(`${contestant.name}, ${String(size)} webhooks, round ${String(number + 1)}\n`);
      done.get(contestant)?.push(await round(contestant, size));
    }
  return [...done].map(([{ name }, all]) => ({
    contestant: name,
    seconds: each((step) => median(all.map(({ seconds }) => seconds.get(step) ?? NaN))),
    requests: each((step) => all[0]?.requests.get(step) ?? NaN),
    stateBytes: median(all.map(({ stateBytes }) => stateBytes)),
  }));
}

async function round({ program }: Contestant, size: number): Promise<Round> {
  // What the service's rate limit costs is not what is measured here.
  const limits = { "webhook.update": 1_000_000 };
  const simulator = await startSimulator({ limits });
  const project = await PulumiProject.create({
    program: program(size, "one"),
    baseUrl: simulator.url,
    environment: { WORKSPACE_APPS_RATE_LIMITS: JSON.stringify(limits) },
  });
  await installNoOp();
  const seconds = new Map<Step, number>();
  const requests = new Map<Step, number>();
  let stateBytes = 0;
  for (const step of steps) {
    if (step === "change") await project.write(program(size, "two"));
    simulator.clearRequests();
    const began = process.hrtime.bigint();
    const run = await (step === "change" ? project.up() : project[step]());
    seconds.set(step, Number(process.hrtime.bigint() - began) / 1e9);
    if (run.code !== 0) throw new Error(run.output.slice(-4000));
    requests.set(step, simulator.requests.length);
    if (step === "up")
      stateBytes = (await stat(path.join(project.folder, "state/.pulumi/stacks/tested/dev.json"))).size;
  }
  await simulator.close();
  return { seconds, requests, stateBytes };
}

async function installNoOp(): Promise<void> {
  const folder = path.join(installedProject(), "node_modules/no-op");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "index.js"), noOpModule);
}

function each(value: (step: Step) => number): Record<Step, number> {
  return Object.fromEntries(steps.map((step) => [step, value(step)])) as Record<Step, number>;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
