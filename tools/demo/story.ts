import assert from "node:assert/strict";
import { wrapText } from "../../cli/wrap-text";
import type { LoggedRequest, Simulator } from "../../simulator";
import type { Say } from "../engine/run";
import { changedLines } from "./changed-lines";
import { type Command, typed } from "./command";
import type { ThrowAwayProject } from "./project";
import { shortened } from "./shorten";

/** A story of the demo. Each goes on where the one before it ended. */
export interface Story {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Step {
  /** The event, and what to look at: one or two sentences. */
  readonly look: string;
  /** The program from now on. Its changes are shown. */
  readonly program?: string;
  /** Changes the service before the commands, without Pulumi. */
  readonly meanwhile?: (simulator: Simulator) => void;
  readonly commands: readonly Command[];
  /** The state afterwards. To check it, `found` is compared with `expected`. */
  readonly promise: string;
  readonly found: (seen: Seen) => unknown;
  readonly expected: unknown;
}

/** A step's results. */
interface Seen {
  /** The output of its commands, without colour. */
  readonly printed: string;
  /** The requests that the service received from them. */
  readonly requests: readonly LoggedRequest[];
  readonly simulator: Simulator;
}

/** Where stories are told. */
export interface Stage {
  readonly simulator: Simulator;
  readonly project: Pick<ThrowAwayProject, "changeProgram" | "run">;
  readonly say: Say;
}

/** The longest line of what a story itself says. */
const columns = 100;

/** Shows every step of a story, and throws at the first promise that does not hold. */
export async function tell({ title, steps }: Story, stage: Stage): Promise<void> {
  stage.say(`\n${title}\n${"=".repeat(title.length)}`);
  for (const [index, step] of steps.entries()) {
    stage.say("");
    for (const line of wrapText(`${String(index + 1)}/${String(steps.length)} ${step.look}`, columns)) stage.say(line);
    const seen = await show(step, stage);
    check(step, seen);
    stage.say(`   Checked: ${step.promise}.`);
  }
}

async function show({ program, meanwhile, commands }: Step, { simulator, project, say }: Stage): Promise<Seen> {
  if (program !== undefined) {
    say("   index.ts:");
    for (const line of changedLines(await project.changeProgram(program), program)) say(`   ${line}`);
  }
  meanwhile?.(simulator);
  const before = simulator.requests.length;
  const received = (): LoggedRequest[] => simulator.requests.slice(before);
  const printed: string[] = [];
  for (const command of commands) {
    say(`   $ ${typed(command)}`);
    printed.push(await project.run(command, { received, show: outputOf(command, say) }));
    if (command.killedAt !== undefined) say("   Killed, with everything that it started (SIGKILL).");
  }
  const requests = received();
  say(requests.length === 0 ? "   The service received no request." : "   The service received:");
  for (const request of requests) say(`   > ${describeRequest(request)}`);
  return { printed: printed.join("\n"), requests, simulator };
}

/** Shows the output of a command. One that is killed has no end that would repeat its messages. */
function outputOf({ killedAt }: Command, say: Say): Say {
  const show = (line: string): void => {
    if (line.trim() !== "") say(`   | ${line.trimEnd()}`);
  };
  return killedAt === undefined ? shortened(show) : show;
}

function describeRequest({ method, path, body, status }: LoggedRequest): string {
  const sent = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  return `${method} ${path}${sent} -> ${typeof status === "number" ? String(status) : "no response"}`;
}

/** Throws an error that shows what differs, if the promise of a step does not hold. */
function check({ promise, found, expected }: Pick<Step, "promise" | "found" | "expected">, seen: Seen): void {
  try {
    assert.deepStrictEqual(found(seen), expected);
  } catch (error) {
    throw new Error(`This promise does not hold: ${promise}.\n${(error as Error).message}`, { cause: error });
  }
}
