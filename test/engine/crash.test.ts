import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, programOf, PulumiProject } from "../support/engine";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

/** The processes that a process started, and theirs: the CLI gives its hosts process groups of their own. */
function descendants(pid: number): number[] {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = processes
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return pairs.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...descendants(child)]);
}

describe("A killed pulumi command", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  /** Starts `pulumi up` and kills it, with everything it started, once the service has seen the operation. */
  async function killDuring(stack: PulumiProject, operation: string): Promise<void> {
    const child = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], {
      cwd: stack.folder,
      env: stack.environment,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    while (!simulator.requests.some((request) => request.operation === operation)) {
      assert.equal(child.exitCode, null, "pulumi ended before it asked the service");
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const pid of [child.pid ?? 0, ...descendants(child.pid ?? 0)]) process.kill(pid, "SIGKILL");
    await ended;
  }

  it("before a change was made leaves a lock that cancel removes, and the next up makes the change", async () => {
    const stack = await PulumiProject.create({ program: programOf("Webhook", declared), baseUrl: simulator.url });
    assertDone(await stack.up());
    simulator.fault({ operation: "webhook.update", then: "hang" });
    await stack.write(programOf("Webhook", { ...declared, description: "new" }));
    await killDuring(stack, "webhook.update");
    assertFailed(await stack.up(), /lock/);
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { update: 1 });
    assert.equal(simulator.objects.webhooks("agent-1")[0]?.description, "new");
  });

  it("after a rotation but before its answer loses no webhook, and the next up rotates again", async () => {
    const stack = await PulumiProject.create({ program: programOf("Webhook", declared), baseUrl: simulator.url });
    assertDone(await stack.up());
    simulator.fault({ operation: "webhook.update", commit: true, then: "hang" });
    await stack.write(programOf("Webhook", { ...declared, signed: true }));
    await killDuring(stack, "webhook.update");
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { update: 1 });
    assert.match(String((await stack.outputs())["secret"]), /^whsec_/);
    assert.equal(simulator.objects.webhooks("agent-1").length, 1);
  });

  it("during a creation that was not carried out leaves one webhook after the next up", async () => {
    const stack = await PulumiProject.create({ program: programOf("Webhook", declared), baseUrl: simulator.url });
    simulator.fault({ operation: "webhook.create", then: "hang" });
    await killDuring(stack, "webhook.create");
    assertDone(await stack.pulumi("cancel", "--yes", "dev"));
    assertDone(await stack.up(), { create: 1 });
    assert.equal(simulator.objects.webhooks("agent-1").length, 1);
  });
});
