import { openFolderStore } from "./folder-store";
import { folderHandlers } from "./folders";
import type { Handlers } from "./handler";
import type { SimulatorOptions, StoredObjects } from "./types";
import { openWebhookStore, type WebhookStore } from "./webhook-store";
import { webhookHandlers } from "./webhooks";

/** All that the service holds, and what it can do with it. */
export interface Areas {
  handlers: Handlers;
  objects: StoredObjects;
  deliver: WebhookStore["deliver"];
}

export function openAreas(options: SimulatorOptions, now: () => number): Areas {
  const webhooks = openWebhookStore(now);
  const folders = openFolderStore(options, now);
  return {
    handlers: {
      ...webhookHandlers(webhooks.objects, options, now),
      ...folderHandlers(folders),
    },
    objects: {
      ...webhooks.objects,
      ...folders.objects,
      all: () => ({ webhooks: webhooks.all(), folders: folders.all() }),
    },
    deliver: webhooks.deliver,
  };
}
