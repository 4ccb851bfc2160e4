import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { version } from "../../package.json";
import { run } from "./support";

const root = join(__dirname, "../..");
const main = join(root, "cli/main.ts");

/** The command in a process of its own. */
function start(...args: string[]) {
  const child = spawn(process.execPath, ["-r", "ts-node/register", main, ...args], { cwd: root });
  const seen = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (seen.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (seen.stderr += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...seen }));
  return { child, seen, ended };
}

async function greeted({ child, seen }: ReturnType<typeof start>): Promise<string> {
  while (!seen.stdout.includes("Ctrl-C")) await once(child.stdout, "data");
  return /http:\/\/127\.0\.0\.1:\d+/.exec(seen.stdout)?.[0] ?? assert.fail("no URL was printed");
}

describe("workspace-apps", () => {
  it("prints its help and that of each command with examples, and in no colour", async () => {
    for (const args of [["--help"], ["review", "--help"], ["simulator", "-h"]]) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^Usage: workspace-apps/);
      assert.match(stdout, /Examples?:\n.* npx (--no -- )?workspace-apps/);
      assert.ok(!stdout.includes("\u001b"));
    }
  });

  it("prints a help without loading what the command runs", () => {
    const loadedBy = (...args: string[]): string =>
      execFileSync(
        process.execPath,
        [
          "-r",
          "ts-node/register",
          "-e",
          `const { workspaceApps } = require("./cli/workspace-apps");
         const quiet = { out() {}, err() {} };
         workspaceApps(${JSON.stringify(args)}, quiet).then(() =>
           process.stdout.write(Object.keys(require.cache).join("\\n")));`,
        ],
        { cwd: root, encoding: "utf8" },
      );
    for (const args of [["--help"], ["review", "--help"]])
      assert.doesNotMatch(
        loadedBy(...args),
        /node_modules\/(zod|undici|hono|@hono|@pulumi)|provider\/(service|registry)/,
      );
    // Their help lists ids of the operations table and routes of the simulator, which are declared with zod.
    for (const command of ["doctor", "simulator"]) {
      const loaded = loadedBy(command, "--help");
      assert.match(loaded, new RegExp(`cli/${command}/help\\.ts`));
      assert.doesNotMatch(loaded, /node_modules\/(undici|hono|@hono|@pulumi)/);
      assert.doesNotMatch(loaded, new RegExp(`cli/${command}/run\\.ts`));
    }
  });

  it("names the help of the command that was used wrongly, on one line", async () => {
    assert.match((await run("simulator", "--prot")).stderr, /^.* Try workspace-apps simulator --help\.\n$/);
    assert.match((await run("simulate")).stderr, /^.* Try workspace-apps --help\.\n$/);
  });

  it("says in whole sentences what is wrong with an option, and which is meant", async () => {
    const said: [string[], string][] = [
      [["review", "--version"], "Unknown option --version. Try workspace-apps review --help."],
      [
        ["simulator", "--prot", "1"],
        "Unknown option --prot. Did you mean --port? Try workspace-apps simulator --help.",
      ],
      [["doctor", "-x"], "Unknown option -x. Try workspace-apps doctor --help."],
      [["doctor", "--stack"], "Option '--stack <value>' argument missing. Try workspace-apps doctor --help."],
      [["reveiw"], 'Unknown command or option "reveiw". Did you mean review? Try workspace-apps --help.'],
    ];
    for (const [args, line] of said)
      assert.deepEqual(await run(...args), { code: 2, stdout: "", stderr: `workspace-apps: ${line}\n` });
  });

  it("understands help as a word, alone and before a command", async () => {
    assert.deepEqual(await run("help"), await run("--help"));
    assert.deepEqual(await run("help", "review"), await run("review", "--help"));
    assert.match((await run("help", "reveiw")).stderr, /Unknown command or option "reveiw"\. Did you mean review\?/);
  });

  it("says in one line that its output could not be written", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, ["-r", "ts-node/register", main, "--help"], {
      cwd: root,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    assert.deepEqual(
      [status, stderr],
      [1, "workspace-apps: The output could not be written: no space left (ENOSPC).\n"],
    );
  });

  it("prints the version of the package", async () => {
    assert.deepEqual(await start("--version").ended, { code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("ends with code 2 on wrong usage, and says on stderr what is wrong", async () => {
    const wrong: [string[], RegExp][] = [
      [[], /A command is missing/],
      [["simulate"], /Unknown command or option "simulate"/],
      [["constructor"], /Unknown command or option/],
      [["simulator", "--prot", "1"], /--prot/],
      [["simulator", "extra"], /extra/],
      [["simulator", "--port", "70000"], /--port must be/],
      [["simulator", "--port", ""], /--port must be/],
      [["simulator", "--limits", "{"], /--limits must be JSON/],
      [["simulator", "--limits", '{"webhook.update": "1"}'], /--limits must be JSON/],
      [
        ["simulator", "--limits", '{"webook.create": 1}'],
        /--limits .*"webook\.create" \(did you mean "webhook\.create"\?\)\. Try/,
      ],
      [["simulator", "--token", "two words"], /--token must be/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
    assert.equal((await start("simulate").ended).code, 2);
  });
});

describe("workspace-apps simulator", () => {
  it("says in its help that it is a test tool on this machine alone", async () => {
    const { code, stdout } = await run("simulator", "--help");
    assert.equal(code, 0);
    assert.match(stdout, /test tool/);
    assert.match(stdout, /127\.0\.0\.1 alone/);
    assert.match(stdout, /Exit codes: 0 .*, 2 .*, 1 /);
    assert.match(stdout, /npx --no -- workspace-apps simulator --port 4010/);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    it(`serves what its greeting says, and ends cleanly on ${signal}`, async () => {
      const command = start("simulator", "--port", "0");
      const url = await greeted(command);
      assert.match(command.seen.stdout, new RegExp(`export WORKSPACE_APPS_BASE_URL=${url}\n`));
      assert.match(command.seen.stdout, /export WORKSPACE_APPS_ACCESS_TOKEN=full-access-token\n/);
      for (const name of ["read-only-token", "personal-api-key", "workspace-key"])
        assert.match(command.seen.stdout, new RegExp(name));
      const headers = { authorization: "Bearer full-access-token" };
      assert.equal((await fetch(`${url}/api/agents/a/webhooks`, { headers })).status, 200);
      command.child.kill(signal);
      const { code, stderr } = await command.ended;
      assert.deepEqual([code, stderr], [0, ""]);
    });

  it("takes a token, which it does not repeat, and limits", async () => {
    const command = start("simulator", "--port", "0", "--token", "my-own", "--limits", '{"webhook.list": 1}');
    const url = await greeted(command);
    assert.doesNotMatch(command.seen.stdout, /my-own|full-access-token/);
    const status = async (token: string) =>
      (await fetch(`${url}/api/agents/a/webhooks`, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual(
      [await status("full-access-token"), await status("my-own"), await status("my-own")],
      [401, 200, 429],
    );
    command.child.kill("SIGTERM");
    assert.equal((await command.ended).code, 0);
  });

  it("fails with a line on stderr when the port is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const port = String((taken.address() as AddressInfo).port);
    const { code, stderr } = await run("simulator", "--port", port);
    taken.close();
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `workspace-apps: Port ${port} is in use by another program. Choose another with --port, or --port 0 for any free port.\n`,
    );
  });
});
