import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { isRead } from "../../provider/service/operations";
import type { Simulator } from "../../simulator";
import { assertDone } from "../../tools/harness/engine";
import { adopted } from "../support/adopted";
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

  const scopes = ["--agent", "agent", "--app", "app", "--folder", "folder", "--entity", "app/Item"];

  it("comes under management as docs/existing-workspace.md says", async () => {
    const page = await readFile(path.resolve(__dirname, "../../docs/existing-workspace.md"), "utf8");
    const [, , filling = "", applying = ""] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    // Stands for the root of the repository.
    const { folder: root, environment } = await project("", { file: "index.ts" });
    await cp(path.dirname(fileOfExample("quickstart", "index.ts")), path.join(root, "examples/quickstart"), {
      recursive: true,
    });
    const script = `${filling}\n${applying}`
      .replaceAll("http://127.0.0.1:4010", simulator.url)
      // The CLI of the tests is there.
      .replace(/^npm run engine.*\n/m, "")
      .replaceAll("npx pulumi", "pulumi")
      .replaceAll("npx tsc", path.resolve(__dirname, "../../node_modules/.bin/tsc"))
      .replace(/ && rm -r .*/, "");
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
      cwd: root,
      env: { ...environment, PULUMI_STACK: undefined, HOME: root, PULUMI_HOME: path.join(root, "pulumi-home") },
    });
    const program = await readFile(path.join(root, "examples/existing/index.ts"), "utf8");
    assert.equal(program.match(/^new apps\./gm)?.length, 5);
    assert.match(stdout, /\+ 7 created/);
    assert.deepEqual(writes(simulator), []);
    assert.equal(simulator.objects.webhooks("agent-support").length, 2);
  });

  it("of 200 objects is adopted, refreshed and left without a write", async () => {
    const { objects } = simulator;
    for (let index = 0; index < 40; index++) {
      const number = String(index);
      objects.putWebhook("agent", {
        description: index % 3 === 0 ? null : `Hook ${number}`,
        disabled_at: index % 4 === 0 ? "2026-01-01T00:00:00.000Z" : null,
        has_secret: index % 5 === 0,
      });
      objects.putRecord("app", "Item", {
        name: `Item ${number}`,
        nested: [{ a: null }, [index]],
        empty: "",
        price: 0.1,
      });
      objects.putTest("app", { definition: { name: `Test ${number}`, steps: [] } });
      objects.addFolderItem("folder", `app-${number}`);
      if (index < 20) {
        const status = ["ENABLED", "PAUSED", "REMOVED"][index % 3] ?? "";
        objects.putCampaign("app", { campaign_name: `Campaign ${number}`, status, daily_budget_micros: 1_230_000 });
      }
    }
    objects.setScan("app", { ignored_fingerprints: Array.from({ length: 26 }, (_, index) => `f${String(index)}`) });
    const stack = await project(await adopted(simulator, scopes), { file: "index.ts" });
    assertDone(await stack.up(), { create: 200 });
    const state = path.join(stack.folder, "state.json");
    await writeFile(state, await stack.exportState());
    assert.equal(await adopted(simulator, [...scopes, "--exclude", state]), "", "what the stack has");
    assertDone(await stack.preview("--expect-no-changes"));
    simulator.clearRequests();
    assertDone(await stack.refresh("--expect-no-changes"));
    const reads = new Map<string, number>();
    for (const { operation } of simulator.requests)
      reads.set(String(operation), (reads.get(String(operation)) ?? 0) + 1);
    for (const list of ["campaign.list", "record.list", "scan.get", "test.list", "webhook.list"])
      assert.equal(reads.get(list), 1, list);
    // Those that came before there were enough to read the list.
    const alone = { "folderItem.list": 2, "webhook.get": 1, "test.get": 1, "record.get": 4 };
    for (const [operation, most] of Object.entries(alone)) assert.ok((reads.get(operation) ?? 0) <= most, operation);
    assert.equal(reads.size - Object.keys(alone).filter((operation) => reads.has(operation)).length, 5);
    assertDone(await stack.destroy());
    assert.deepEqual(writes(simulator), []);
    assert.equal(objects.webhooks("agent").length + objects.folderItems("folder").length, 80);
  });
});
