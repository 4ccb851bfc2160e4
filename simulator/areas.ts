import { openCampaignStore } from "./campaign-store";
import { campaignHandlers } from "./campaigns";
import { openCodingSessionStore } from "./coding-session-store";
import { codingSessionHandlers } from "./coding-sessions";
import { openFolderStore } from "./folder-store";
import { folderHandlers } from "./folders";
import type { Handlers } from "./handler";
import { openRecordStore } from "./record-store";
import { recordHandlers } from "./records";
import { openScanStore } from "./scan-store";
import { scanHandlers } from "./scans";
import { openTestStore } from "./test-store";
import { testHandlers } from "./tests";
import { trackingHandlers } from "./tracking";
import { openTrackingStore } from "./tracking-store";
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
  const records = openRecordStore(options, now);
  const tests = openTestStore(now);
  const scans = openScanStore(now);
  const tracking = openTrackingStore();
  const codingSessions = openCodingSessionStore(options);
  return {
    handlers: {
      ...webhookHandlers(webhooks.objects, options, now),
      ...folderHandlers(folders),
      ...campaignHandlers(campaigns, now),
      ...recordHandlers(records, options, now),
      ...testHandlers(tests, options, now),
      ...scanHandlers(scans.objects),
      ...trackingHandlers(tracking, campaigns.objects),
      ...codingSessionHandlers(codingSessions),
    },
    objects: {
      ...webhooks.objects,
      ...folders.objects,
      ...campaigns.objects,
      ...records.objects,
      ...tests.objects,
      ...scans.objects,
      ...tracking.objects,
      ...codingSessions.objects,
      all: () => ({
        webhooks: webhooks.all(),
        folders: folders.all(),
        campaigns: campaigns.all(),
        records: records.all(),
        tests: tests.all(),
        scans: scans.all(),
        conversionGoals: tracking.all(),
        codingSessions: codingSessions.all(),
      }),
    },
    deliver: webhooks.deliver,
    advertising: campaigns.controls,
  };
}
