import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { resourceDigitsKey, locatorOf } from "../../provider/pulumi/hidden-inputs";
import { startSimulator } from "../../simulator";
import { DynamicHost } from "../../tools/harness/host";
import { installedProject } from "../../tools/harness/installation";
import { noOpShell } from "../contestants";
import { atMost, type Goal, median, spread } from "../goals";
import { installNoOp } from "../rounds";

const run = promisify(execFile);

/** The memory of the host process that serves all resources, and the time until it has loaded ours. */
export async function hostGoals(size: number, count: number): Promise<Goal[]> {
  await installNoOp();
  const [floors, owns]: [number[], number[]] = [[], []];
  const loads: Loading[] = [];
  for (let number = 1; number <= count; number++) {
    process.stdout.write(`host process, round ${String(number)} of ${String(count)}\n`);
    floors.push(await memoryAfter(size, noOpShell));
    owns.push(await memoryAfter(size, locatorOf("Webhook")));
    loads.push(await loadTime());
  }
  const at = `${String(size)} webhooks`;
  const more = median(owns) - median(floors);
  const loading = (what: string, each: (load: Loading) => number): Goal => {
    const times = loads.map(each);
    return atMost(250, { what, at: "once", value: median(times), unit: "ms", from: spread(times, "ms") });
  };
  return [
    atMost(40, {
      what: "memory of the host, beyond floor",
      at,
      value: more,
      unit: "MB",
      from: `${spread(owns, "MB")} to ${spread(floors, "MB")}`,
    }),
    loading("loading the runtime, processor time", ({ runtime }) => runtime),
    loading("loading the runtime and the HTTP client, processor time", ({ withClient }) => withClient),
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
        // Digits of the resource, as its class gives them.
        [resourceDigitsKey]: number.toString(16).padStart(7, "0"),
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

/** Milliseconds of the processor, which the neighbours of a busy machine do not take. */
interface Loading {
  runtime: number;
  /** The HTTP client is loaded with the first request. */
  withClient: number;
}

/** In a process that has the SDK. */
async function loadTime(): Promise<Loading> {
  const script = `
    require("@pulumi/pulumi");
    const began = process.cpuUsage();
    const spent = () => {
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    require("pulumi-workspace-apps/runtime");
    const runtime = spent();
    // The one that the package itself finds.
    require(require.resolve("undici", { paths: [require.resolve("pulumi-workspace-apps/runtime")] }));
    process.stdout.write(JSON.stringify({ runtime, withClient: spent() }));`;
  const { stdout } = await run(process.execPath, ["-e", script], { cwd: installedProject() });
  return JSON.parse(stdout) as Loading;
}
