import { Hidden } from "./hidden-values";
import { type Shown, toPlainText } from "./phrase";
import type { Change } from "./kind-review";
import type { Review } from "./review";
import type { Amount, SpendLine } from "./spend";

/** The results of the gates. */
interface GateResults {
  readonly exitCode: number;
  readonly failedOn: readonly string[];
  readonly overMaxDailySpend: readonly string[];
}

/** The review for programs. Micros are strings, because they can be too large for an exact JSON number. */
export function jsonOf(
  { stack, incomplete, unseen, changed, spend, risks, others, unlisted, drifted }: Review,
  gates: GateResults,
): string {
  const report = {
    stack: stack ?? null,
    complete: incomplete.length === 0,
    incomplete: incomplete.map(toPlainText),
    unseen: unseen.map(toPlainText),
    changed,
    driftedUnseen: drifted,
    spend: {
      unlistedUnchanged: unlisted,
      totals: spend.totals.map(lineOf),
      apps: spend.apps.map((line) => ({ app: appOf(line.app), ...lineOf(line) })),
      increases: spend.increases.map(({ name }) => name),
    },
    risks: risks.map(({ category, resources, text }) => ({
      category,
      resources: resources.map(resourceOf),
      text: toPlainText(text),
    })),
    others: others.map(({ change, changedArguments }) => ({ ...resourceOf(change), arguments: changedArguments })),
    ...gates,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function resourceOf({ name, kind, urn, action }: Change) {
  return { name, kind, urn, action };
}

function lineOf({ currency, before, after }: SpendLine) {
  return {
    currency: currency ?? null,
    before: amountOf(before),
    after: amountOf(after),
    changeMicros: before.unknownBudgets + after.unknownBudgets > 0 ? null : String(after.micros - before.micros),
  };
}

function amountOf({ micros, unknownBudgets }: Amount) {
  return { micros: String(micros), notKnown: unknownBudgets };
}

function appOf(app: Shown): string | null {
  return app instanceof Hidden ? null : app;
}
