import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { assertDone, assertFailed, type Run } from "../../tools/harness/engine";
import { workFolder } from "../../tools/harness/installation";
import { runJob } from "../support/pipelines";
import { type Platform, platforms, robot, startPlatform } from "../support/platforms";

const report = '<!-- workspace-apps review -->\n\nLaunched: `spring` & "100%" of it, für 5 €.\n';

for (const [name, pipeline] of platforms)
  describe(`The comment of the pipeline for ${name}`, () => {
    let platform: Platform;
    let folder: string;
    beforeEach(async () => {
      platform = await startPlatform(name);
      folder = await mkdtemp(path.join(workFolder(), "comment-"));
    });
    afterEach(() => {
      platform.close();
    });

    const run = async (job: string, commit: string, others: Record<string, string> = {}): Promise<Run> => {
      const values = {
        ...platform.values(commit),
        PULUMI_BACKEND_URL: "file:///nowhere",
        PULUMI_CONFIG_PASSPHRASE: "team",
        WORKSPACE_APPS_BASE_URL: "https://service.example",
        CI_PROJECT_DIR: folder,
        ...others,
      };
      return runJob(await pipeline(job, { values, cannotInstall: true }), folder, process.env);
    };
    const review = (): string => path.join(folder, "review.md");
    const texts = (): string[] => platform.comments.map(({ text }) => text);

    it("is created by the first push, replaced by the next one, and names the commit", async () => {
      // A comment of another workflow, or a person's copy of a review, must not be replaced.
      const others = [
        { id: 1, by: robot, text: "Coverage: 97%" },
        { id: 2, by: "somebody", text: report },
      ];
      platform.comments.push(...others.map((other) => ({ ...other })));
      await writeFile(review(), report);
      assertDone(await run("comment", "first-commit"));
      const [, , made] = texts();
      assert.match(made ?? "", /^<!-- workspace-apps review -->\nReview of first-commit:\n/);
      assert.ok(made?.includes(report.trimEnd()));
      await writeFile(review(), report.replace("5 €", "6 €"));
      assertDone(await run("comment", "second-commit"));
      assert.match(texts()[2] ?? "", /Review of second-commit:\n[^]*6 €/);
      platform.comments.push({ id: 3, by: robot, text: "Coverage: 98%" });
      await rm(review());
      assertDone(await run("comment", "third-commit"));
      assert.match(texts()[2] ?? "", /third-commit/);
      assert.deepEqual(platform.comments.slice(0, 2), others);
      assert.equal(platform.comments.length, 4);
    });

    it("says that there is no review when the preview failed during installation", async () => {
      const preview = await run("preview", "a-commit");
      assert.notEqual(preview.code, 0);
      assert.doesNotMatch(preview.output, /npx|npm error/);
      assertDone(await run("comment", "a-commit"));
      const none = "No review could be made of a-commit: see the log of its preview.";
      assert.deepEqual(texts(), [`<!-- workspace-apps review -->\n${none}\n`]);
    });

    it("does not follow a symbolic link as a review, because it could point to the job's own token", async () => {
      await writeFile(path.join(folder, "token"), "hidden");
      await symlink("token", review());
      assertDone(await run("comment", "a-commit"));
      assert.match(String(texts()), /No review could be made of a-commit/);
    });

    it("fails when the platform refuses the comment", async () => {
      await writeFile(review(), report);
      const refused = await run("comment", "a-commit", { REVIEW_TOKEN: "wrong", "github.token": "wrong" });
      assertFailed(refused, /401/);
      assert.deepEqual(texts(), []);
    });
  });
