import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { shell } from "../../provider/engine/shell";
import { startSimulator } from "../../simulator";
import { DynamicHost } from "../../test/support/host";
import { installedProject } from "../../test/support/installation";
import { noOpShell } from "../contestants";
import { atMost, type Goal, median, spread } from "../goals";
import { installNoOp } from "../rounds";

const run = promisify(execFile);

/** The memory of the host process that serves all resources, and the time until it has loaded ours. */
export async function hostGoals(size: number, count: number): Promise<Goal[]> {
  await installNoOp();
  const [floors, owns, loads]: [number[], number[], number[]] = [[], [], []];
  for (let number = 1; number <= count; number++) {
    process.stdout.write(`host process, round ${String(number)} of ${String(count)}\n`);
    floors.push(await memoryAfter(size, noOpShell));
    owns.push(await memoryAfter(size, shell("Webhook")));
    loads.push(await loadTime());
  }
  const at = `${String(size)} webhooks`;
  const more = median(owns) - median(floors);
  return [
    atMost(40, {
      what: "memory of the host, beyond floor",
      at,
      value: more,
      unit: "MB",
      from: `${spread(owns, "MB")} to ${spread(floors, "MB")}`,
    }),
    atMost(250, {
      what: "loading the runtime, processor time",
      at: "once",
      value: median(loads),
      unit: "ms",
      from: spread(loads, "ms"),
    }),
  ];
}

/** Megabytes that the host holds after checking, creating, changing and deleting so many, as the engine has it do. */
async function memoryAfter(size: number, __provider: string): Promise<number> {
  const limits = { "webhook.update": 1_000_000 };
  const simulator = await startSimulator({ limits });
  const host = await DynamicHost.start({
    "workspace-apps:baseUrl": simulator.url,
    "workspace-apps:accessToken": "full-access-token",
    "workspace-apps:rateLimits": JSON.stringify(limits),
  });
  try {
    const one = async (number: number): Promise<void> => {
      const given = {
        __provider,
        agentId: "agent",
        targetUrl: `https://hooks.example.com/${String(number)}`,
        events: ["message.created"],
      };
      const { inputs } = await host.check({}, given);
      const { id, properties } = await host.create(inputs);
      const changed = { ...inputs, description: "two" };
      await host.diff(properties, changed);
      await host.delete(id, await host.update(id, properties, changed));
    };
    // As many at once as the engine on a machine with four cores.
    const atOnce = 16;
    for (let number = 0; number < size; number += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, offset) => one(number + offset)));
    return await residentMegabytes(host.process.pid ?? 0);
  } finally {
    await host.stop();
    await simulator.close();
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(async () => {
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
    return `VmRSS: ${stdout}`;
  });
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Milliseconds of the processor, which the neighbours of a busy machine do not take, in a process that has the SDK. */
async function loadTime(): Promise<number> {
  const script = `
    require("@pulumi/pulumi");
    const began = process.cpuUsage();
    require("pulumi-workspace-apps/runtime");
    const { user, system } = process.cpuUsage(began);
    process.stdout.write(String((user + system) / 1000));`;
  const { stdout } = await run(process.execPath, ["-e", script], { cwd: installedProject() });
  return Number(stdout);
}
