import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import packageJson from "../../package.json";
import { startSimulator, type Simulator } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, type Run } from "../../tools/harness/engine";
import { engineFolder, projectFolder } from "../../tools/harness/installation";
import { example, type Pipeline, runJob, type Script, startScript } from "./pipelines";
import { mainHead, type Platform, type PlatformName, platforms, startPlatform } from "./platforms";

const teamState = "team-state";

/** A checkout of the example on a runner, with only the environment that the pipeline provides. */
class Runner {
  private constructor(
    readonly folder: string,
    private readonly pipeline: Pipeline,
    private readonly values: Record<string, string>,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(pipeline: Pipeline, simulator: Simulator, platform: Platform): Promise<Runner> {
    const folder = await projectFolder();
    await cp(example, folder, { recursive: true });
    const state = path.join(folder, teamState);
    await mkdir(state);
    const inherited = Object.entries(process.env).filter(([key]) => !/^(PULUMI|WORKSPACE_APPS|AWS)_/.test(key));
    const environment = {
      ...Object.fromEntries(inherited),
      PATH: [engineFolder(), process.env["PATH"]].join(path.delimiter),
      PULUMI_HOME: await homeWithEngine(folder),
    };
    const all = {
      ...platform.values(mainHead),
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "team",
      WORKSPACE_APPS_BASE_URL: simulator.url,
      CI_PROJECT_DIR: folder,
    };
    const runner = new Runner(folder, pipeline, all, environment);
    assertDone(await runner.script("npx --no -- pulumi stack init prod"));
    return runner;
  }

  /** Runs commands, as maintainers do by hand. */
  script(commands: string): Promise<Run> {
    return startScript({ commands, environment: this.values }, this.folder, this.environment).ended;
  }

  async run(job: string, unlock = false): Promise<Run> {
    return runJob(await this.scripts(job, unlock), this.folder, this.environment);
  }

  /** Kills the runner in the middle of an apply, as a platform does at its time limit. */
  async killDuringLaunch(simulator: Simulator): Promise<void> {
    const up = await this.applyUntilUp();
    const stack = { form: "dynamic" as const, start: () => startScript(up, this.folder, this.environment) };
    const moment = { operation: "campaign.launch", commit: true, then: "hang" } as const;
    await killDuring({ stack, simulator }, "up", "cli", moment);
  }

  /** Applies, and replaces a passage of the program after its plan was reviewed. */
  async applyWithLateEdit(before: string, after: string): Promise<Run> {
    const up = await this.applyUntilUp();
    await this.edit(before, after);
    return runJob([up], this.folder, this.environment);
  }

  /** Runs all commands of an apply but the last, which is returned. */
  private async applyUntilUp(): Promise<Script> {
    const scripts = await this.scripts("apply", false);
    const last = scripts.pop();
    assert.ok(last !== undefined);
    const lines = last.commands.trim().split("\n");
    const up = lines.pop() ?? "";
    assert.match(up, /pulumi up --yes/);
    const earlier = { ...last, commands: lines.join("\n") };
    assertDone(await runJob([...scripts, earlier], this.folder, this.environment));
    return { ...last, commands: up };
  }

  /** Replaces a passage of the program, as in a pull request. */
  async edit(before: string, after: string): Promise<void> {
    const file = path.join(this.folder, "index.ts");
    const program = await readFile(file, "utf8");
    assert.ok(program.includes(before));
    await writeFile(file, program.replace(before, after));
  }

  /** Every file of the team's state, with its content. */
  async state(): Promise<Record<string, string>> {
    const folder = path.join(this.folder, teamState);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const contents = await Promise.all(files.map((file) => readFile(file, "utf8")));
    return Object.fromEntries(files.map((file, index): [string, string] => [file, contents[index] ?? ""]));
  }

  private scripts(job: string, unlock: boolean) {
    // The tokens exist only in the environments that need them.
    const token = job === "apply" || job === "drift" ? { WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token" } : {};
    return this.pipeline(job, { values: { ...this.values, ...token }, unlock });
  }
}

/** Where `npx pulumi` looks for the pinned CLI before it downloads it. */
async function homeWithEngine(folder: string): Promise<string> {
  const home = path.join(folder, "pulumi-home");
  const version = path.join(home, "versions", packageJson.devDependencies.pulumi);
  await mkdir(version, { recursive: true });
  await symlink(engineFolder(), path.join(version, "bin"));
  return home;
}

/** The operation and the body of each request that is not a read. */
function writes({ requests }: Simulator): unknown[] {
  return requests.filter(({ method }) => method !== "GET").map(({ operation, body }) => [operation, body]);
}

/** Tests that run every job of a platform's pipeline. The kills and the refused plans run at night. */
export function pipelineRuns(name: PlatformName, { isNightly = false } = {}): void {
  const pipeline = new Map(platforms).get(name) ?? assert.fail();
  describe(`The pipeline for ${name}, run unchanged,`, () => {
    let simulator: Simulator;
    let platform: Platform;
    let runner: Runner;
    beforeEach(async () => {
      simulator = await startSimulator();
      platform = await startPlatform(name);
      runner = await Runner.create(pipeline, simulator, platform);
    });
    afterEach(async () => {
      platform.close();
      await simulator.close();
    });

    it("applies merged changes, reports drift without changing anything, and repairs it", async () => {
      assertDone(await runner.run("apply"));
      assert.equal(simulator.objects.launches("app-shop").length, 1);
      const [webhook] = simulator.objects.webhooks("agent-support");
      assert.ok(webhook?.has_secret);
      const state = await runner.state();
      simulator.objects.putWebhook("agent-support", { ...webhook, description: "changed by hand" });
      simulator.clearRequests();
      assertFailed(await runner.run("drift"), /changed by hand/);
      assert.deepEqual(writes(simulator), []);
      // Its role does not need write access to the state.
      assert.deepEqual(await runner.state(), state);
      assertDone(await runner.run("apply"));
      assert.deepEqual(writes(simulator), [["webhook.update", { description: null }]]);
      assert.deepEqual(
        simulator.objects.webhooks("agent-support").map(({ description }) => description),
        [null],
      );
      assertDone(await runner.run("drift"));
    });

    it("comments on a change with its review, and fails a change that the policies reject", async () => {
      const commented = (): string => platform.comments.map(({ text }) => text).join();
      const state = await runner.state();
      assertDone(await runner.run("preview"));
      assertDone(await runner.run("comment"));
      assert.match(commented(), /^<!-- .* -->\nReview of 0{40}:\n[^]*`spring` .* is launched with 5\.00 a day/);
      await runner.edit("hooks.example.com", "hooks.example.net");
      await runner.edit("apps.micros(5)", "apps.micros(25)");
      const refused = await runner.run("preview");
      assertFailed(refused, /25\.00 a day is above 20\.00[^]*\[mandatory\] +daily-spend/);
      assertFailed(refused, /\[mandatory\] +approved-webhook-targets/);
      assertDone(await runner.run("comment"));
      assert.equal(platform.comments.length, 1);
      assert.match(commented(), /`spring` .* is launched with 25\.00 a day/);
      assert.equal(simulator.requests.length, 0);
      assert.deepEqual(await runner.state(), state);
    });

    if (!isNightly) return;

    it("stays locked after an apply was killed, until someone unlocks and finishes it by hand", async () => {
      await runner.killDuringLaunch(simulator);
      assertFailed(await runner.run("apply"), /currently locked/);
      assertDone(await runner.run("apply", true));
      assert.equal(simulator.objects.launches("app-shop").length, 1);
      assertDone(await runner.run("drift"));
    });

    it("sends nothing for a protected campaign that drifted, and launches one that is gone again", async () => {
      assertDone(await runner.run("apply"));
      const [campaign] = simulator.objects.campaigns("app-shop");
      const change = (values: object): void => {
        simulator.objects.changeCampaign("app-shop", campaign?.id ?? "", values);
      };
      change({ daily_budget_micros: 6_000_000 });
      simulator.clearRequests();
      assertFailed(await runner.run("drift"), /dailyBudgetMicros/);
      assertFailed(await runner.run("apply"), /the preview failed with \d errors? \(about "spring"\)/);
      assert.match(
        await readFile(path.join(runner.folder, "plan.json"), "utf8"),
        /it is currently marked for protection/,
      );
      await runner.edit("apps.micros(5)", "apps.micros(6)");
      assertDone(await runner.run("apply"));
      assertDone(await runner.run("drift"));
      assert.deepEqual(writes(simulator), []);
      change({ status: "REMOVED" });
      assertDone(await runner.run("apply"));
      assert.deepEqual(
        simulator.requests.filter(({ method }) => method !== "GET").map(({ operation }) => operation),
        ["campaign.launch"],
      );
    });

    it("applies only what its own review accepted, of the same commit and state", async () => {
      const refused = await runner.applyWithLateEdit("apps.micros(5)", "apps.micros(6)");
      assertFailed(refused, /violates plan: properties changed: .*dailyBudgetMicros/);
      await runner.edit("apps.micros(6)", "apps.micros(25)");
      const above = await runner.run("apply");
      assertFailed(above, /25\.00 a day is above 20\.00/);
      assert.doesNotMatch(above.output, /Updating|\[mandatory\]/);
      assert.equal(simulator.objects.launches("app-shop").length, 0);
      await runner.edit("apps.micros(25)", "apps.micros(5)");
      assertDone(await runner.run("apply"));
      await runner.edit("businessName:", "paused: true,\n    businessName:");
      assertDone(await runner.run("apply"));
      assert.equal(simulator.objects.launches("app-shop").length, 1);
    });
  });
}
