import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import { isOperationId, operations } from "../../provider/service/operations";
import { startSimulator } from "../../simulator";
import { DynamicHost, HostError } from "../harness/host";
import { Chance } from "../simulate/chance";
import { appId, drawProgram } from "./programs";
import { clear, heldBy } from "./service";
import { Broken } from "./round";

const execute = promisify(execFile);

/** The resources of a process. */
interface Held {
  megabytes: number;
  handles: number;
}

export interface Growth {
  /** Calls to the host, as the engine makes them. */
  calls: number;
  /** After a tenth of the calls, when all code is loaded and all connections are open. */
  early: Held;
  late: Held;
}

/**
 * Why this growth is a leak; undefined when it is not. A thousand lives are about 30,000 calls, so a leak of 1 kB for
 * each call is found.
 */
export function growthFault({ early, late }: Growth): string | undefined {
  if (late.megabytes > early.megabytes + allowance.megabytes) return "The host's memory grows.";
  return late.handles > early.handles + allowance.handles ? "The host's handles grow." : undefined;
}

/** Memory that the garbage collector may not have freed yet, and the most connections that are kept open. */
const allowance: Held = { megabytes: 30, handles: 32 };

type Properties = Record<string, unknown>;

/** With little memory the garbage collector frees everything that it can. */
const tightMemory = { NODE_OPTIONS: "--max-old-space-size=128 --max-semi-space-size=2" };

/** With the real rate limits this would take hours. */
const limits = Object.fromEntries(
  Object.keys(operations)
    .filter(isOperationId)
    .map((id) => [id, 1_000_000]),
);

/**
 * One host process for the lives of many objects, far more than one `pulumi` command has. Each is created, compared,
 * changed, read and deleted. No call fails: after a failure, a host refuses deletions.
 */
export async function exerciseHost(lives: number, seed: number): Promise<Growth> {
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
      const begun = drawProgram(chance).map(({ kind, args }) => {
        // The name of a campaign whose launch stays uncertain is not free again.
        const own = kind === "AdCampaign" ? { campaignName: `campaign ${String(life)}` } : {};
        return live(host, { ...args, ...own, __provider: locatorOf(kind) }, kind === "AdCampaign");
      });
      for (const count of await Promise.all(begun)) calls += count;
      simulator.clearRequests();
      const left = [...heldBy(simulator).keys()];
      if (left.length > 0) throw new Broken(`In life ${String(life)} the host left ${left.join(", ")} behind.`);
      clear(simulator, left);
      // The service lists deleted campaigns for ever, so the lists would grow with every life.
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

/** Carries one object through its life. Returns how many calls were made until it was deleted or a call failed. */
async function live(host: DynamicHost, declared: Properties, isCampaign: boolean): Promise<number> {
  let calls = 0;
  try {
    // A campaign without a launch intent does not pass the check.
    const { inputs } = isCampaign ? { inputs: declared } : await host.check({}, declared);
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

/** As the kernel reports it. Where it does not report handles, they count as none. */
async function heldIn({ process: { pid = 0 } }: DynamicHost): Promise<Held> {
  const { stdout } = await execute("ps", ["-o", "rss=", "-p", String(pid)]);
  const handles = await readdir(`/proc/${String(pid)}/fd`).catch(() => []);
  return { megabytes: Math.round(Number(stdout) / 1024), handles: handles.length };
}
