import { microsOf, microsPerUnit, money } from "../../service/money";

/**
 * An amount of money in micros, for `dailyBudgetMicros`: `micros(25)` and `micros("25.00")` are 25000000. The amount is
 * a number or a decimal text such as `"12.34"`, of at most six decimals. The result is exact. Throws for any other
 * value.
 *
 * ```ts
 * const dailyBudgetMicros = apps.micros("12.34"); // 12340000
 * const fromConfig = apps.micros(config.require("dailyBudget"));
 * const fromOutput = amount.apply(apps.micros);
 * ```
 */
export function micros(amount: number | string): number {
  // The shortest text of a number is the one that a program writes: 12.34, and not 12.339999999999999857…
  const text = typeof amount === "number" ? String(amount) : amount;
  const exact = typeof text === "string" ? microsOf(text) : undefined;
  if (exact !== undefined && exact <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(exact);
  const shown = typeof amount === "string" ? JSON.stringify(amount) : typeof amount === "number" ? text : "…";
  throw new TypeError(
    `micros(${shown}): the amount must be a number or a text such as 25 or "12.34", not negative. It has at most six decimals, and is at most 9 billion. For an Output, use amount.apply(apps.micros).`,
  );
}

/** Not the type of all arguments: a program that imports `micros` must load the types of no library. */
interface Budget {
  readonly dailyBudgetMicros: number;
  readonly campaignId?: string | undefined;
}

/** No currency has a daily budget this small: 10,000 micros are a hundredth of a unit. */
const minMicros = 10_000;

/** Says of a budget in units of currency, 25 instead of 25000000, which number was probably intended. */
export function unconvertedBudget({ dailyBudgetMicros }: Budget): string | undefined {
  if (dailyBudgetMicros >= minMicros) return undefined;
  const meant = dailyBudgetMicros * Number(microsPerUnit);
  return `is ${money(dailyBudgetMicros, undefined)} a day, so the amount was probably not converted to micros. ${String(meant)} micros is ${money(meant, undefined)} a day; apps.micros(${String(dailyBudgetMicros)}) converts`;
}

/** Whether these inputs launch a campaign with this budget, and do not adopt or keep one that has it. */
export function isLaunch({ campaignId, dailyBudgetMicros }: Budget, earlier: Partial<Budget> | undefined): boolean {
  // Every other change that replaces the campaign is checked once more without what it was declared with.
  return campaignId === undefined && earlier?.dailyBudgetMicros !== dailyBudgetMicros;
}
