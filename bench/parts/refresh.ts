import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { PulumiProject } from "../../tools/harness/engine";
import { ours, packaged, usual } from "../contestants";
import { exactly, type Goal, sum } from "../goals";
import { type Point, pointsOf } from "../points";
import { round } from "../rounds";

interface Deployment {
  deployment: { resources: Stored[] };
}
interface Stored {
  urn: string;
  type: string;
  id?: string;
  outputs?: Record<string, unknown>;
}

/** Objects of one parent. */
interface Objects {
  /** `campaigns of one app`. */
  readonly what: string;
  readonly kind: string;
  readonly args: string;
  /** Puts another one in the service. Returns its id and the outputs in which it differs from the first. */
  readonly add: (simulator: Simulator, name: string) => { readonly id: string; readonly outputs: object };
}

export const campaigns: Objects = {
  what: "campaigns of one app",
  kind: "AdCampaign",
  args: `appId: "app", campaignName: "first", campaignType: "SMART", dailyBudgetMicros: 1000000,
    landingPage: "https://shop.example.com/"`,
  add: ({ objects }, name) => {
    const [launched] = objects.campaigns("app");
    const { id } = objects.putCampaign("app", { ...launched, id: name, campaign_name: name });
    return { id, outputs: { campaignName: name, campaignId: id } };
  },
};

export const memberships: Objects = {
  what: "memberships of one folder",
  kind: "FolderMembership",
  args: `folderId: "folder", appId: "first"`,
  add: ({ objects }, name) => {
    objects.addFolderItem("folder", name);
    return { id: `folder/${name}`, outputs: { appId: name } };
  },
};

/**
 * A refresh of many objects of one parent, which one request reads. One is created. Then the state and the
 * service get as many of its kind as wanted, because only the refresh is measured.
 */
export async function refreshOf({ what, kind, args, add }: Objects, size: number): Promise<Goal[]> {
  const at = `${String(size)} ${what}`;
  process.stdout.write(`refresh of ${at}\n`);
  const simulator = await startSimulator();
  try {
    const program = `new (require("pulumi-workspace-apps").${kind})("first", { ${args} });`;
    const project = await PulumiProject.create({ program, baseUrl: simulator.url });
    await succeed(project.up());
    const file = path.join(project.folder, "stack.json");
    await succeed(project.pulumi("stack", "export", "--file", file));
    const state = JSON.parse(await readFile(file, "utf8")) as Deployment;
    const { resources } = state.deployment;
    const first = resources.find(({ type }) => type.endsWith(`:${kind}`));
    if (first === undefined) throw new Error(`The state holds no ${kind}.`);
    for (let number = 2; number <= size; number++) {
      const name = `object-${String(number)}`;
      const { id, outputs } = add(simulator, name);
      resources.push({
        ...first,
        urn: first.urn.replace(/first$/, name),
        id,
        outputs: { ...first.outputs, ...outputs },
      });
    }
    await writeFile(file, JSON.stringify(state));
    await succeed(project.pulumi("stack", "import", "--file", file));
    simulator.clearRequests();
    const { changes } = await succeed(project.refresh());
    const refreshed = sum(Object.values(changes));
    if (refreshed !== size) throw new Error(`${String(refreshed)} of ${at} were refreshed.`);
    return [
      exactly(1, {
        what: "requests of refresh",
        at,
        value: simulator.requests.length,
        unit: "requests",
        from: `${String(refreshed)} resources refreshed`,
      }),
    ];
  } finally {
    await simulator.close();
  }
}

/** How many requests a refresh of webhooks sends: ours in both forms, and the usual way, which reads each of them. */
export async function webhookRefreshes(size: number): Promise<Point[]> {
  const points: Point[] = [];
  for (const contestant of [ours, packaged, usual]) {
    process.stdout.write(`refresh of ${String(size)} webhooks, ${contestant.name}\n`);
    const done = await round(contestant, size, ["up", "refresh"]);
    points.push(...pointsOf(size, { [contestant.name]: [done] }, ["requests of refresh"]));
  }
  return points;
}

async function succeed<T extends { code: number | null; output: string }>(run: Promise<T>): Promise<T> {
  const done = await run;
  if (done.code !== 0) throw new Error(done.output.slice(-4000));
  return done;
}
