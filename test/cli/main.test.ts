import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { run } from "./support";

describe("workspace-apps", () => {
  it("prints its help and the help of each command with examples and without color", async () => {
    for (const args of [["--help"], ["review", "--help"], ["simulator", "-h"]]) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^Usage: workspace-apps/);
      assert.match(stdout, /Examples?:\n.* npx (--no -- )?workspace-apps/);
      assert.ok(!stdout.includes("\u001b"));
    }
  });

  it("points to the help of the command that was used wrongly, on one line", async () => {
    assert.match((await run("simulator", "--prot")).stderr, /^.* Try workspace-apps simulator --help\. \[WA2001\]\n$/);
    assert.match((await run("simulate")).stderr, /^.* Try workspace-apps --help\. \[WA2001\]\n$/);
  });

  it("explains in full sentences what is wrong with an option, and suggests the right one", async () => {
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
      assert.deepEqual(await run(...args), { code: 2, stdout: "", stderr: `workspace-apps: ${line} [WA2001]\n` });
  });

  it("accepts the word help, alone and before a command", async () => {
    assert.deepEqual(await run("help"), await run("--help"));
    assert.deepEqual(await run("help", "review"), await run("review", "--help"));
    assert.match((await run("help", "reveiw")).stderr, /Unknown command or option "reveiw"\. Did you mean review\?/);
  });

  it("exits with code 2 on wrong usage, and reports the problem on stderr", async () => {
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
  });
});

describe("workspace-apps simulator", () => {
  it("says in its help that it is a test tool for this machine only", async () => {
    const { code, stdout } = await run("simulator", "--help");
    assert.equal(code, 0);
    assert.match(stdout, /test tool/);
    assert.match(stdout, /127\.0\.0\.1 alone/);
    assert.match(stdout, /Exit codes: 0 .*, 2 .*, 1 /);
    assert.match(stdout, /npx --no -- workspace-apps simulator --port 4010/);
  });

  it("fails with a line on stderr when the port is already in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const port = String((taken.address() as AddressInfo).port);
    const { code, stderr } = await run("simulator", "--port", port);
    taken.close();
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `workspace-apps: Port ${port} is in use by another program. Choose another with --port, or --port 0 for any free port. [WA2003]\n`,
    );
  });
});
