import type { PolicyConfigSchema, ResourceValidation, StackValidation } from "@pulumi/policy";
import { currencyPattern } from "../provider/service/money";
import { anyStack, type Declared, isKind, type Rule, stackOf, unknown, valueOf } from "./rule";

interface Settings {
  /** Micros a day, by stack and currency. */
  caps: Record<string, Record<string, number>>;
  /** The currency of an app's advertising account. */
  currencies?: Record<string, string>;
}

const configSchema: PolicyConfigSchema = {
  properties: {
    caps: {
      type: "object",
      description: `Whole micros a day, by stack ("${anyStack}": the others) and currency: {"prod": {"USD": 50000000}}.`,
      additionalProperties: {
        type: "object",
        propertyNames: { pattern: currencyPattern },
        additionalProperties: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
    },
    currencies: {
      type: "object",
      description:
        "The currency of an app's advertising account, by app. Not needed where a stack has caps in one alone.",
      additionalProperties: { type: "string", pattern: currencyPattern },
    },
  },
  required: ["caps"],
};

/**
 * Adds up what the running campaigns of a stack may spend a day. Campaign by campaign, because a rule of the whole stack
 * runs when an `up` has launched them all.
 */
export function dailySpend(): Rule {
  const spending = new Map<string, Spending>();
  return {
    needs: { AdCampaign: ["appId", "dailyBudgetMicros"] },
    policy: {
      name: "daily-spend",
      description: "The campaigns of a stack stay under its cap on daily spend.",
      enforcementLevel: "mandatory",
      configSchema,
      validateResource: underCap(spending),
      validateStack: countedInItsCurrency,
    },
  };
}

/** A campaign that may spend. */
interface Spending {
  readonly stack: string;
  readonly name: string;
  readonly currency: string;
  readonly micros: bigint;
}

/** By URN: a pack that lives through a preview and its `up` sees every campaign twice. */
function underCap(all: Map<string, Spending>): ResourceValidation {
  return (resource, report) => {
    if (!isKind(resource, "AdCampaign")) return;
    all.delete(resource.urn);
    // Left out or not known yet, it may be running.
    if (valueOf(resource, "paused") === true) return;
    const settings = resource.getConfig<Settings>();
    const stack = stackOf(resource);
    const budget = valueOf(resource, "dailyBudgetMicros");
    const currency = currencyOf(resource, settings);
    if (budget === unknown || currency === unknown) return;
    if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0) {
      report(`dailyBudgetMicros of AdCampaign "${resource.name}" is not a whole number of micros. Give it as one.`);
      return;
    }
    const cap = currency === undefined ? undefined : capsFor(settings, stack)[currency];
    if (currency === undefined || cap === undefined) {
      report(withoutCap(resource, stack, currency));
      return;
    }
    all.set(resource.urn, { stack, name: resource.name, currency, micros: BigInt(budget) });
    const counted = [...all.values()].filter((one) => one.stack === stack && one.currency === currency);
    const total = counted.reduce((sum, { micros }) => sum + micros, 0n);
    // The engine judges them in no fixed order.
    const names = counted.map(({ name }) => name).sort();
    if (total > BigInt(cap))
      report(
        `AdCampaign "${resource.name}" brings the daily spend of stack ${stack} to ${String(total)} micros of ${currency}, above its cap of ${String(cap)}. Counted so far: ${names.join(", ")}. Lower a budget, pause or remove a campaign, or have the cap raised in the policy's configuration.`,
      );
  };
}

function capsFor({ caps }: Settings, stack: string): Record<string, number> {
  return caps[stack] ?? caps[anyStack] ?? {};
}

/** As the configuration says; an `AdCampaign` learns it from the service, with its account. */
function currencyOf(resource: Declared, settings: Settings): string | typeof unknown | undefined {
  const inCaps = Object.keys(capsFor(settings, stackOf(resource)));
  const only = inCaps.length === 1 ? inCaps[0] : undefined;
  const appId = valueOf(resource, "appId");
  if (appId === unknown) return unknown;
  return typeof appId === "string" ? (settings.currencies?.[appId] ?? only) : only;
}

/** Money without a cap is refused, not let pass. */
function withoutCap({ name }: Declared, stack: string, currency: string | undefined): string {
  return currency === undefined
    ? `Nothing says in which currency AdCampaign "${name}" of stack ${stack} spends, so no cap can be applied. Add its app to "currencies" in the policy's configuration, and a cap for the stack in that currency to "caps".`
    : `There is no cap in ${currency} for stack ${stack}, so AdCampaign "${name}" may not spend there. Add one to "caps" in the policy's configuration, or pause or remove the campaign.`;
}

/** What the service said of the account, against what the configuration says. */
const countedInItsCurrency: StackValidation = (stack, report) => {
  for (const resource of stack.resources.filter((one) => isKind(one, "AdCampaign"))) {
    const actual = valueOf(resource, "accountCurrencyCode");
    const counted = currencyOf(resource, stack.getConfig<Settings>());
    if (typeof actual === "string" && typeof counted === "string" && actual !== counted)
      report(
        `AdCampaign "${resource.name}" spends in ${actual}, and was counted against the cap in ${counted}. Give its app's currency in "currencies" in the policy's configuration.`,
        resource.urn,
      );
  }
};
