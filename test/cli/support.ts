import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownOf } from "../../cli/review/markdown";
import { planFrom } from "../../cli/review/plan";
import { reviewOf } from "../../cli/review/review";
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

/** Runs `workspace-apps review` on this plan. */
export async function judged(plan: string | Uint8Array, ...options: string[]): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), "review-"));
  try {
    const file = join(folder, "plan.json");
    await writeFile(file, plan);
    return await run("review", file, ...options);
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

/** One step as the CLI prints it, with the given values. */
export function step(
  op: string,
  kind: string,
  name: string,
  { before, after, options, ...more }: { before?: Values; after?: Values; options?: Values; replaceReasons?: string[] },
): object {
  const urn = `urn:pulumi:dev::tested::pulumi-nodejs:dynamic/workspace-apps:${kind}::${name}`;
  return {
    op,
    urn,
    ...(before === undefined
      ? {}
      : { oldState: { urn, inputs: before, outputs: { origin: "created", ...before }, ...options } }),
    ...(after === undefined ? {} : { newState: { urn, inputs: after } }),
    detailedDiff: null,
    ...more,
  };
}

export function planOf(...steps: object[]): string {
  return JSON.stringify({ steps, duration: 1, changeSummary: {} });
}

/** The report of a plan. */
export const reviewed = (plan: string, environment: Record<string, string> = {}): string =>
  markdownOf(reviewOf(planFrom(plan), environment));

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
export const launched = { ...campaign, campaignId: "cmp_1", launchState: "confirmed", accountCurrencyCode: "EUR" };
