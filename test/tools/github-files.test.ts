import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";
import { fileFaults, githubFaults } from "../../tools/check/github-files";

const checkout = path.resolve(__dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(checkout, ".github", file), "utf8");

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  "timeout-minutes"?: number;
  uses?: string;
  steps?: { name?: string; uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  permissions: object;
  jobs: Record<string, Job>;
}

const workflow = async (name: string): Promise<Workflow> => parse(await read(`workflows/${name}.yml`)) as Workflow;

describe("The files under .github", () => {
  it("are valid for GitHub", async () => {
    assert.deepEqual(await githubFaults(checkout), []);
  });

  describe("are rejected for", () => {
    /** The problems of a file after one text, which it must contain, is replaced. */
    const faultsAfter = async (file: string, from: string, to: string): Promise<string> => {
      const text = await read(file);
      assert.ok(text.includes(from), `${file} does not contain ${from}`);
      const faults = await fileFaults(`.github/${file}`, text.replace(from, to));
      for (const fault of faults) assert.ok(fault.startsWith(`.github/${file}: `), fault);
      return faults.join("\n");
    };

    for (const [what, file, from, to, fault] of [
      [
        "a misspelled key of a workflow",
        "workflows/release.yml",
        "timeout-minutes:",
        "timeout-minute:",
        /line \d+: unexpected key/,
      ],
      ["a wrong expression", "workflows/nightly.yml", "github.event_name", "github.evnt_name", /evnt_name/],
      [
        "an action that is pinned by a tag",
        "workflows/release.yml",
        "@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2",
        "@v4",
        /line \d+: pin the action/,
      ],
      ["a commit without its version", "actions/setup/action.yml", " # v4.4.0", "", /line 7: pin the action/],
      ["a command of an action without a shell", "actions/setup/action.yml", "shell: bash", "", /runs\.steps\.1: /],
      ["an action that is not composite", "actions/setup/action.yml", "composite", "node20", /runs\.using: /],
      ["a missing version", "dependabot.yml", "version: 2\n", "", /version: /],
      ["a misspelled key of an update", "dependabot.yml", "ignore:", "ignored:", /updates\.0: .*"ignored"/],
      [
        "an update without a folder",
        "dependabot.yml",
        "    directory: /\n",
        "",
        /updates\.0: needs either "directory"/,
      ],
      ["an unknown interval", "dependabot.yml", "weekly", "sometimes", /updates\.0\.schedule\.interval: /],
      ["a form without a name", "ISSUE_TEMPLATE/bug.yml", "name: Bug report\n", "", /name: /],
      [
        "a field without a label",
        "ISSUE_TEMPLATE/bug.yml",
        "label: Versions",
        "title: Versions",
        /body\.1\.attributes\.label: /,
      ],
      ["a field without an id", "ISSUE_TEMPLATE/feature.yml", "    id: problem\n", "", /body\.1\.id: /],
      ["an unknown type of field", "ISSUE_TEMPLATE/feature.yml", "type: input", "type: line", /body\.4\.type: /],
      ["the same id twice", "ISSUE_TEMPLATE/feature.yml", "id: service", "id: problem", /body: has the same id twice/],
      [
        "a misspelled key of the chooser",
        "ISSUE_TEMPLATE/config.yml",
        "blank_issues_",
        "blank_issue_",
        /"blank_issue_enabled"/,
      ],
      ["invalid YAML", "ISSUE_TEMPLATE/config.yml", "false", "[", /not YAML: /],
    ] as const)
      it(what, async () => {
        assert.match(await faultsAfter(file, from, to), fault);
      });

    it("a form that only shows text", async () => {
      const text = "name: a\ndescription: b\nbody: [{ type: markdown, attributes: { value: c } }]\n";
      assert.match((await fileFaults(".github/ISSUE_TEMPLATE/a.yml", text)).join(), /body: asks for nothing/);
    });

    it("a file that GitHub does not read", async () => {
      for (const file of ["dependabot.yaml", "workflow/test.yml", "ISSUE_TEMPLATES/bug.yml"])
        assert.deepEqual(await fileFaults(`.github/${file}`, "{}"), [
          `.github/${file}: unknown file: GitHub does not read it`,
        ]);
    });
  });
});

