import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { changedLines } from "../../tools/demo/changed-lines";
import { pulumi, typed, up } from "../../tools/demo/command";
import { optionsIn } from "../../tools/demo/options";
import { shortened } from "../../tools/demo/shorten";
import { type Stage, type Step, type Story, tell } from "../../tools/demo/story";

const checkout = path.resolve(__dirname, "../..");

/** How the demo ends with these options. */
function demo(...args: string[]): Promise<{ code: unknown; printed: string; errors: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      ["--require", "ts-node/register", "tools/demo", ...args],
      { cwd: checkout },
      (error, printed, errors) => {
        done({ code: error?.code ?? 0, printed, errors });
      },
    );
  });
}

describe("The demo", () => {
  it("prints its usage with --help, and starts nothing", async () => {
    const { code, printed, errors } = await demo("--help");
    assert.deepEqual([code, errors], [0, ""]);
    assert.match(printed, /^Usage: npm run demo -- \[options\]\n[^]*^ {2}--keep /m);
  });

  it("ends with exit code 2 and one line for an option that does not exist", async () => {
    assert.deepEqual(await demo("--kep"), {
      code: 2,
      printed: "",
      errors: "demo: Unknown option --kep. Did you mean --keep?\n",
    });
  });

  it("keeps the simulator only if it is asked to, and takes no other arguments", () => {
    assert.deepEqual({ ...optionsIn([]) }, { keep: false, help: false });
    assert.deepEqual({ ...optionsIn(["--keep"]) }, { keep: true, help: false });
    assert.throws(() => optionsIn(["story"]), /^Error: Unexpected argument 'story'/);
  });

  it("shows a command as it can be typed", () => {
    assert.equal(
      typed(up("--config", "label=Night shift")),
      'pulumi up --yes --skip-preview --config "label=Night shift"',
    );
    assert.equal(typed({ ...pulumi("stack", "export"), into: "state.json" }), "pulumi stack export > state.json");
  });

  it("shows what changes in a program", () => {
    assert.deepEqual(changedLines("", "one\n\ntwo\n"), ["+ one", "+ two"]);
    assert.deepEqual(changedLines("a\nb\nc\n", "a\nB\nc\n"), ["- b", "+ B"]);
    assert.deepEqual(changedLines("a\nc\n", "a\nb\nc\n"), ["+ b"]);
    assert.deepEqual(changedLines("a\nb\nb\nc\n", "a\nb\nc\n"), ["- b"]);
    assert.deepEqual(changedLines("a\nb\n", "a\nb\n"), []);
  });

  it("shows a wholly different program without the old one", () => {
    assert.deepEqual(changedLines("a\nb\n", "c\nd\n"), ["+ c", "+ d"]);
  });

  it("marks where it leaves out messages that Pulumi repeats, and general advice", () => {
    const shown: string[] = [];
    const show = shortened((line) => shown.push(line));
    const row = "pulumi:pulumi:Stack shop-demo";
    for (const line of [
      ` +  ${row} creating (0s) `,
      ` +  ${row} creating (6s) Launching`,
      ` +  ${row} creating (6s)   \u001b[1mPOST\u001b[0m`,
      `    ${row} running It is confirmed`,
      " +  AdCampaign spring created (1s) ",
      `    ${row}  1 warning; 2 messages`,
      ` +  ${row} created (7s) 8 messages`,
      "",
      "    These resources are in an unknown state because",
      "    Launching",
    ])
      show(line);
    assert.deepEqual(shown, [
      ` +  ${row} creating (0s) `,
      "     …",
      " +  AdCampaign spring created (1s) ",
      "     …",
      ` +  ${row} created (7s) 8 messages`,
      "     …",
      "    Launching",
    ]);
  });
});

describe("A story of the demo", () => {
  let simulator: Simulator;
  let said: string[];
  beforeEach(async () => {
    simulator = await startSimulator();
    said = [];
  });
  afterEach(() => simulator.close());

  /** Its commands are GET requests for the path that is their last word. */
  const stage = (): Stage => ({
    simulator,
    say: (line) => said.push(line),
    project: {
      changeProgram: () => Promise.resolve("same\nold\n"),
      run: async ({ words }, { show }) => {
        const { status } = await fetch(`${simulator.url}${words.at(-1) ?? ""}`);
        show(`status ${String(status)}`);
        return `status ${String(status)}`;
      },
    },
  });
  const listing = pulumi("/api/app-folders/folder-team/items");
  const step = (more: Partial<Step> = {}): Step => ({
    look: "Look at the list.",
    commands: [listing],
    promise: "the list was read",
    found: ({ printed, requests }) => [printed, requests.map(({ operation }) => operation)],
    expected: ["status 401", ["folderItem.list"]],
    ...more,
  });
  const story = (...steps: Step[]): Story => ({ title: "A list", steps });

  it("says what to look at, and shows the program, the command, its output, the requests and what was checked", async () => {
    await tell(story(step({ program: "same\nnew\n" })), stage());
    assert.deepEqual(said.join("\n").split("\n"), [
      "",
      "A list",
      "======",
      "",
      "1/1 Look at the list.",
      "   index.ts:",
      "   - old",
      "   + new",
      "   $ pulumi /api/app-folders/folder-team/items",
      "   | status 401",
      "   The service received:",
      "   > GET /api/app-folders/folder-team/items -> 401",
      "   Checked: the list was read.",
    ]);
  });

  it("judges each step by its own requests", async () => {
    await tell(story(step(), step()), stage());
    assert.equal(said.filter((line) => line.includes("Checked")).length, 2);
    assert.equal(simulator.requests.length, 2);
  });

  it("says when a response was not sent", async () => {
    simulator.fault({ operation: "folderItem.list", then: "reset" });
    const failing = {
      ...stage(),
      project: {
        ...stage().project,
        run: () =>
          fetch(`${simulator.url}/api/app-folders/f/items`).then(
            () => "",
            () => "",
          ),
      },
    };
    await tell(story(step({ found: ({ requests }) => requests.length, expected: 1 })), failing);
    assert.ok(said.includes("   > GET /api/app-folders/f/items -> no response"), said.join("\n"));
  });

  it("fails at the first promise that does not hold, and shows what differs", async () => {
    const broken = step({ expected: ["status 200", ["folderItem.list"]] });
    await assert.rejects(tell(story(broken, step()), stage()), (error: Error) => {
      assert.match(error.message, /^This promise does not hold: the list was read\.\n/);
      assert.match(error.message, /^\+ +'status 401',$/m);
      assert.match(error.message, /^- +'status 200',$/m);
      return true;
    });
    assert.equal(simulator.requests.length, 1);
    assert.ok(!said.some((line) => line.includes("Checked")));
  });
});
