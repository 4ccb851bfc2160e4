import type { Category } from "./risk-categories";
import { money } from "../../provider/service/money";
import type { Review } from "./review";
import { mayMixCurrencies, totalsByCurrency } from "./spend";

/** The most that all campaigns together may spend a day, in micros: by currency, or the same for each currency. */
export type SpendLimit = ReadonlyMap<string, bigint> | bigint;

/** The categories of `--fail-on` that the plan has. */
export function matchedCategories({ risks, spend }: Review, failOn: readonly Category[]): Category[] {
  return failOn.filter(
    (category) =>
      risks.some((risk) => risk.category === category) || (category === "spend" && spend.increases.length > 0),
  );
}

/** Why the limit is exceeded, or why the plan does not show that it is kept. Empty if it is kept. */
export function spendLimitProblems({ spend, drifted }: Review, limit: SpendLimit): string[] {
  const isMixed = mayMixCurrencies(spend.apps);
  const aboveLimit = totalsByCurrency(spend.apps).flatMap(({ currency, after }): string[] => {
    const note = currency === undefined && isMixed ? " (unknown currencies counted as one)" : "";
    const allowed = typeof limit === "bigint" ? limit : limit.get(currency ?? "");
    const unknown =
      after.unknownBudgets > 0 ? [`${budgets(after.unknownBudgets)} secret or not known before the up`] : [];
    if (allowed === undefined && after.micros > 0n)
      return [
        ...unknown,
        currency === undefined
          ? `no limit is set for an unknown currency (${money(after.micros, currency)} a day): use a limit without a currency`
          : `no limit is set for ${currency} (${money(after.micros, currency)} a day)`,
      ];
    if (allowed !== undefined && after.micros > allowed)
      return [...unknown, `${money(after.micros, currency)} a day is above ${money(allowed, currency)}${note}`];
    return unknown;
  });
  const refreshed = drifted > 0 ? ["the plan of a refresh does not show what changed"] : [];
  return [...aboveLimit, ...refreshed];
}

function budgets(count: number): string {
  return count === 1 ? "1 budget is" : `${String(count)} budgets are`;
}
