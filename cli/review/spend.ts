import { isPausedByUs, mayBeUnconfirmed } from "./kinds/ad-campaign";
import { Hidden, type Values } from "./hidden-values";
import { type Phrase, phrase, type Shown, shown, words } from "./phrase";
import type { Change } from "./kind-review";
import { currencyCode, money } from "../../provider/service/money";
import { deletionPolicyBefore, isAdopted, kindOf } from "./changes";
import type { Transfers } from "./transfers";

/** The amount that campaigns may spend a day, in one currency. */
export interface Amount {
  readonly micros: bigint;
  /** How many budgets are missing from `micros`, because they are secret or not known before the `up`. */
  readonly unknownBudgets: number;
}

export interface SpendLine {
  readonly currency: string | undefined;
  readonly before: Amount;
  readonly after: Amount;
}

export interface Spend {
  /** By app and currency, sorted by name. */
  readonly apps: readonly (SpendLine & { readonly app: Shown })[];
  /** By currency. Without a total for several apps of unknown currency. */
  readonly totals: readonly SpendLine[];
  /** Campaigns that will or may spend more than before. */
  readonly increases: readonly Change[];
  /** `USD 5.00 a day`. */
  readonly daily: (values: Values) => Phrase;
}

type Budget = bigint | Hidden;

/** A budget before or after the plan. */
interface Entry {
  readonly side: "before" | "after";
  readonly values: Values;
  readonly budget: Budget;
}

export function spendOf(changes: readonly Change[], transfers: Transfers): Spend {
  const campaigns = changes.filter((change) => kindOf(change).review.spends === true && change.action !== "gone");
  const currencyOf = currenciesIn(campaigns);
  const lines = new Map<string, SpendLine & { app: Shown }>();
  for (const { side, values, budget } of campaigns.flatMap((change) => entriesOf(change, transfers))) {
    const currency = currencyOf(values);
    const app = shown(values["appId"]);
    const key = JSON.stringify([app, currency]);
    const line = lines.get(key) ?? { app, currency, before: nothing, after: nothing };
    lines.set(key, { ...line, [side]: addBudget(line[side], budget) });
  }
  const apps = sortedByKey(lines);
  return {
    apps,
    totals: totalsByCurrency(apps).filter(({ currency }) => currency !== undefined || !mayMixCurrencies(apps)),
    increases: campaigns.filter((change) => isIncrease(change, transfers)),
    daily: (values) => dailyIn(values, currencyOf(values)),
  };
}

/** Whether several apps have an unknown currency, which may differ from app to app. */
export function mayMixCurrencies(apps: readonly SpendLine[]): boolean {
  return apps.filter(({ currency }) => currency === undefined).length > 1;
}

/** All unknown currencies count as one: good enough for a limit, but not to be shown. */
export function totalsByCurrency(lines: readonly SpendLine[]): SpendLine[] {
  const totals = new Map<string, SpendLine>();
  for (const { currency, before, after } of lines) {
    const key = currency ?? unknownCurrencyKey;
    const total = totals.get(key) ?? { currency, before: nothing, after: nothing };
    totals.set(key, { currency, before: addAmounts(total.before, before), after: addAmounts(total.after, after) });
  }
  return sortedByKey(totals);
}

/** The budgets of the campaigns of one resource, before and after the plan. */
function entriesOf(change: Change, transfers: Transfers): Entry[] {
  const { action, before, after } = change;
  const existsBefore = action !== "create" && !change.isPendingReplacement;
  const existsAfter = action !== "delete";
  // An adopted campaign spends already. One that another resource of this stack manages is counted there.
  const isCountedThere = transfers.previousOwnerOf(change) !== undefined || transfers.isRival(change);
  const isFound = isNew(change) && isAdopted(change) && !isCountedThere;
  const isRetained =
    (action === "delete" || action === "replace") && existsBefore && deletionPolicyBefore(change) === "retain";
  // A campaign that stays keeps the account that is in the state.
  const values =
    action === "same" || action === "update" ? { ...after, accountCurrencyCode: before["accountCurrencyCode"] } : after;
  return [
    ...(existsBefore ? [{ side: "before", values: before, budget: spendBefore(before) } as const] : []),
    ...(isFound ? [{ side: "before", values: after, budget: budgetIn(after) } as const] : []),
    ...(existsAfter ? [{ side: "after", values, budget: spendAfter(change, transfers) } as const] : []),
    ...(isRetained && transfers.newOwnerOf(change) === undefined
      ? [{ side: "after", values: before, budget: spendUnchanged(before) } as const]
      : []),
  ];
}

