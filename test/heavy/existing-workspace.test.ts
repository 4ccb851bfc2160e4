import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { isRead } from "../../provider/service/operations";
import type { Simulator } from "../../simulator";
import { fileOfExample } from "../support/examples";
import { onSimulator } from "../support/on-simulator";

const run = promisify(execFile);

/** The requests that may have changed something. */
function writes({ requests }: Simulator): string[] {
  return requests.flatMap(({ operation, method }) =>
    operation !== undefined && isRead(operation, method) ? [] : [`${method} ${String(operation)}`],
  );
}

describe("An existing workspace on the real engine", () => {
  const { simulator, project } = onSimulator();

  it("comes under management as docs/guides/import-and-adopt.md says", async () => {
    const page = await readFile(path.resolve(__dirname, "../../docs/guides/import-and-adopt.md"), "utf8");
    const [, , filling = "", applying = ""] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    // Stands for the root of the repository.
    const { folder: root, environment } = await project("", { file: "index.ts" });
    await cp(path.dirname(fileOfExample("quickstart", "index.ts")), path.join(root, "examples/quickstart"), {
      recursive: true,
    });
    const adopting = /^npx .* adopt .*(?= --out)/m.exec(applying)?.[0] ?? assert.fail("no adopt");
    const script = `${filling}\n${applying}`
      .replaceAll("http://127.0.0.1:4010", simulator.url)
      // The CLI of the tests is there.
      .replace(/^npm run engine.*\n/m, "")
      .replaceAll("npx pulumi", "pulumi")
      .replaceAll("npx tsc", path.resolve(__dirname, "../../node_modules/.bin/tsc"))
      .replace(/ && rm -r .*/, "")
      .replace(/^pulumi destroy/m, `pulumi stack export > state.json\n${adopting} --exclude state.json\n$&`);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
      cwd: root,
      env: { ...environment, PULUMI_STACK: undefined, HOME: root, PULUMI_HOME: path.join(root, "pulumi-home") },
    });
    const program = await readFile(path.join(root, "examples/existing/index.ts"), "utf8");
    assert.equal(program.match(/^new apps\./gm)?.length, 5);
    assert.match(stdout, /\+ 7 created/);
    assert.equal(stdout.match(/new apps\./g), null, "what the stack has is left out");
    assert.deepEqual(writes(simulator), []);
    assert.equal(simulator.objects.webhooks("agent-support").length, 2);
  });
});
