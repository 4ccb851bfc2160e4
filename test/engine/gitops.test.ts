import assert from "node:assert/strict";
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import packageJson from "../../package.json";
import { startSimulator, type Simulator } from "../../simulator";
import { killDuring } from "../support/crash";
import { assertDone, assertFailed, type Run } from "../support/engine";
import { engineFolder, projectFolder } from "../support/installation";
import { example, githubActions, gitlab, type Pipeline, runJob, startScript } from "../support/pipelines";

/** A checkout of the example on a runner, which has nothing in its environment but what the pipeline gives. */
class Runner {
  private constructor(
    readonly folder: string,
    private readonly pipeline: Pipeline,
    private readonly values: Record<string, string>,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(pipeline: Pipeline, simulator: Simulator, values: Record<string, string>): Promise<Runner> {
    const folder = await projectFolder();
    await cp(example, folder, { recursive: true });
    const state = path.join(folder, "team-state");
    const bin = path.join(folder, "bin");
    for (const one of [state, bin]) await mkdir(one);
    // What GitHub's runners have: writes down how it is called.
    await writeFile(path.join(bin, "gh"), `#!/bin/sh\nprintf '%s\\n' "$@" > gh.called\n`);
    await chmod(path.join(bin, "gh"), 0o755);
    const inherited = Object.entries(process.env).filter(([key]) => !/^(PULUMI|WORKSPACE_APPS|AWS)_/.test(key));
    const environment = {
      ...Object.fromEntries(inherited),
      PATH: [bin, engineFolder(), process.env["PATH"]].join(path.delimiter),
      PULUMI_HOME: await homeWithEngine(folder),
    };
    const all = {
      ...values,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "team",
      WORKSPACE_APPS_BASE_URL: simulator.url,
      CI_PROJECT_DIR: folder,
    };
    const runner = new Runner(folder, pipeline, all, environment);
    assertDone(await runner.script("npx --no -- pulumi stack init prod"));
    return runner;
  }

  /** As its maintainers do by hand. */
  script(commands: string): Promise<Run> {
    return startScript({ commands, environment: this.values, always: false }, this.folder, this.environment).ended;
  }

  async run(job: string, unlock = false): Promise<Run> {
    return runJob(await this.scripts(job, unlock), this.folder, this.environment);
  }

  /** Kills the runner in the middle of an apply, as a platform does that waits no longer. */
  async killDuringLaunch(simulator: Simulator): Promise<void> {
    const [apply] = await this.scripts("apply", false);
    assert.ok(apply !== undefined);
    const stack = { start: () => startScript(apply, this.folder, this.environment) };
    const moment = { operation: "campaign.launch", commit: true, then: "hang" } as const;
    await killDuring({ stack, simulator }, "up", "cli", moment);
  }

  /** Replaces a passage of the program, as in a pull request. */
  async edit(before: string, after: string): Promise<void> {
    const file = path.join(this.folder, "index.ts");
    const program = await readFile(file, "utf8");
    assert.ok(program.includes(before));
    await writeFile(file, program.replace(before, after));
  }

  private scripts(job: string, unlock: boolean) {
    // The tokens are there for the environments that need them alone.
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

interface Comment {
  url: string | undefined;
  token: unknown;
  body: string;
}

/** Takes the place of GitLab's API. */
async function startNotes() {
  const comments: Comment[] = [];
  const server = createServer((request, response) => {
    let sent = "";
    request.on("data", (chunk: Buffer) => (sent += chunk.toString()));
    request.on("end", () => {
      const body = new URLSearchParams(sent).get("body") ?? "";
      comments.push({ url: request.url, token: request.headers["private-token"], body });
      response.writeHead(201).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { comments, url: `http://127.0.0.1:${String(port)}/api/v4`, close: () => server.close() };
}

type Notes = Awaited<ReturnType<typeof startNotes>>;

/** What was commented on the change, by each platform's own way. */
const platforms: { name: string; pipeline: Pipeline; commented: (folder: string, notes: Notes) => Promise<string> }[] =
  [
    {
      name: "GitHub Actions",
      pipeline: githubActions,
      commented: async (folder) => {
        const called = (await readFile(path.join(folder, "gh.called"), "utf8")).trim().split("\n");
        assert.deepEqual(called, ["pr", "comment", "7", "--edit-last", "--create-if-none", "--body-file", "review.md"]);
        return readFile(path.join(folder, "review.md"), "utf8");
      },
    },
    {
      name: "GitLab",
      pipeline: gitlab,
      commented: (_folder, { comments }) => {
        const last = comments.at(-1);
        assert.deepEqual([last?.url, last?.token], ["/api/v4/projects/42/merge_requests/7/notes", "review-token"]);
        return Promise.resolve(last?.body ?? "");
      },
    },
  ];

for (const { name, pipeline, commented } of platforms)
  describe(`The pipeline for ${name}, run as it stands`, () => {
    let simulator: Simulator;
    let notes: Notes;
    let runner: Runner;
    beforeEach(async () => {
      simulator = await startSimulator();
      notes = await startNotes();
      runner = await Runner.create(pipeline, simulator, {
        "github.token": "gh-token",
        "github.repository": "team/stack",
        "github.event.pull_request.number": "7",
        STATE_ID_TOKEN: "id-token",
        CI_API_V4_URL: notes.url,
        CI_PROJECT_ID: "42",
        CI_MERGE_REQUEST_IID: "7",
        REVIEW_TOKEN: "review-token",
      });
    });
    afterEach(async () => {
      notes.close();
      await simulator.close();
    });

    it("applies what was merged, and reports drift without touching it", async () => {
      assertDone(await runner.run("apply"));
      assert.equal(simulator.objects.launches("app-shop").length, 1);
      const [webhook] = simulator.objects.webhooks("agent-support");
      assert.ok(webhook?.has_secret);
      assertDone(await runner.run("drift"));
      simulator.objects.putWebhook("agent-support", { ...webhook, description: "changed by hand" });
      simulator.clearRequests();
      assertFailed(await runner.run("drift"), /changed by hand/);
      assert.deepEqual(
        simulator.requests.filter(({ method }) => method !== "GET"),
        [],
      );
    });

    it("stays locked after an apply was killed, and is unlocked and finished by hand", async () => {
      await runner.killDuringLaunch(simulator);
      assertFailed(await runner.run("apply"), /currently locked/);
      assertDone(await runner.run("apply", true));
      assert.equal(simulator.objects.launches("app-shop").length, 1);
      assertDone(await runner.run("drift"));
    });

    it("comments on a change with its review, and fails one that the policies refuse", async () => {
      assertDone(await runner.run("preview"));
      assertDone(await runner.run("comment"));
      assert.match(await commented(runner.folder, notes), /`spring` .* is launched with 5\.00 a day/);
      await runner.edit("hooks.example.com", "hooks.example.net");
      assertFailed(await runner.run("preview"), /\[mandatory\] +approved-webhook-targets/);
      await runner.edit("5_000_000", "25_000_000");
      assertFailed(await runner.run("preview"), /25\.00 a day is above 20\.00[^]*\[mandatory\] +daily-spend/);
      assertDone(await runner.run("comment"));
      assert.match(await commented(runner.folder, notes), /`spring` .* is launched with 25\.00 a day/);
      assert.equal(simulator.requests.length, 0);
    });
  });
