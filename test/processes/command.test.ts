import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { planFile, planOf, recorded, stateOf } from "../cli/support";
import { command, root, start, withTypeScript } from "./support";

async function greeted({ child, seen }: ReturnType<typeof start>): Promise<string> {
  while (!seen.stdout.includes("Ctrl-C")) await once(child.stdout, "data");
  return /http:\/\/127\.0\.0\.1:\d+/.exec(seen.stdout)?.[0] ?? assert.fail("no URL was printed");
}

describe("The process of workspace-apps", () => {
  it("prints the version of the package", async () => {
    assert.deepEqual(await start("--version").ended, { code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("exits with code 2 on wrong usage", async () => {
    assert.equal((await start("simulate").ended).code, 2);
  });

  it("reports in one line that its output could not be written", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [...withTypeScript, command, "--help"], {
      cwd: root,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    assert.deepEqual(
      [status, stderr],
      [1, "workspace-apps: The output could not be written: no space left (ENOSPC). [WA2003]\n"],
    );
  });
});

describe("The process of workspace-apps simulator", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    it(`serves what its first lines say, and exits cleanly on ${signal}`, async () => {
      const simulator = start("simulator", "--port", "0");
      const url = await greeted(simulator);
      assert.match(simulator.seen.stdout, new RegExp(`export WORKSPACE_APPS_BASE_URL=${url}\n`));
      assert.match(simulator.seen.stdout, new RegExp(`^ {2}${url}/__simulator/$`, "m"));
      assert.match(simulator.seen.stdout, /export WORKSPACE_APPS_ACCESS_TOKEN=full-access-token\n/);
      for (const name of ["read-only-token", "personal-api-key", "workspace-key"])
        assert.match(simulator.seen.stdout, new RegExp(name));
      const headers = { authorization: "Bearer full-access-token" };
      assert.equal((await fetch(`${url}/api/agents/a/webhooks`, { headers })).status, 200);
      simulator.child.kill(signal);
      const { code, stderr } = await simulator.ended;
      assert.deepEqual([code, stderr], [0, ""]);
    });

  it("accepts a token, which it does not print, and limits", async () => {
    const simulator = start("simulator", "--port", "0", "--token", "my-own", "--limits", '{"webhook.list": 1}');
    const url = await greeted(simulator);
    assert.doesNotMatch(simulator.seen.stdout, /my-own|full-access-token/);
    const status = async (token: string) =>
      (await fetch(`${url}/api/agents/a/webhooks`, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual(
      [await status("full-access-token"), await status("my-own"), await status("my-own")],
      [401, 200, 429],
    );
    simulator.child.kill("SIGTERM");
    assert.equal((await simulator.ended).code, 0);
  });
});

describe("The process of workspace-apps review", () => {
  it("reads standard input, and says after two seconds that it is waiting", async () => {
    const review = start("review", "-");
    await once(review.child.stderr, "data");
    assert.equal(review.seen.stderr, "Waiting for the plan on standard input.\n");
    review.child.stdin.end(planOf());
    const { code, stdout } = await review.ended;
    assert.match(stdout, /Nothing risky/);
    assert.equal(code, 0);
  });

  it("keeps its exit code when nobody reads the report", async () => {
    const folder = await mkdtemp(join(tmpdir(), "review-"));
    const state = join(folder, "state.json");
    await writeFile(state, stateOf(recorded("every-risk")));
    const review = start("review", planFile("every-risk"), "--state", state, "--fail-on", "any");
    review.child.stdout.destroy();
    const { code, stderr } = await review.ended;
    await rm(folder, { recursive: true });
    assert.equal(code, 3);
    assert.doesNotMatch(stderr, /EPIPE/);
  });
});

describe("The process of workspace-apps doctor", () => {
  it("exits with code 1 and prints the table on stdout when a check failed", async () => {
    const { PATH = "", HOME = "" } = process.env;
    const failure = await promisify(execFile)(process.execPath, [...withTypeScript, command, "doctor"], {
      cwd: root,
      env: { PATH, HOME },
    }).then(
      () => assert.fail("nothing failed"),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
    assert.deepEqual([failure.code, failure.stderr], [1, ""]);
    assert.match(failure.stdout, /^FAIL +setting baseUrl +is not set\n +fix: Set it with/m);
  });
});
