import type { Change } from "../../provider/resources/shared/review";
import { Hidden } from "../../provider/resources/shared/hidden-values";
import { inPlainText, type Shown } from "../../provider/resources/shared/phrase";
import type { Review } from "./review";
import type { Amount, Line } from "./spend";

/** What the gates said. */
interface Verdict {
  readonly exitCode: number;
  readonly failedOn: readonly string[];
  readonly overMaxDailySpend: readonly string[];
}

/** The review for machines. Micros are texts, because they may be larger than a number of JSON can hold exactly. */
export function jsonOf(
  { stack, incomplete, changed, spend, risks, others, unlisted, drifted }: Review,
  verdict: Verdict,
): string {
  const report = {
    stack: stack ?? null,
    complete: incomplete.length === 0,
    incomplete: incomplete.map(inPlainText),
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
      text: inPlainText(text),
    })),
    others: others.map(({ change, what }) => ({ ...resourceOf(change), arguments: what })),
    ...verdict,
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function resourceOf({ name, kind, urn, action }: Change) {
  return { name, kind, urn, action };
}

function lineOf({ currency, before, after }: Line) {
  const open = before.open + after.open;
  return {
    currency: currency ?? null,
    before: amountOf(before),
    after: amountOf(after),
    changeMicros: open > 0 ? null : String(after.micros - before.micros),
  };
}

function amountOf({ micros, open }: Amount) {
  return { micros: String(micros), notKnown: open };
}

function appOf(app: Shown): string | null {
  return app instanceof Hidden ? null : app;
}
