import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { LoggedRequest, RequestFault, Simulator } from "../../simulator";
import { isMeant } from "../../simulator/faults";
import type { Command, PulumiProject, Run } from "./engine";
import type { Form } from "./form";

/**
 * The killed processes. `host` runs the code of the resources. Or it is the CLI with everything it started, or the CLI
 * alone, whose host then lives on.
 */
export type Victim = "host" | "cli" | "cli-alone";

interface Target {
  stack: Pick<PulumiProject, "start" | "form">;
  simulator: Simulator;
}

/** Starts a command and kills the victim at a moment. The moment is a fault that keeps the command waiting. */
export async function killDuring(
  target: Target,
  name: "up" | "destroy",
  victim: Victim,
  moment: RequestFault,
): Promise<Run> {
  const { run, missed } = await killDuringAll(target, [name], victim, [moment]);
  assertMet(missed, run);
  assert.notEqual(run.code, 0, run.output);
  return run;
}

/** A command that was killed, and the moments that it did not reach. */
export interface Killed {
  run: Run;
  missed: RequestFault[];
  /** Ends the processes that outlived the CLI. */
  endSurvivors: () => void;
}

/**
 * The same with a moment for each of many resources: the victim is killed when all have reached theirs. Where responses
 * are held back, the victim is stopped first. Then the responses are sent, and the victim is killed before it can
 * forward or save them. A CLI that is killed alone is dead before they are sent: its host receives them.
 */
export async function killDuringAll(
  { stack, simulator }: Target,
  command: Parameters<PulumiProject["start"]>,
  victim: Victim,
  moments: RequestFault[],
): Promise<Killed> {
  simulator.clearRequests();
  for (const moment of moments) simulator.fault(moment);
  const running = stack.start(...command);
  const { early, missed } = await meeting(running, simulator, moments);
  simulator.clearFaults();
  if (early !== undefined) return { run: early, missed, endSurvivors: () => undefined };
  const held = moments.filter((moment) => moment.then === "hold" && !missed.includes(moment)).length;
  const release = async (): Promise<void> => {
    assert.equal(await simulator.release(), held);
  };
  const started = descendants(running.pid);
  const endSurvivors = (): void => {
    kill(survivorsOf(started));
  };
  try {
    if (held > 0 && victim !== "cli-alone") {
      process.kill(victim === "host" ? hostOf(running, stack.form) : running.pid, "SIGSTOP");
      await release();
    }
    for (const pid of killedOf(running, victim, stack.form)) process.kill(pid, "SIGKILL");
    const run = await running.ended;
    if (victim === "cli-alone") await release();
    return { run, missed, endSurvivors };
  } catch (error) {
    // A stopped process would never end.
    kill(killedOf(running, "cli", stack.form));
    endSurvivors();
    throw error;
  }
}

function assertMet(missed: RequestFault[], { output }: Run): void {
  assert.deepEqual(missed, [], `pulumi ended before: ${output}`);
}

/** How long a command may take from one moment to the next: far longer than it needs. */
const patience = 60_000;

/** Waits until every fault has met a request, or the command has ended. */
async function meeting(
  command: Command,
  simulator: Simulator,
  moments: RequestFault[],
): Promise<{ early: Run | undefined; missed: RequestFault[] }> {
  let early: Run | undefined;
  void command.ended.then((run) => (early = run));
  let missed = moments;
  let latest = Date.now();
  for (;;) {
    const { requests } = simulator;
    const left = missed.filter((moment) => !hasMet(moment, requests));
    if (left.length < missed.length) latest = Date.now();
    missed = left;
    const isStuck = left.length < moments.length && Date.now() - latest > patience;
    if (left.length === 0 || isStuck || early !== undefined) return { early, missed };
    await delay(5);
  }
}

function hasMet(fault: RequestFault, requests: readonly LoggedRequest[]): boolean {
  const met = requests.filter(
    ({ operation, parameters }) => operation === fault.operation && isMeant(fault, parameters),
  );
  return met.length > (fault.skip ?? 0);
}

/** The processes to kill. */
export function killedOf(command: Command, victim: Victim, form: Form): number[] {
  switch (victim) {
    case "host":
      return [hostOf(command, form)];
    case "cli":
      return processTree(command.pid);
    case "cli-alone":
      return [command.pid];
  }
}

/** A process and everything that it started, recursively. */
export function processTree(pid: number): number[] {
  return [pid, ...descendants(pid).map((process) => process.pid)];
}

/** Kills those that still run. */
export function kill(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** The file of the process that runs the code of the resources. */
const hostFiles = {
  dynamic: "cmd/dynamic-provider/index.js",
  packaged: "plugin/pulumi-resource-workspace-apps",
} satisfies Record<Form, string>;

/** The process that runs the code of the resources. */
function hostOf(command: Command, form: Form): number {
  const hosts = descendants(command.pid).filter((process) => process.command.includes(hostFiles[form]));
  assert.equal(hosts.length, 1, JSON.stringify(hosts));
  return hosts[0]?.pid ?? 0;
}

/** The processes that a process started, recursively: the CLI gives its hosts their own process groups. */
function descendants(pid: number): Process[] {
  const all = processes();
  const under = (parent: number): Process[] =>
    all.filter((process) => process.parent === parent).flatMap((process) => [process, ...under(process.pid)]);
  return under(pid);
}

/** Those of the processes that still run. Another process may have got the number of one that ended. */
function survivorsOf(started: readonly Process[]): number[] {
  const all = processes();
  return started
    .filter(({ pid, command }) => all.some((process) => process.pid === pid && process.command === command))
    .map(({ pid }) => pid);
}

function processes(): Process[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command = ""]): Process => ({ pid: Number(pid), parent: Number(parent), command }));
}
