import { money } from "../../provider/service/money";
import type { Played } from "./play";
import type { Command, Declaration, Edit, Schedule, Step } from "./schedule";
import type { Entry } from "./witness";

/* A schedule and its outcome, for the person who looks for the bug. */

export function describeSchedule({ program, steps, ending, ...rest }: Schedule): string {
  const endings = { up: "up, up, destroy", removal: "up without any campaign, destroy", destroy: "destroy" };
  return [
    words(rest),
    `both stacks: ${program.map(describeCampaign).join("; ")}`,
    ...steps.map((step, index) => `${String(index + 1)}. ${describeStep(step)}`),
    `${String(steps.length + 1)}. the service is fair; ${endings[ending]}`,
  ].join("\n");
}

export function describePlayed({ broken, entries, runs }: Played): string {
  const requests = entries.map((entry) => ({ run: entry.step.run, text: describeEntry(entry) }));
  const lines = runs.flatMap((run) => [
    `run ${run.name} of stack ${String(run.command.stack)}`,
    ...requests.filter((request) => request.run === run).map(({ text }) => text),
    ...run.errors.map((error) => `  failed: ${error.replaceAll("\n", "\n    ")}`),
  ]);
  const rule =
    broken === undefined ? "All promises were kept." : `Broken in step ${String(broken.step + 1)}: ${broken.rule}`;
  return [rule, ...lines].join("\n");
}

/** Every value that is given, with its name. */
function words(values: object): string {
  return Object.entries(values)
    .filter(([name, value]) => value !== undefined && value !== 0 && (value !== false || name === "paused"))
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
}

function describeCampaign({ resource, dailyBudgetMicros, ...others }: Declaration): string {
  return `${resource} for ${money(dailyBudgetMicros, undefined)} a day, ${words(others)}`;
}

function describeStep(step: Step): string {
  if (step.is === "run") return step.commands.map(describeCommand).join("\n   at the same time: ");
  if (step.is === "edit") return describeEdit(step.edit);
  const { is, ...others } = step;
  return `${is} ${words(others)}`;
}

function describeCommand({ stack, kind, faults, crash, ...others }: Command): string {
  const scripted = faults.map((fault) => `\n     fault: ${words(fault)}`).join("");
  const killed = crash === undefined ? "" : `\n     crash: ${words(crash)}`;
  return `stack ${String(stack)}: ${kind} ${words(others)}${scripted}${killed}`;
}

function describeEdit({ stack, which, change }: Edit): string {
  const what = typeof change === "string" ? change : `gets ${JSON.stringify(change)}`;
  return `stack ${String(stack)}: campaign ${String(which)} ${what}`;
}

function describeEntry({ at, step, operation, parameters, post, fault, carriedOut, ended }: Entry): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const what = `${step.type} ${Object.values(parameters).join("/")}${post === undefined ? "" : ` under ${post.key}`}`;
  const made = post?.campaignId === undefined ? "" : ` as ${post.campaignId}`;
  const done = carriedOut === undefined ? "not carried out" : `carried out: ${String(carriedOut.status)}${made}`;
  const told = ended !== true ? ", no response received" : fault === undefined ? "" : `, ${fault.then}`;
  return `  ${time} ${operation} ${what}: ${done}${told}`;
}
