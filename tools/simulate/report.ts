import { money } from "../../provider/service/money";
import type { Played } from "./play";
import type { Schedule, Step } from "./schedule";
import type { Entry } from "./witness";

/* A schedule and its outcome, for the person who looks for the bug. */

export function describeSchedule({ program, steps, ending, ...rest }: Schedule): string {
  const endings = { up: "up, up, destroy", removal: "up without any campaign, destroy", destroy: "destroy" };
  const campaigns = program.map(
    ({ resource, dailyBudgetMicros, ...others }) =>
      `${resource} for ${money(dailyBudgetMicros, undefined)} a day, ${words(others)}`,
  );
  return [
    words(rest),
    `both stacks: ${campaigns.join("; ")}`,
    ...steps.map((step, index) => `${String(index + 1)}. ${describeStep(step)}`),
    `${String(steps.length + 1)}. the service is fair; ${endings[ending]}`,
  ].join("\n");
}

export function describePlayed({ broken, entries, runs }: Played): string {
  const lines = runs.flatMap((run) => [
    `run ${run.name} of stack ${String(run.command.stack)}`,
    ...entries.filter(({ step }) => step.run === run).map(describeEntry),
    ...run.errors.map((error) => `  failed: ${error.replaceAll("\n", "\n    ")}`),
  ]);
  const rule =
    broken === undefined ? "All promises were kept." : `Broken in step ${String(broken.step + 1)}: ${broken.rule}`;
  return [rule, ...lines].join("\n");
}

function describeStep(step: Step): string {
  const { is, ...others } = step;
  if (step.is === "edit") return words({ ...step.edit, stack: `${String(step.edit.stack)}, edit` });
  if (step.is !== "run") return `${is} ${words(others)}`;
  const commands = step.commands.map(({ stack, kind, faults, crash, ...rest }) => {
    const scripted = [...faults.map((fault) => `fault: ${words(fault)}`), ...(crash ? [`crash: ${words(crash)}`] : [])];
    return [`stack ${String(stack)}: ${kind} ${words(rest)}`, ...scripted].join("\n     ");
  });
  return commands.join("\n   at the same time: ");
}

/** Every value that is given, with its name. */
function words(values: object): string {
  return Object.entries(values)
    .filter(([name, value]) => value !== undefined && value !== 0 && (value !== false || name === "paused"))
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
}

function describeEntry({ at, step, operation, parameters, key, campaignId, fault, status, hasEnded }: Entry): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const launch = key === undefined ? "" : ` under ${key}${campaignId === undefined ? "" : ` as ${campaignId}`}`;
  const done = status === undefined ? "not carried out" : `carried out: ${String(status)}`;
  const told = hasEnded !== true ? ", no response received" : fault === undefined ? "" : `, ${fault.then}`;
  return `  ${time} ${operation} ${step.type} ${Object.values(parameters).join("/")}${launch}: ${done}${told}`;
}
