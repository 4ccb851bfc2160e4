import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../simulator";
import { assertDone, PulumiProject } from "../harness/engine";
import { installedProject } from "../harness/installation";
import { launchStory } from "../demo/launch-story";
import { storyText } from "../demo/story-text";
import { type Capture } from "./svg";

/** The program of the README. */
const helpDesk = `
  const apps = require("pulumi-workspace-apps");
  new apps.Webhook("replies", {
    agentId: "agent-support", targetUrl: "https://hooks.example.com/replies", events: ["message.completed"],
    description: "Replies to the help desk", signed: true,
  });
  new apps.FolderMembership("shop-in-team", { folderId: "folder-team", appId: "app-shop" });
`;

/** The second campaign waits for the first, so that their ids are the same at every run. */
const shop = `
  const apps = require("pulumi-workspace-apps");
  const campaign = (name, dailyBudgetMicros, dependsOn) => new apps.AdCampaign(name, { appId: "app-shop",
    campaignName: name, campaignType: "SMART", landingPage: "https://shop.example.com/", dailyBudgetMicros }, { dependsOn });
  const evergreen = campaign("evergreen", 20_000_000);
`;

/** The change of one webhook, as `pulumi preview --diff` shows it. */
export function previewCapture(): Promise<Capture> {
  return withStack("help-desk", helpDesk, async (stack, simulator) => {
    await stack.write(helpDesk.replace("to the help desk", "for the night shift"));
    const how = ["--non-interactive", "--suppress-progress", "--color", "always"];
    const run = await stack.pulumi("preview", "--diff", ...how);
    assertDone(run);
    return {
      title: "pulumi preview --diff: the description of one webhook changes, two resources do not",
      command: "pulumi preview --diff",
      output: withoutChance(run.stdout, simulator),
      columns: 96,
    };
  });
}

/** A raised budget and a removed test, as `workspace-apps review` reports them. */
export function reviewCapture(): Promise<Capture> {
  const before = `${shop} campaign("spring", 5_000_000, evergreen);
    new apps.TestFlow("checkout", { appId: "app-shop", definition: { name: "Checkout" } });`;
  return withStack("shop", before, async (stack, simulator) => {
    await stack.write(`${shop} campaign("spring", 8_000_000, evergreen);`);
    const plan = await stack.plan();
    assertDone(plan);
    await writeFile(join(stack.folder, "plan.json"), plan.stdout);
    await writeFile(join(stack.folder, "state.json"), await stack.exportState());
    const args = ["review", "plan.json", "--state", "state.json", "--fail-on", "permanent-delete"];
    return {
      title: "workspace-apps review: daily spend before and after, what is permanently deleted, what is launched",
      command: `npx --no -- workspace-apps ${args.join(" ")}`,
      output: withoutChance(await printedBy(args, stack.folder), simulator),
      columns: 100,
    };
  });
}

/** A launch that is answered with 409 after the campaign went live, as the demo tells it. */
export async function launchCapture(): Promise<Capture> {
  return {
    title: "npm run demo: one launch is sent and answered with 409; the campaign is found in the list by its name",
    command: "npm run demo",
    output: excerptOf(await storyText(launchStory, { colour: true })),
    columns: 100,
  };
}

/** The program of a story, and the lines that show progress: the messages among them follow below. */
const leftOut = /^ {3}(index\.ts:$|[+-] |\| .*(creating|created)|\| +…$)/;

/** The first step of a story, with "…" in the place of what a picture has no room for. */
export function excerptOf(story: string): string {
  const [first = ""] = story.split(/\n+(?=2\/)/);
  const lines = first.split("\n").map((line) => (leftOut.test(line) ? "   …" : line));
  return lines.filter((line, index) => line !== "   …" || lines[index - 1] !== line).join("\n");
}

/** An applied stack of this name, with its own service. */
async function withStack<T>(
  name: string,
  program: string,
  work: (stack: PulumiProject, simulator: Simulator) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator();
  try {
    const stack = await PulumiProject.create({ form: "dynamic", program, baseUrl: simulator.url });
    const settings = `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`;
    await stack.writeSettings(settings);
    assertDone(await stack.pulumi("stack", "init", "dev"));
    assertDone(await stack.up());
    return await work(stack, simulator);
  } finally {
    await simulator.close();
  }
}

/** As a terminal shows it: both streams. The exit code comes from `--fail-on`, and is ignored. */
function printedBy(args: readonly string[], cwd: string): Promise<string> {
  const program = join(installedProject(), "node_modules", ".bin", "workspace-apps");
  return new Promise((done) => {
    execFile(program, args, { cwd }, (_, stdout, stderr) => {
      done(stdout + stderr);
    });
  });
}

/** The ids of webhooks differ in every run. */
function withoutChance(output: string, { objects }: Simulator): string {
  const webhooks = objects.webhooks().map(({ id }, index) => [id, `wh_${String(1001 + index)}`] as const);
  return webhooks.reduce((text, [id, shown]) => text.replaceAll(id, shown), output);
}