/** Whether a campaign that is there after the plan may spend more than it did before. */
function isIncrease(change: Change, transfers: Transfers): boolean {
  const { action, before, after } = change;
  if (action === "same" || action === "delete") return false;
  const previous = transfers.previousOwnerOf(change);
  const found = previous === undefined ? budgetIn(after) : spendBefore(previous.before);
  const isFound = previous !== undefined || isAdopted(change);
  const was = isNew(change) ? (isFound ? found : 0n) : spendBefore(before);
  const next = spendAfter(change, transfers);
  return next instanceof Hidden || next > (was instanceof Hidden ? 0n : was);
}

/** Whether the resource gets a campaign that it did not have. */
function isNew({ action }: Change): boolean {
  return action === "create" || action === "replace";
}

/** The amount that it may spend now, as far as the state shows. */
function spendBefore(values: Values): Budget {
  return mayBeUnconfirmed(values) ? 0n : spendUnchanged(values);
}

/** The amount that a campaign spends if nothing is done to it. An unconfirmed one may spend already; a later `up` resolves it. */
function spendUnchanged(values: Values): Budget {
  return isPausedByUs(values) ? 0n : budgetIn(values);
}

/** The amount that it spends after an `up` that succeeds, which pauses every campaign that is declared as paused. */
function spendAfter(change: Change, transfers: Transfers): Budget {
  const { action, before, after } = change;
  if (action === "same") return spendUnchanged(before);
  if (change.isImported) return budgetIn(after);
  // An update without `paused` does not change the campaign.
  const existing = transfers.previousOwnerOf(change)?.before ?? (action === "replace" ? {} : before);
  const staysPaused = after["paused"] === undefined && isPausedByUs(existing);
  return after["paused"] === true || staysPaused ? 0n : budgetIn(after);
}

/** Sorts after every currency code. */
const unknownCurrencyKey = "~";

const nothing: Amount = { micros: 0n, unknownBudgets: 0 };

function addBudget(amount: Amount, budget: Budget): Amount {
  return addAmounts(
    amount,
    budget instanceof Hidden ? { micros: 0n, unknownBudgets: 1 } : { micros: budget, unknownBudgets: 0 },
  );
}

function addAmounts(one: Amount, other: Amount): Amount {
  return { micros: one.micros + other.micros, unknownBudgets: one.unknownBudgets + other.unknownBudgets };
}

function budgetIn(values: Values): Budget {
  const budget = values["dailyBudgetMicros"];
  if (typeof budget === "number" && Number.isSafeInteger(budget)) return BigInt(budget);
  return budget instanceof Hidden ? budget : new Hidden("not known yet");
}

function dailyIn(values: Values, currency: string | undefined): Phrase {
  const budget = budgetIn(values);
  if (budget instanceof Hidden) return phrase`a daily budget that is ${words(budget.why)}`;
  return words(`${money(budget, currency)} a day`);
}

type CurrencyOf = (values: Values) => string | undefined;

/** An app has one advertising account, so the currency of one of its campaigns is the currency of all. */
function currenciesIn(campaigns: readonly Change[]): CurrencyOf {
  const ofApps = new Map<unknown, Set<string>>();
  for (const { before } of campaigns) {
    const currency = currencyCode(before["accountCurrencyCode"]);
    const app = before["appId"];
    if (currency !== undefined && typeof app === "string")
      ofApps.set(app, (ofApps.get(app) ?? new Set<string>()).add(currency));
  }
  return (values) => {
    const own = currencyCode(values["accountCurrencyCode"]);
    const ofApp = [...(ofApps.get(values["appId"]) ?? [])];
    return own ?? (ofApp.length === 1 ? ofApp[0] : undefined);
  };
}

function sortedByKey<T>(lines: ReadonlyMap<string, T>): T[] {
  return [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}
