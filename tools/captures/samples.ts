import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import { type AnyLifecycle, companions, kinds } from "../../provider/registry";
import { createDeployment } from "../../provider/resources/shared/deployment";
import { ServiceClient } from "../../provider/service/client";
import { readSettings } from "../../provider/settings";
import { type Simulator, startSimulator } from "../../simulator";
import { up } from "../demo/command";
import { withStage } from "../demo/stage";

/* How each sample of output in the pages is made. `pages.ts` puts them into their places. */

type Captures = Readonly<Record<string, () => Promise<string>>>;

const checkout = resolve(__dirname, "..", "..");
const webhook = {
  agentId: "agent-support",
  targetUrl: "https://hooks.example.com/",
  events: ["message.completed"],
  description: "Replies to the help desk",
};
const campaign = {
  appId: "app-shop",
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};

/** Output of this package. `npm run check` compares it with the pages. */
export const samples: Captures = {
  simulator: () => workspaceApps(["simulator", "--port", "0"]),
  doctor: async () => {
    const simulator = await startSimulator();
    const printed = await workspaceApps(["doctor", "--id", "agent_id=agent-1", "--id", "folder_id=folder-1"], {
      WORKSPACE_APPS_BASE_URL: simulator.url,
      WORKSPACE_APPS_ACCESS_TOKEN: "read-only-token",
      WORKSPACE_APPS_ENDPOINTS: '{"folderItem.list": "GET /api/folders/{folder_id}/items"}',
    });
    await simulator.close();
    return printed;
  },
  review: async () => {
    const plan = join(checkout, "test", "cli", "plans", "example.json");
    return workspaceApps(["review", plan, "--state", await stateBefore(plan)]);
  },
  "create-refused": () => failureOf((create) => create(kinds.Webhook, webhook), "read-only-token"),
  "adoption-refused": () =>
    failureOf((create, { objects }) => {
      const found = { target_url: "https://old.example.com/", disabled_at: "2026-01-01T00:00:00Z" };
      objects.putWebhook(webhook.agentId, { id: "wh_1", events: webhook.events, ...found });
      return create(kinds.Webhook, { ...webhook, webhookId: "wh_1" });
    }),
  "launch-uncertain": () =>
    failureOf(async (create, simulator) => {
      simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const launchIntent = await create(companions.LaunchIntent, { appId: campaign.appId });
      return create(kinds.AdCampaign, { ...campaign, launchIntent });
    }),
};

/** Output of the Pulumi CLI. A nightly test compares it. */
export const samplesOfPulumi: Captures = {
  "quickstart-up": async () => {
    const page = await readFile(join(checkout, "docs", "quickstart.md"), "utf8");
    let printed = "";
    const { signal } = new AbortController();
    await withStage({ say: () => undefined, colour: false, signal }, async ({ project }) => {
      await project.changeProgram(/```ts\n([^]*?)```/.exec(page)?.[1] ?? "");
      printed = await project.run(up(), { show: () => undefined, received: () => [] });
    });
    return /^Outputs:\n[^]* created$/m.exec(printed)?.[0] ?? printed;
  },
};

/** Standard output of the command, from the sources. A simulator is stopped after its greeting. */
async function workspaceApps(words: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const script = ["--require", "ts-node/register", join("cli", "main.ts"), ...words];
  const child = spawn(process.execPath, script, { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    printed += String(chunk);
    if (printed.includes("Press Ctrl-C")) child.kill();
  }
  return printed;
}

/** Writes the state that a plan with `--show-sames` was made from, as `pulumi stack export` does. */
async function stateBefore(plan: string): Promise<string> {
  const { steps } = JSON.parse(await readFile(plan, "utf8")) as { steps: { oldState?: object }[] };
  const resources = steps.flatMap(({ oldState }) => oldState ?? []);
  // The folder of the transpiler.
  const file = join(checkout, ".cache", "example-state.json");
  await writeFile(file, JSON.stringify({ version: 3, deployment: { resources } }));
  return file;
}

/** Creates a resource, and returns its id. */
type Create = (lifecycle: AnyLifecycle, declared: object) => Promise<string>;

/** The error that `pulumi up` prints. The steps are those of the dynamic form, and reach the simulator over HTTP. */
async function failureOf(
  program: (create: Create, simulator: Simulator) => Promise<string>,
  accessToken = "full-access-token",
): Promise<string> {
  let time = Date.parse("2026-11-20T21:12:00Z");
  const now = (): number => time;
  const sleep = (milliseconds: number): Promise<void> => Promise.resolve(void (time += milliseconds));
  const clock = { now, sleep, random: () => 0.5 };
  const simulator = await startSimulator({ now });
  const given: Record<string, string> = { baseUrl: simulator.url, accessToken };
  const settings = readSettings((key) => given[key], {});
  const service = new ServiceClient(settings, clock, () => undefined);
  const deployment = createDeployment(service, settings, clock, () => undefined);
  const create: Create = async (lifecycle, declared) => {
    const host = dynamicProvider(lifecycle, () => deployment);
    const checked = await host.check?.({}, { ...declared, [resourceDigitsKey]: "1f0c9a2" });
    return (await host.create(checked?.inputs ?? {})).id;
  };
  try {
    return `${await program(create, simulator)} was created.`;
  } catch (error) {
    // With an id, the resource is saved, and the engine counts its errors.
    return `error: ${"id" in (error as object) ? "1 error occurred:\n\t* " : ""}${(error as Error).message}`;
  } finally {
    await service.close();
    await simulator.close();
  }
}
