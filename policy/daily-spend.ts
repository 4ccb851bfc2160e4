import type { PolicyConfigSchema, ResourceValidation, StackValidation } from "@pulumi/policy";
import { currencyPattern, money } from "../provider/service/money";
import { anyStack, isKind, type PolicyResource, type Rule, stackOf, unknownValue, valueOf } from "./rule";

interface Settings {
  /** The most micros a day, by stack and currency. */
  caps: Record<string, Record<string, number>>;
  /** The currency of an app's advertising account. */
  currencies?: Record<string, string>;
}

const configSchema: PolicyConfigSchema = {
  properties: {
    caps: {
      type: "object",
      description: `Micros a day, as whole numbers, by stack ("${anyStack}": all others) and currency. USD 50.00 a day in prod: {"prod": {"USD": 50000000}}.`,
      additionalProperties: {
        type: "object",
        propertyNames: { pattern: currencyPattern },
        additionalProperties: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
    },
    currencies: {
      type: "object",
      description:
        "The currency of the advertising account of each app. Not needed if a stack has caps in only one currency.",
      additionalProperties: { type: "string", pattern: currencyPattern },
    },
  },
  required: ["caps"],
};

/**
 * Adds up what the running campaigns of a stack may spend a day. It checks each campaign before it is launched, because a
 * rule for the whole stack runs only after `up` has launched them all.
 */
export function dailySpend(): Rule {
  const counted = new Map<string, CountedCampaign>();
  return {
    needs: { AdCampaign: ["appId", "dailyBudgetMicros"] },
    policy: {
      name: "daily-spend",
      description: "The campaigns of a stack stay within its cap on daily spend.",
      enforcementLevel: "mandatory",
      configSchema,
      validateResource: checkCap(counted),
      validateStack: checkCurrency,
    },
  };
}

/** A campaign that counts towards the cap. */
interface CountedCampaign {
  readonly stack: string;
  readonly name: string;
  readonly currency: string;
  readonly micros: bigint;
}

/** `counted` is by URN, because a pack that runs for a preview and its `up` sees every campaign twice. */
function checkCap(counted: Map<string, CountedCampaign>): ResourceValidation {
  return (resource, report) => {
    if (!isKind(resource, "AdCampaign")) return;
    counted.delete(resource.urn);
    // If `paused` is left out or not known yet, the campaign may be running.
    if (valueOf(resource, "paused") === true) return;
    const settings = resource.getConfig<Settings>();
    const stack = stackOf(resource);
    const budget = valueOf(resource, "dailyBudgetMicros");
    const currency = currencyOf(resource, settings);
    if (budget === unknownValue || currency === unknownValue) return;
    if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0) {
      report(
        `dailyBudgetMicros of AdCampaign "${resource.name}" must be a whole number of micros (1,000,000 micros are 1.00).`,
      );
      return;
    }
    const cap = currency === undefined ? undefined : capsFor(settings, stack)[currency];
    if (currency === undefined || cap === undefined) {
      report(noCapMessage(resource, stack, currency));
      return;
    }
    counted.set(resource.urn, { stack, name: resource.name, currency, micros: BigInt(budget) });
    const together = [...counted.values()].filter((one) => one.stack === stack && one.currency === currency);
    const total = together.reduce((sum, { micros }) => sum + micros, 0n);
    // The engine checks them in no fixed order.
    const names = together.map(({ name }) => name).sort();
    if (total > BigInt(cap))
      report(
        `AdCampaign "${resource.name}" brings the daily spend of stack ${stack} to ${money(total, currency)}, above its cap of ${money(cap, currency)} a day. Counted so far: ${names.join(", ")}. Lower a budget, pause or remove a campaign, or raise the cap in the policy's configuration.`,
      );
  };
}

function capsFor({ caps }: Settings, stack: string): Record<string, number> {
  return caps[stack] ?? caps[anyStack] ?? {};
}

/** From the settings. An `AdCampaign` learns its currency only after the launch, with its account. */
function currencyOf(resource: PolicyResource, settings: Settings): string | typeof unknownValue | undefined {
  const currencies = Object.keys(capsFor(settings, stackOf(resource)));
  const onlyCurrency = currencies.length === 1 ? currencies[0] : undefined;
  const appId = valueOf(resource, "appId");
  if (appId === unknownValue) return unknownValue;
  return typeof appId === "string" ? (settings.currencies?.[appId] ?? onlyCurrency) : onlyCurrency;
}

/** A campaign without a cap is refused. */
function noCapMessage({ name }: PolicyResource, stack: string, currency: string | undefined): string {
  return currency === undefined
    ? `The currency of AdCampaign "${name}" in stack ${stack} is unknown, so no cap can be applied. Add its app to "currencies" in the policy's configuration, and a cap for the stack in that currency to "caps".`
    : `Stack ${stack} has no cap in ${currency}, so AdCampaign "${name}" is not allowed to spend. Add one to "caps" in the policy's configuration, or pause or remove the campaign.`;
}

/** Compares the currency of the account, as the service reports it, with the one in the settings. */
const checkCurrency: StackValidation = (stack, report) => {
  for (const resource of stack.resources.filter((one) => isKind(one, "AdCampaign"))) {
    const actual = valueOf(resource, "accountCurrencyCode");
    const counted = currencyOf(resource, stack.getConfig<Settings>());
    if (typeof actual === "string" && typeof counted === "string" && actual !== counted)
      report(
        `AdCampaign "${resource.name}" spends in ${actual}, but was counted against the cap in ${counted}. Set the currency of its app in "currencies" in the policy's configuration.`,
        resource.urn,
      );
  }
};
