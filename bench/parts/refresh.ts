import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { startSimulator } from "../../simulator";
import { PulumiProject } from "../../tools/harness/engine";
import { exactly, type Goal, sum } from "../goals";

interface Deployment {
  deployment: { resources: Stored[] };
}
interface Stored {
  urn: string;
  type: string;
  id?: string;
  outputs?: Record<string, unknown>;
}

const program = `
  const apps = require("pulumi-workspace-apps");
  new apps.AdCampaign("campaign", {
    appId: "app", campaignName: "campaign", campaignType: "SMART", dailyBudgetMicros: 1000000,
    landingPage: "https://shop.example.com/",
  });`;

/**
 * A refresh of many campaigns of one app, which one request reads. One is launched; the state and the service are then
 * given as many of its kind as wanted, because it is the refresh that is asked about.
 */
export async function refreshOfCampaigns(size: number): Promise<Goal[]> {
  process.stdout.write(`refresh of ${String(size)} campaigns of one app\n`);
  const simulator = await startSimulator();
  try {
    const project = await PulumiProject.create({ program, baseUrl: simulator.url });
    await succeed(project.up());
    const [launched] = simulator.objects.campaigns("app");
    if (launched === undefined) throw new Error("No campaign was launched.");
    const file = path.join(project.folder, "stack.json");
    await succeed(project.pulumi("stack", "export", "--file", file));
    const state = JSON.parse(await readFile(file, "utf8")) as Deployment;
    const { resources } = state.deployment;
    const first = resources.find(({ type }) => type.endsWith(":AdCampaign"));
    if (first === undefined) throw new Error("The state holds no campaign.");
    for (let number = 2; number <= size; number++) {
      const name = `campaign-${String(number)}`;
      const { id } = simulator.objects.putCampaign("app", { ...launched, id: name, campaign_name: name });
      const known = { campaignName: name, campaignId: id };
      resources.push({
        ...first,
        urn: first.urn.replace(/campaign$/, name),
        id,
        outputs: { ...first.outputs, ...known },
      });
    }
    await writeFile(file, JSON.stringify(state));
    await succeed(project.pulumi("stack", "import", "--file", file));
    simulator.clearRequests();
    const { changes } = await succeed(project.refresh());
    const refreshed = sum(Object.values(changes));
    if (refreshed !== size) throw new Error(`${String(refreshed)} of ${String(size)} campaigns were refreshed.`);
    const at = `${String(size)} campaigns of one app`;
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

async function succeed<T extends { code: number | null; output: string }>(run: Promise<T>): Promise<T> {
  const done = await run;
  if (done.code !== 0) throw new Error(done.output.slice(-4000));
  return done;
}
