import { openCampaignStore } from "./campaign-store";
import { campaignHandlers } from "./campaigns";
import { openFolderStore } from "./folder-store";
import { folderHandlers } from "./folders";
import type { Handlers } from "./handler";
import type { AdvertisingControls, SimulatorOptions, StoredObjects } from "./types";
import { openWebhookStore, type WebhookStore } from "./webhook-store";
import { webhookHandlers } from "./webhooks";

/** All that the service holds, and what it can do with it. */
export interface Areas {
  handlers: Handlers;
  objects: StoredObjects;
  deliver: WebhookStore["deliver"];
  advertising: AdvertisingControls;
}

export function openAreas(options: SimulatorOptions, now: () => number): Areas {
  const webhooks = openWebhookStore(now);
  const folders = openFolderStore(options, now);
  const campaigns = openCampaignStore(options, now);
  return {
    handlers: {
      ...webhookHandlers(webhooks.objects, options, now),
      ...folderHandlers(folders),
      ...campaignHandlers(campaigns, now),
    },
    objects: {
      ...webhooks.objects,
      ...folders.objects,
      ...campaigns.objects,
      all: () => ({ webhooks: webhooks.all(), folders: folders.all(), campaigns: campaigns.all() }),
    },
    deliver: webhooks.deliver,
    advertising: campaigns.controls,
  };
}
