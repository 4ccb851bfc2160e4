import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { storedProvider } from "../../provider/pulumi/stored-provider";
import { isOperationId, operations } from "../../provider/service/operations";
import { startSimulator } from "../../simulator";
import { DynamicHost, HostError } from "../harness/host";
import { Chance } from "../simulate/chance";
import { drawFaults } from "./faults";
import { appId, drawProgram } from "./programs";
import { clear, heldBy } from "./service";
import { Broken } from "./round";

const execute = promisify(execFile);

/** What a process holds. */
interface Held {
  megabytes: number;
  handles: number;
}

export interface Growth {
  /** By the engine. */
  calls: number;
  /** After a tenth of them, when everything is loaded and every connection was made. */
  early: Held;
  late: Held;
}

/**
 * Why this is a leak; undefined when it is none. Over a thousand lives, which are some 30,000 calls, what leaves 1 kB
 * behind at each is found.
 */
export function growthFault({ early, late }: Growth): string | undefined {
  if (late.megabytes > early.megabytes + allowance.megabytes) return "The host's memory grows.";
  return late.handles > early.handles + allowance.handles ? "The host's handles grow." : undefined;
}

/** What the garbage collector may not have given back yet; and the most connections that are kept. */
const allowance: Held = { megabytes: 30, handles: 32 };

type Properties = Record<string, unknown>;

/** So that what could be given back is: the collector is in no hurry where there is room. */
const tightMemory = { NODE_OPTIONS: "--max-old-space-size=128 --max-semi-space-size=2" };

/** The limits would make it a test of patience. */
const limits = Object.fromEntries(
  Object.keys(operations)
    .filter(isOperationId)
    .map((id) => [id, 1_000_000]),
);

/**
 * One host over the lives of many objects, as no `pulumi` command is long enough to have: made, compared, changed, read
 * and deleted, every twentieth time among faults.
 */
export async function exerciseHost(lives: number, seed: number, signal?: AbortSignal): Promise<Growth> {
  const simulator = await startSimulator({ limits });
  const config = {
    "workspace-apps:baseUrl": simulator.url,
    "workspace-apps:accessToken": "full-access-token",
    "workspace-apps:rateLimits": JSON.stringify(limits),
    "workspace-apps:launchSettleSeconds": "0",
  };
  const host = await DynamicHost.start(config, tightMemory);
  const chance = new Chance(seed);
  let calls = 0;
  let early: Held | undefined;
  try {
    for (let life = 1; life <= lives; life++) {
      signal?.throwIfAborted();
      const isFaulty = life % 20 === 0;
      // One that hangs only takes time here.
      const faults = drawFaults(chance).filter(({ then }) => then !== "hang");
      if (isFaulty) for (const fault of faults) simulator.fault(fault);
      const begun = drawProgram(chance).map(({ kind, args }) => {
        // The name of a campaign whose launch stays uncertain is not free again.
        const own = kind === "AdCampaign" ? { campaignName: `campaign ${String(life)}` } : {};
        return live(host, { ...args, ...own, __provider: storedProvider(kind) });
      });
      for (const count of await Promise.all(begun)) calls += count;
      simulator.clearFaults();
      simulator.clearRequests();
      const left = [...heldBy(simulator).keys()];
      if (!isFaulty && left.length > 0) throw new Broken(`In life ${String(life)} the host leaves ${left.join(", ")}.`);
      clear(simulator, left);
      // The service lists those that were deleted for ever: the lists would become longer with every life.
      for (const { id } of simulator.objects.campaigns(appId)) simulator.objects.removeCampaign(appId, id);
      if (life === Math.ceil(lives / 10)) early = await heldIn(host);
    }
    const late = await heldIn(host);
    return { calls, early: early ?? late, late };
  } finally {
    await host.stop();
    await simulator.close();
  }
}

/** How many calls were made until the object was gone, or one of them failed. */
async function live(host: DynamicHost, declared: Properties): Promise<number> {
  let calls = 0;
  try {
    const { inputs } = await host.check({}, declared);
    calls++;
    const { id, properties } = await host.create({ ...inputs, __provider: declared["__provider"] });
    calls++;
    await host.diff(properties, inputs);
    calls++;
    const updated = await host.update(id, properties, {
      ...inputs,
      __provider: declared["__provider"],
      deletionPolicy: "delete",
    });
    calls++;
    await host.read(id, updated);
    calls++;
    await host.delete(id, updated);
    return calls + 1;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return calls + 1;
  }
}

/** By the kernel's own account; where it does not tell the handles, none are counted. */
async function heldIn({ process: { pid = 0 } }: DynamicHost): Promise<Held> {
  const { stdout } = await execute("ps", ["-o", "rss=", "-p", String(pid)]);
  const handles = await readdir(`/proc/${String(pid)}/fd`).catch(() => []);
  return { megabytes: Math.round(Number(stdout) / 1024), handles: handles.length };
}
