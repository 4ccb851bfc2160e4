import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { nameOfLaunch } from "../../provider/resources/ad-campaign/campaign-name";
import type { Campaign } from "../../simulator";
import { asStored, declared, type Intent } from "./campaigns";
import type { Bench } from "./deployment";

/** The name under which these arguments are launched with the key of an intent. */
export function launchedName({ key }: Pick<Intent, "key">, inputs: object = declared): string {
  return nameOfLaunch(adCampaignLifecycle.inputs.parse({ ...declared, ...inputs }), key);
}

/** The campaign that a killed command launched with an intent: the service has it, and no state does. */
export function putLaunch(
  { simulator }: Bench,
  intent: Pick<Intent, "key">,
  inputs: Partial<typeof declared> = {},
  fields: Partial<Campaign> = {},
): Campaign {
  const { appId = "app-1", dailyBudgetMicros = declared.dailyBudgetMicros } = inputs;
  return simulator.objects.putCampaign(appId, {
    ...asStored,
    daily_budget_micros: dailyBudgetMicros,
    campaign_name: launchedName(intent, inputs),
    ...fields,
  });
}
