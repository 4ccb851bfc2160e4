import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { LoggedRequest } from "../../simulator";
import { killedStory } from "../../tools/demo/killed-story";
import { launchStory } from "../../tools/demo/launch-story";
import { reviewStory } from "../../tools/demo/review-story";
import { storyText } from "../../tools/demo/story-text";
import { webhookStory } from "../../tools/demo/webhook-story";
import { workFolder } from "../../tools/harness/installation";

const stories = [webhookStory, launchStory, killedStory, reviewStory];

/** A running demo. Its temporary files are in a folder of their own. */
class Demo {
  printed = "";
  private readonly ended: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.printed += text));
    this.ended = new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  }

  static async start(...options: string[]): Promise<Demo> {
    const folder = await mkdtemp(path.join(workFolder(), "demo-"));
    const child = spawn(process.execPath, ["--require", "ts-node/register", "tools/demo", ...options], {
      cwd: path.resolve(__dirname, "../.."),
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Demo(child, folder);
  }

  /** Waits until it has printed this, and returns what the first group matched. */
  async printing(words: RegExp): Promise<string> {
    for (;;) {
      const match = words.exec(this.printed);
      if (match !== null) return match[1] ?? "";
      const next = new Promise((resolve) => this.child.stdout?.once("data", resolve));
      const code = await Promise.race([next.then(() => undefined), this.ended]);
      assert.equal(code, undefined, `it ended before it printed ${String(words)}:\n${this.printed}`);
    }
  }

  /** Presses Ctrl-C, and returns the exit code and which of its own folders are left. Node keeps a cache beside them. */
  async interrupt(): Promise<{ code: number | null; left: string[] }> {
    this.child.kill("SIGINT");
    const code = await this.ended;
    return { code, left: (await readdir(this.folder)).filter((name) => name.startsWith("workspace-apps-demo-")) };
  }
}

describe("npm run demo", () => {
  it("tells every story, checks every step, and keeps the simulator for its page until Ctrl-C", async () => {
    const demo = await Demo.start("--keep");
    const page = await demo.printing(/The simulator still runs\. Open (http:\S+\/__simulator\/) /);
    const { printed } = demo;
    const shown = stories.flatMap(({ title, steps }) => [title, ...steps.map(({ promise }) => `Checked: ${promise}.`)]);
    const lines = printed.split("\n").map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => shown.includes(line)),
      shown,
      printed,
    );
    assert.equal(printed, stripVTControlCharacters(printed), "colours without a terminal");

    const requests = (await (await fetch(`${page}requests`)).json()) as { requests: LoggedRequest[] };
    const launches = requests.requests.filter(({ operation }) => operation === "campaign.launch");
    assert.deepEqual(
      launches.map(({ status }) => status),
      [409, "none"],
    );
    assert.deepEqual(await demo.interrupt(), { code: 0, left: [] });
  });

  it("cleans up after Ctrl-C in the middle of a command", async () => {
    const demo = await Demo.start();
    await demo.printing(/\$ pulumi up/);
    assert.deepEqual(await demo.interrupt(), { code: 130, left: [] });
    assert.match(demo.printed, /^demo: interrupted by SIGINT$/m);
  });

  it("gives the text of one story, the same in every run", async () => {
    const ads = "/api/apps/app-shop/ads-platform";
    const text = await storyText(launchStory);
    assert.ok(text.startsWith(`${launchStory.title}\n`), text);
    assert.deepEqual(
      text.split("\n").filter((line) => line.startsWith("   > ")),
      [
        `   > GET ${ads}/campaigns -> 200`,
        `   > GET ${ads}/launch-readiness -> 200`,
        `   > POST ${ads}/launch {"campaign":{"campaign_name":"Spring sale","campaign_type":"SMART","daily_budget_micros":5000000,"landing_page":"https://shop.example.com/spring"}} -> 409`,
        `   > GET ${ads}/campaigns -> 200`,
      ],
    );
    assert.doesNotMatch(text, /Duration|\d+s\)|127\.0\.0\.1:(?!4010)/);
  });
});
