import { money } from "../../service/money";
import type { Inputs } from "./campaign";

/* A budget that was written in units of currency, and not in micros: 25 instead of 25000000. */

/** No currency has a daily budget this small: 10,000 micros are a hundredth of a unit. */
const leastMicros = 10_000;
const microsPerUnit = 1_000_000;

/** What is wrong with a budget that was probably not converted, the number that was meant, and what to do. */
export function unconvertedBudget({ dailyBudgetMicros }: Inputs): string | undefined {
  if (dailyBudgetMicros >= leastMicros) return undefined;
  const meant = dailyBudgetMicros * microsPerUnit;
  return `is ${money(dailyBudgetMicros, undefined)} a day, so the amount was probably not converted to micros. ${String(meant)} micros is ${money(meant, undefined)} a day; apps.micros(${String(dailyBudgetMicros)}) converts`;
}

/** Whether these inputs launch a campaign with this budget, and do not adopt or keep one that has it. */
export function isLaunch({ campaignId, dailyBudgetMicros }: Inputs, earlier: Partial<Inputs> | undefined): boolean {
  // Every other change that replaces the campaign is checked once more without what it was declared with.
  return campaignId === undefined && earlier?.dailyBudgetMicros !== dailyBudgetMicros;
}
