import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownOf } from "../../cli/review/markdown";
import { planFrom } from "../../cli/review/plan";
import { reviewOf } from "../../cli/review/review";
import { stateFrom } from "../../cli/stack-state";
import { workspaceApps } from "../../cli/workspace-apps";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command in this process. */
export async function run(...args: string[]): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  const code = await workspaceApps(args, {
    out: (text) => (stdout += text),
    err: (text) => (stderr += text),
  });
  return { code, stdout, stderr };
}

/** Runs `workspace-apps review` on this plan, with the state that it was made from. */
export async function judged(plan: string | Uint8Array, ...options: string[]): Promise<Ran> {
  return judgedWith(plan, typeof plan === "string" ? stateOf(plan) : emptyState, ...options);
}

/** Runs `workspace-apps review` on this plan and this state. */
export async function judgedWith(plan: string | Uint8Array, state: string, ...options: string[]): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), "review-"));
  try {
    const [planFile, stateFile] = [join(folder, "plan.json"), join(folder, "state.json")];
    await writeFile(planFile, plan);
    await writeFile(stateFile, state);
    return await run("review", planFile, "--state", stateFile, ...options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A plan that the real CLI printed (`npm run record-plans`). */
export function planFile(name: string): string {
  return join(__dirname, "plans", `${name}.json`);
}

export function recorded(name: string): string {
  return readFileSync(planFile(name), "utf8");
}

/** The properties of a resource in a plan. */
type Values = Record<string, unknown>;

interface StepValues {
  before?: Values;
  after?: Values;
  /** More of the old state, such as `retainOnDelete`. */
  options?: Values;
  replaceReasons?: string[];
}

/** One step as the CLI prints it, with the given values. */
export function step(op: string, kind: string, name: string, values: StepValues): PlanStep {
  const { before, after, options, ...more } = values;
  const urn = urnOf(kind, name);
  const old = {
    urn,
    id: idIn(before ?? {}, name),
    inputs: before,
    outputs: { origin: "created", ...before },
    ...options,
  };
  return {
    op,
    urn,
    ...(before === undefined ? {} : { oldState: old }),
    ...(after === undefined ? {} : { newState: { urn, inputs: after } }),
    detailedDiff: null,
    ...more,
  };
}

/* The steps that most tests need, by what they do. */

export const created = (kind: string, name: string, after: Values): PlanStep => step("create", kind, name, { after });
export const deleted = (kind: string, name: string, before: Values, options: Values = {}): PlanStep =>
  step("delete", kind, name, { before, options });
const changing =
  (op: string) =>
  (kind: string, name: string, before: Values, after: Values, options: Values = {}): PlanStep =>
    step(op, kind, name, { before, after, options });
export const updated = changing("update");
export const replaced = changing("replace");
export const unchanged = changing("same");

/** The first step of the program, after those of a refresh. */
export const root: PlanStep = { op: "same", urn: "urn:pulumi:dev::tested::pulumi:pulumi:Stack::tested-dev" };

/** A preview shows this for a value that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function urnOf(kind: string, name: string): string {
  return `urn:pulumi:dev::tested::pulumi-nodejs:dynamic/workspace-apps:${kind}::${name}`;
}

export interface PlanStep {
  op: string;
  urn: string;
  oldState?: Values;
  newState?: Values | undefined;
  detailedDiff?: null;
  replaceReasons?: string[];
}

function idIn({ campaignId, webhookId, recordId, flowId }: Values, name: string): string {
  return [campaignId, webhookId, recordId, flowId].find((id) => typeof id === "string") ?? `id of ${name}`;
}

/** A plan as `--show-sames --show-replacement-steps` prints it: with the parts of each replacement. */
export function planOf(...steps: PlanStep[]): string {
  const last: PlanStep[] = [];
  const withParts = steps.flatMap((one) => {
    if (one.op !== "replace") return [one];
    const [creation, deletion] = [
      { ...one, op: "create-replacement" },
      { ...one, op: "delete-replaced", newState: undefined },
    ];
    if (one.urn.includes(":AdCampaign::")) return [deletion, one, creation];
    last.push({ ...deletion, oldState: { ...deletion.oldState, delete: true } });
    return [creation, one];
  });
  return JSON.stringify({ steps: [...withParts, ...last], duration: 1, changeSummary: {} });
}

const emptyState = JSON.stringify({ version: 3, deployment: {} });

/** The state that a plan was made from. */
export function stateOf(plan: string): string {
  const resources = new Map(oldStatesIn(plan).map((one) => [JSON.stringify([one["urn"], one["id"]]), one]));
  return JSON.stringify({ version: 3, deployment: { resources: [...resources.values()] } });
}

function oldStatesIn(plan: string): Values[] {
  try {
    const { steps = [] } = JSON.parse(plan) as { steps?: PlanStep[] };
    return steps.flatMap(({ oldState }) => (oldState?.["id"] ? [oldState] : []));
  } catch {
    return [];
  }
}

/** The report of a plan. */
export const reviewed = (plan: string, environment: Record<string, string> = {}): string =>
  markdownOf(reviewOf(planFrom(plan), stateFrom(stateOf(plan)), environment));

/** The lines of a report about one resource, for a plan with these steps. */
export const linesAbout = (name: string, ...steps: PlanStep[]): string[] => linesOf(reviewed(planOf(...steps)), name);

/** The lines of one resource, without its name. */
export function linesOf(report: string, name: string): string[] {
  const start = new RegExp(`^- \`${name}\` \\(\\w+\\): `);
  return report
    .split("\n")
    .filter((line) => start.test(line))
    .map((line) => line.replace(start, ""));
}

export function headings(report: string): string[] {
  return [...report.matchAll(/^### (.*) \(\d+\)$/gm)].map(([, heading = ""]) => heading);
}

/** A campaign as declared in a program, and as stored in state. */
export const campaign = {
  appId: "app-1",
  campaignName: "Spring",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};
export const launched = {
  ...campaign,
  campaignId: "cmp_1",
  launchIntent: "1a2b3c4",
  launchState: "confirmed",
  accountCurrencyCode: "EUR",
};
