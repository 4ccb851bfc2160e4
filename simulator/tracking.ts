import { z } from "zod";
import { checkEditor } from "./app-access";
import type { Handlers } from "./handler";
import { standardGoals, type TrackingStore } from "./tracking-store";
import type { CampaignObjects } from "./types";
import { validated } from "./validation";

/** Whether it may be left out is not shown: then only the base tag is installed. */
const bootstrap = z.object({ wire_events: z.boolean().default(false) });

/** How many categories the service offers is not shown: as many as there are standard goals. */
const categoriesOffered = standardGoals.length;

type Accounts = Pick<CampaignObjects, "advertisingAccount">;

export function trackingHandlers(store: TrackingStore, accounts: Accounts): Handlers {
  return {
    // It answers at once: a delay is for a fault to add.
    "tracking.bootstrap": ({ parameters: { app_id }, caller, body }) => {
      const { wire_events } = validated(bootstrap, body);
      checkEditor(app_id, caller, "conversion tracking");
      const account = accounts.advertisingAccount(app_id);
      if (account === undefined) return { composer_prompt: "", skipped_reason: "no_ads_account" };
      const goals = store.complete(app_id);
      const conversion_id = store.tag(app_id) ?? `tag-${account.platform_customer_id}`;
      const wired_mappings = wire_events ? store.enabledMappings(app_id) || categoriesOffered : 0;
      return {
        composer_prompt: promptOf(conversion_id, wired_mappings),
        conversion_id,
        actions_created_or_existing: goals.length,
        wired_mappings,
      };
    },
  };
}

function promptOf(conversionId: string, mappings: number): string {
  const tag = conversionId === "" ? "Look up the conversion tag's ID, then install it" : `Install ${conversionId}`;
  const wiring = mappings === 0 ? "" : ` Then wire ${String(mappings)} conversion events.`;
  return `${tag} on every page of the app.${wiring}`;
}
