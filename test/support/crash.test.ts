import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type RequestFault, startSimulator } from "../../simulator";
import { killDuringAll } from "../../tools/harness/crash";
import type { Command } from "../../tools/harness/engine";

describe("A command that is to be killed at a given moment", () => {
  it("does not stay behind, stopped, when it reaches another moment", async () => {
    const simulator = await startSimulator();
    const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
    const ended = once(child, "exit");
    const run = ended.then(() => ({ code: null, output: "", stdout: "", changes: {} }));
    const start = (): Command => {
      const headers = { authorization: "Bearer full-access-token" };
      void fetch(`${simulator.url}/api/agents/agent/webhooks`, { headers }).catch(() => undefined);
      return { pid: child.pid ?? 0, ended: run };
    };
    // Two responses should be held, but there is only one.
    const moment: RequestFault = { operation: "webhook.list", then: "hold" };
    try {
      const killed = killDuringAll({ stack: { start, form: "dynamic" }, simulator }, ["up"], "cli", [moment, moment]);
      await assert.rejects(killed, /1 !== 2/);
      const end: unknown = await Promise.race([ended, delay(10_000, "it stayed", { ref: false })]);
      assert.deepEqual(end, [null, "SIGKILL"]);
    } finally {
      child.kill("SIGKILL");
      await simulator.close();
    }
  });
});
