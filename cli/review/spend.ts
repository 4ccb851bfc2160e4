import type { Change } from "../../provider/resources/shared/review";
import { endingOf, isAdopted } from "./changes";
import { Hidden, type Values } from "../../provider/resources/shared/hidden-values";
import { isPaused, isUnconfirmed } from "../../provider/resources/ad-campaign/review";
import { currencyCode, money } from "../../provider/service/money";
import { type Phrase, phrase, type Shown, shown, words } from "../../provider/resources/shared/phrase";
import type { Takeovers } from "./takeovers";

/** What campaigns may spend a day. Never of two currencies. */
export interface Amount {
  readonly micros: bigint;
  /** How many budgets are left out, because they are secret or not known before the `up`. */
  readonly open: number;
}

export interface Line {
  readonly currency: string | undefined;
  readonly before: Amount;
  readonly after: Amount;
}

export interface Spend {
  /** By app and currency, in the order of their names. */
  readonly apps: readonly (Line & { readonly app: Shown })[];
  /** By currency; none of several apps whose currency is not known. */
  readonly totals: readonly Line[];
  /** Campaigns that will spend more than before, or may. */
  readonly increases: readonly Change[];
  /** `USD 5.00 a day`. */
  readonly daily: (values: Values) => Phrase;
}

type Budget = bigint | Hidden;

/** A budget on one side of a plan. */
interface Entry {
  readonly side: "before" | "after";
  readonly values: Values;
  readonly budget: Budget;
}

export function spendOf(changes: readonly Change[], takeovers: Takeovers): Spend {
  const campaigns = changes.filter(({ kind, action }) => kind === "AdCampaign" && action !== "gone");
  const currencyOf = currenciesIn(campaigns);
  const lines = new Map<string, Line & { app: Shown }>();
  for (const { side, values, budget } of campaigns.flatMap((change) => entriesOf(change, takeovers))) {
    const currency = currencyOf(values);
    const app = shown(values["appId"]);
    const key = JSON.stringify([app, currency]);
    const line = lines.get(key) ?? { app, currency, before: nothing, after: nothing };
    lines.set(key, { ...line, [side]: sum(line[side], budget) });
  }
  const apps = inOrder(lines);
  return {
    apps,
    totals: sums(apps).filter(({ currency }) => currency !== undefined || !mayMixCurrencies(apps)),
    increases: campaigns.filter((change) => change.action !== "same" && isIncrease(entriesOf(change, takeovers))),
    daily: (values) => dailyIn(values, currencyOf(values)),
  };
}

/** Whether several apps have a currency that is not known: it may be another for each. */
export function mayMixCurrencies(apps: readonly Line[]): boolean {
  return apps.filter(({ currency }) => currency === undefined).length > 1;
}

/** By currency; what is not known is taken for one, which is right for a limit and for nothing that is shown. */
export function sums(lines: readonly Line[]): Line[] {
  const totals = new Map<string, Line>();
  for (const { currency, before, after } of lines) {
    const key = currency ?? unnamed;
    const total = totals.get(key) ?? { currency, before: nothing, after: nothing };
    totals.set(key, { currency, before: plus(total.before, before), after: plus(total.after, after) });
  }
  return inOrder(totals);
}

/** What the campaigns of one resource spend before and after. */
function entriesOf(change: Change, takeovers: Takeovers): Entry[] {
  const { action, before, after } = change;
  const former = takeovers.formerOf(change);
  const old = isUnconfirmed(before) || isPaused(before) ? 0n : budgetIn(before);
  // Left out it is left alone, in place.
  const goesOnWith = former?.before ?? (action === "replace" ? {} : before);
  const staysPaused = after["paused"] === undefined && isPaused(goesOnWith);
  // One that is not confirmed may spend already, and is cleared up by a later `up`.
  const stays = isUnconfirmed(before) ? budgetIn(before) : old;
  const next = isPaused(after) || staysPaused ? 0n : action === "same" ? stays : budgetIn(after);
  const isOld = action !== "create";
  const isNext = action !== "delete";
  const isKept = (action === "delete" || action === "replace") && endingOf(change) === "retain";
  // Adoption finds a campaign that spends already. One that this stack gives up at the same time is counted there.
  const isFound = (action === "create" || action === "replace") && isAdopted(change) && former === undefined;
  // Where it shall run, nobody knows whether it does already.
  const found = after["paused"] === undefined || isPaused(after) ? budgetIn(after) : new Hidden("not known yet");
  // The account of a campaign that stays is the one that the state knows.
  const values =
    action === "same" || action === "update" ? { ...after, accountCurrencyCode: before["accountCurrencyCode"] } : after;
  return [
    ...(isOld ? [{ side: "before", values: before, budget: old } as const] : []),
    ...(isFound ? [{ side: "before", values: after, budget: found } as const] : []),
    ...(isNext ? [{ side: "after", values, budget: next } as const] : []),
    ...(isKept && takeovers.heirOf(change) === undefined
      ? [{ side: "after", values: before, budget: old } as const]
      : []),
  ];
}

function isIncrease(entries: readonly Entry[]): boolean {
  const side = (wanted: Entry["side"]): Amount =>
    entries.filter((entry) => entry.side === wanted).reduce<Amount>((all, { budget }) => sum(all, budget), nothing);
  return side("after").open > 0 || side("after").micros > side("before").micros;
}

/** Stands behind every currency's code. */
const unnamed = "~";

const nothing: Amount = { micros: 0n, open: 0 };

function sum(amount: Amount, budget: Budget): Amount {
  return plus(amount, budget instanceof Hidden ? { micros: 0n, open: 1 } : { micros: budget, open: 0 });
}

function plus(one: Amount, other: Amount): Amount {
  return { micros: one.micros + other.micros, open: one.open + other.open };
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

/** The currency is the advertising account's, and an app has one account: what one campaign of it knows counts for all. */
function currenciesIn(campaigns: readonly Change[]): (values: Values) => string | undefined {
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

function inOrder<T>(lines: ReadonlyMap<string, T>): T[] {
  return [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}
