import type { Category } from "../../provider/resources/shared/risk-categories";
import { money } from "../../provider/service/money";
import type { Review } from "./review";
import { mayMixCurrencies, sums } from "./spend";

/** A limit for the sum of the daily budgets, by currency in micros, or one for each currency alike. */
export type Limit = ReadonlyMap<string, bigint> | bigint;

/** The categories of the plan among those that must not be in it. */
export function matched({ risks, spend }: Review, failOn: readonly Category[]): Category[] {
  return failOn.filter(
    (category) =>
      risks.some((risk) => risk.category === category) || (category === "spend" && spend.increases.length > 0),
  );
}

/** Why the limit is exceeded, or why nothing shows that it is kept; empty when it is kept. */
export function overLimit({ spend, unlisted, drifted }: Review, limit: Limit): string[] {
  const isMixed = mayMixCurrencies(spend.apps);
  const ofTotals = sums(spend.apps).flatMap(({ currency, after }): string[] => {
    const asOne = currency === undefined && isMixed ? ", the currencies that are not known taken for one" : "";
    const allowed = typeof limit === "bigint" ? limit : limit.get(currency ?? "");
    const open = after.open > 0 ? [`${budgets(after.open)} secret or not known before the up`] : [];
    if (allowed === undefined && after.micros > 0n)
      return [...open, `${money(after.micros, currency)} a day has no limit in its currency`];
    if (allowed !== undefined && after.micros > allowed)
      return [...open, `${money(after.micros, currency)} a day is above ${money(allowed, currency)}${asOne}`];
    return open;
  });
  const unseen = unlisted > 0 ? ["the unchanged campaigns are not in the plan: use --show-sames"] : [];
  const unsaid = drifted > 0 ? ["the plan of a refresh does not show what it found changed"] : [];
  return [...ofTotals, ...unseen, ...unsaid];
}

function budgets(count: number): string {
  return count === 1 ? "1 budget is" : `${String(count)} budgets are`;
}