describe("The workflows", () => {
  it("give each job a time limit and only the permissions that it needs, and keep no credentials in a checkout", async () => {
    const files = (await readdir(path.join(checkout, ".github/workflows"))).toSorted();
    assert.deepEqual(files, ["nightly.yml", "pull-request.yml", "release.yml"]);
    for (const file of files) {
      const { permissions, jobs } = await workflow(path.parse(file).name);
      assert.deepEqual(permissions, {}, file);
      for (const [name, job] of Object.entries(jobs)) {
        const publishes = file === "release.yml" && name === "publish";
        const rights = { contents: "read", ...(publishes ? { "id-token": "write" } : {}) };
        assert.deepEqual(job.permissions, rights, `${file}: ${name}`);
        // A called workflow has the time limits of its own jobs.
        assert.ok(job.uses !== undefined || job["timeout-minutes"] !== undefined, `${file}: ${name}`);
        for (const step of job.steps ?? [])
          if (step.uses?.startsWith("actions/checkout@")) assert.equal(step.with?.["persist-credentials"], false);
      }
    }
  });

  it("use the same versions of actions as examples/gitops", async () => {
    const example = await readFile(path.join(checkout, "examples/gitops/.github/workflows/stack.yml"), "utf8");
    const entries = await readdir(path.join(checkout, ".github"), { recursive: true });
    for (const file of entries.filter((name) => name.endsWith(".yml")))
      for (const [, action = ""] of (await read(file)).matchAll(/uses: (actions\/.*)$/gm))
        assert.ok(example.includes(action), `${file}: ${action}`);
  });

  it("run the publishing job without any code of the repository", async () => {
    const { jobs } = await workflow("release");
    const { environment, steps = [] } = jobs["publish"] ?? {};
    assert.equal(environment, "npm");
    assert.deepEqual(
      steps.map(({ uses, run }) => uses?.split("@")[0] ?? run),
      [
        "actions/setup-node",
        "actions/download-artifact",
        "npm publish ./*.tgz --provenance --access public --ignore-scripts",
      ],
    );
    assert.doesNotMatch(await read("workflows/release.yml"), /secrets\./);
  });
});

describe("A release", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "release-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the workflow's own commands for version 1.2.3, as GitHub's bash does. */
  async function checked({
    tag = "v1.2.3",
    changelog = "# Changelog\n\n## 1.2.3 (2030-01-01)\n\n- A change.\n",
    url = "git+https://github.com/owner/name.git" as string | undefined,
  }): Promise<[code: number | null, printed: string]> {
    const { jobs } = await workflow("release");
    const step = jobs["package"]?.steps?.find(({ name }) => name === "Check the version");
    assert.ok(step?.run !== undefined);
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ version: "1.2.3", repository: { url } }));
    await writeFile(path.join(folder, "CHANGELOG.md"), changelog);
    const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-e", "-c", step.run], {
      cwd: folder,
      env: { PATH: process.env["PATH"], TAG: tag, REPOSITORY: "owner/name" },
      encoding: "utf8",
    });
    return [status, stdout];
  }

  it("continues when the tag, package.json and CHANGELOG.md agree", async () => {
    assert.deepEqual(await checked({}), [0, ""]);
    assert.deepEqual(await checked({ changelog: "## 1.2.3\n" }), [0, ""]);
  });

  it("stops when the tag is another version", async () => {
    for (const tag of ["v1.2.4", "1.2.3", "v1.2.3-beta.1"])
      assert.deepEqual(await checked({ tag }), [
        1,
        `::error::The tag is ${tag}, but package.json has version 1.2.3.\n`,
      ]);
  });

  it("stops when CHANGELOG.md has no section for the version, or marks it as unreleased", async () => {
    for (const changelog of ["", "## 1.2.30\n", "## 1x2.3\n", "### 1.2.3\n", "## 1.2.3-beta.1\n"])
      assert.deepEqual(await checked({ changelog }), [1, "::error::CHANGELOG.md has no section for 1.2.3.\n"]);
    const [code, printed] = await checked({ changelog: "## 1.2.3 (unreleased)\n" });
    assert.deepEqual([code, printed.includes("calls 1.2.3 unreleased")], [1, true]);
  });

  it("stops when package.json names another repository, or none", async () => {
    for (const url of ["git+https://github.com/owner/other.git", ""])
      assert.deepEqual(await checked({ url }), [
        1,
        '::error::"repository" in package.json does not name owner/name.\n',
      ]);
  });
});

describe("Dependabot", () => {
  it("ignores only dependencies that package.json has", async () => {
    const { updates } = parse(await read("dependabot.yml")) as {
      updates: { ignore?: { "dependency-name": string }[] }[];
    };
    const ignored = updates.flatMap(({ ignore = [] }) => ignore.map((one) => one["dependency-name"]));
    const known = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
    assert.deepEqual(
      ignored.filter((name) => !known.includes(name)),
      [],
    );
  });
});
