import type { PolicyConfigSchema, ResourceValidationArgs, StackValidation } from "@pulumi/policy";
import { currencyPattern, money } from "../provider/service/money";
import { anyStack, checked, isKind, type PolicyResource, type Rule, stackOf, unknownValue, valueOf } from "./rule";

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
 * Adds up what the campaigns of a stack may spend a day. It checks each campaign before it is launched, because a rule for
 * the whole stack runs only after `up` has launched them all. Pulumi checks campaigns in no fixed order: one counts when
 * the program registers it, so a new campaign may come before those in the state.
 *
 * It cannot count a campaign that the program no longer declares, although a retained one goes on spending. Pulumi passes
 * a rule neither the state nor the removed resources. `workspace-apps review` has both.
 */
export function dailySpend(): Rule {
  const counted = new Map<string, CountedCampaign>();
  return {
    needs: { AdCampaign: ["appId", "dailyBudgetMicros"] },
    policy: checked({
      name: "daily-spend",
      description:
        "The campaigns that a program declares stay within the stack's cap on daily spend. A campaign that is removed and retained does not count.",
      enforcementLevel: "mandatory",
      configSchema,
      validateResource: (resource, report) => {
        if (!isKind(resource, "AdCampaign")) return;
        const problem = count(resource, counted) ?? whyAboveCap(resource, counted);
        if (problem !== undefined) report(problem);
      },
      validateStack: checkCurrency,
    }),
  };
}

/** A campaign that counts towards the cap. */
interface CountedCampaign {
  readonly stack: string;
  readonly name: string;
  readonly currency: string;
  readonly micros: bigint;
}

/** Counts a campaign with the arguments of now. Returns why that is not possible. */
function count(resource: ResourceValidationArgs, counted: Map<string, CountedCampaign>): string | undefined {
  const { name, urn } = resource;
  counted.delete(urn);
  // One that the service holds starts by itself. Only a campaign that is declared as paused stays paused.
  if (valueOf(resource, "paused") === true) return undefined;
  const settings = resource.getConfig<Settings>();
  const stack = stackOf(resource);
  const budget = valueOf(resource, "dailyBudgetMicros");
  const currency = currencyOf(resource, settings);
  if (budget === unknownValue || currency === unknownValue) return undefined;
  if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0)
    return `dailyBudgetMicros of AdCampaign "${name}" must be a whole number of micros (1,000,000 micros are 1.00).`;
  if (currency === undefined || capsFor(settings, stack)[currency] === undefined)
    return noCapMessage(resource, stack, currency);
  counted.set(urn, { stack, name, currency, micros: BigInt(budget) });
  return undefined;
}

function whyAboveCap(
  resource: ResourceValidationArgs,
  counted: ReadonlyMap<string, CountedCampaign>,
): string | undefined {
  const own = counted.get(resource.urn);
  if (own === undefined) return undefined;
  const { stack, currency } = own;
  const cap = capsFor(resource.getConfig<Settings>(), stack)[currency] ?? 0;
  const together = [...counted.values()].filter((one) => one.stack === stack && one.currency === currency);
  const total = together.reduce((sum, { micros }) => sum + micros, 0n);
  if (total <= BigInt(cap)) return undefined;
  // Sorted, because Pulumi checks them in no fixed order.
  const names = together.map(({ name }) => name).sort();
  return `With AdCampaign "${resource.name}", the daily spend of stack ${stack} is ${money(total, currency)}, above its cap of ${money(cap, currency)} a day. Counted so far: ${names.join(", ")}. Lower a budget, pause or remove a campaign, or raise the cap in the policy's configuration.`;
}

function capsFor({ caps }: Settings, stack: string): Record<string, number> {
  return caps[stack] ?? caps[anyStack] ?? {};
}

/** From the settings. An `AdCampaign` learns its currency only after the launch, with its account. */
function currencyOf(resource: PolicyResource, settings: Settings): string | typeof unknownValue | undefined {
  const currencies = Object.keys(capsFor(settings, stackOf(resource)));
  const onlyCurrency = currencies.length === 1 ? currencies[0] : undefined;
  const appId = valueOf(resource, "appId");
  // Where there is one cap, an app that is not known yet can only count towards that.
  if (appId === unknownValue) return onlyCurrency ?? unknownValue;
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
