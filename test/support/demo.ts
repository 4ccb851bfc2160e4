import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir } from "node:fs/promises";
import path from "node:path";
import { workFolder } from "../../tools/harness/installation";

/** A running demo. Its temporary files are in a folder of their own. */
export class Demo {
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
