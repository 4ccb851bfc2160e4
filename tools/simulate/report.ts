import { money } from "../../provider/service/money";
import type { Crash, Fault } from "./faults";
import type { Played } from "./play";
import type { Command, Declaration, Edit, Schedule, Step } from "./schedule";
import type { Entry } from "./witness";

/* A schedule and its outcome, for the person who looks for the bug. */

export function describeSchedule(schedule: Schedule): string {
  const { settleSeconds, quarantineSeconds, programs, steps } = schedule;
  return [
    `settle time ${String(settleSeconds)} s, quarantine ${String(quarantineSeconds)} s, chance ${String(schedule.chance)}`,
    ...programs.map(
      ({ campaigns, isChained }, stack) =>
        `stack ${String(stack)}${isChained ? " (one after the other)" : ""}: ${campaigns.map(describeCampaign).join("; ")}`,
    ),
    ...steps.map((step, index) => `${String(index + 1)}. ${describeStep(step)}`),
    `${String(steps.length + 1)}. faults end, the quarantine passes; up, up, up, destroy`,
  ].join("\n");
}

export function describePlayed({ broken, entries, runs }: Played): string {
  const requests = entries.map(describeEntry);
  const errors = runs.flatMap(({ name, errors }) => errors.map((error) => `run ${name} failed: ${error}`));
  const rule =
    broken === undefined ? "All promises were kept." : `Broken in step ${String(broken.step + 1)}: ${broken.rule}`;
  return [rule, "Requests:", ...requests, ...errors].join("\n");
}

function describeCampaign(campaign: Declaration): string {
  const { resource, appId, campaignName, dailyBudgetMicros, businessName, paused, deletionPolicy } = campaign;
  const given = { businessName, paused, deletionPolicy };
  const options = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${String(value)}`],
  );
  return `${resource} = ${[`"${campaignName}" of ${appId} for ${money(dailyBudgetMicros, undefined)} a day`, ...options].join(", ")}`;
}

function describeStep(step: Step): string {
  switch (step.is) {
    case "run":
      return step.commands.map(describeCommand).join("\n   at the same time: ");
    case "edit":
      return `stack ${String(step.edit.stack)}: ${describeEdit(step.edit)}`;
    case "wait":
      return `${String(step.seconds)} s pass`;
    case "state delete":
      return `stack ${String(step.stack)}: pulumi state delete of campaign ${String(step.which)} and its intent`;
    case "person":
      return `a person does "${step.does}" to live campaign ${String(step.which)}`;
    case "lag":
      return `the list lags by ${String(step.milliseconds / 1000)} s`;
    case "billing hold":
      return `the billing hold is ${step.on ? "on" : "off"}`;
  }
}

function describeCommand({ stack, kind, target, begins, faults, crash }: Command): string {
  const scripted = [...faults.map(describeFault), ...(crash === undefined ? [] : [describeCrash(crash)])];
  const when = begins === 0 ? "" : ` after ${String(begins)} ms`;
  const only =
    target === undefined
      ? ""
      : ` --target campaign ${String(target.which)}${target.withIntent ? " and its intent" : " alone"}`;
  return [`stack ${String(stack)}: ${kind}${only}${when}`, ...scripted].join("\n     ");
}

function describeFault({ operation, nth, times, carriedOut, then }: Fault): string {
  const which = times === 1 ? `#${String(nth)}` : `#${String(nth)} to #${String(nth + times - 1)}`;
  const done = { never: "not carried out", before: "carried out", late: "carried out late" }[carriedOut];
  return `${operation} ${which}: ${done}, ${then}`;
}

function describeCrash({ operation, nth, point, what }: Crash): string {
  const when = { before: "before", committed: "after the service carried out", answered: "after the response to" }[
    point
  ];
  return `kills the ${what} ${when} ${operation} #${String(nth)}`;
}

function describeEdit({ which, change }: Edit): string {
  return `campaign ${String(which)} ${typeof change === "string" ? change : `gets ${JSON.stringify(change)}`}`;
}

function describeEntry({ at, run, operation, parameters, post, fault, carriedOut, ended }: Entry): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const what = post?.campaign ?? Object.values(parameters).join("/");
  const made = post?.campaignId === undefined ? "" : ` as ${post.campaignId}`;
  const done = carriedOut === undefined ? "not carried out" : `carried out: ${String(carriedOut.status)}${made}`;
  const told = ended === undefined ? ", no response received" : fault === undefined ? "" : `, ${fault.then}`;
  return `  ${time} run ${run.name}, stack ${String(run.command.stack)}: ${operation} ${what}: ${done}${told}`;
}
