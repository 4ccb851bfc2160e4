import { microsOf } from "../../service/money";

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
    `micros(${shown}): the amount must be a number or a text such as 25 or "12.34", not negative, with at most six decimals and at most 9 billion. For an Output, use amount.apply(apps.micros).`,
  );
}
