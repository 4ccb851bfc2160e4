import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestFault, Simulator } from "../../simulator";
import type { Command, PulumiProject, Run } from "./engine";

/** What is killed: the process that runs the code of the resources, or the CLI with everything it started. */
export type Victim = "host" | "cli";

/**
 * Starts a command and kills the victim at a moment, which is a fault that keeps the command waiting. A command whose
 * answer is held back cannot go on from it: the victim is stopped first, then the answer is sent, then the victim is
 * killed, before it could hand on or save what it got.
 */
export async function killDuring(
  { stack, simulator }: { stack: Pick<PulumiProject, "start">; simulator: Simulator },
  name: "up" | "destroy",
  victim: Victim,
  moment: RequestFault,
): Promise<Run> {
  simulator.clearRequests();
  simulator.fault(moment);
  const command = stack.start(name);
  await arrival(command, simulator, moment);
  if (moment.then === "hold") {
    process.kill(victim === "host" ? hostOf(command) : command.pid, "SIGSTOP");
    assert.equal(await simulator.release(), 1);
  }
  for (const pid of killedOf(command, victim)) process.kill(pid, "SIGKILL");
  const run = await command.ended;
  assert.notEqual(run.code, 0, run.output);
  return run;
}

/** Waits until the service has seen the request that the fault meets, and has carried it out where it is to. */
export async function arrival(
  command: Command,
  simulator: Simulator,
  { operation, skip = 0 }: RequestFault,
): Promise<void> {
  let early: Run | undefined;
  void command.ended.then((run) => (early = run));
  const hasArrived = (): boolean =>
    simulator.requests.filter((request) => request.operation === operation).length > skip;
  while (!hasArrived()) {
    assert.equal(early, undefined, `pulumi ended before ${operation}: ${early?.output ?? ""}`);
    await delay(5);
  }
}

/** The processes to kill. */
export function killedOf(command: Command, victim: Victim): number[] {
  return victim === "host" ? [hostOf(command)] : [command.pid, ...descendants(command.pid).map(({ pid }) => pid)];
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** The process in which Pulumi runs the code of dynamic resources. */
function hostOf(command: Command): number {
  const hosts = descendants(command.pid).filter((process) => process.command.includes("cmd/dynamic-provider/index.js"));
  assert.equal(hosts.length, 1, JSON.stringify(hosts));
  return hosts[0]?.pid ?? 0;
}

/** The processes that a process started, and theirs: the CLI gives its hosts process groups of their own. */
function descendants(pid: number): Process[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command = ""]): Process => ({ pid: Number(pid), parent: Number(parent), command }));
  const under = (parent: number): Process[] =>
    all.filter((process) => process.parent === parent).flatMap((process) => [process, ...under(process.pid)]);
  return under(pid);
}
