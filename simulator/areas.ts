import { openAssets } from "./assets";
import { openCampaignStore } from "./campaign-store";
import { campaignHandlers } from "./campaigns";
import { openCodingSessionStore } from "./coding-session-store";
import { codingSessionHandlers } from "./coding-sessions";
import { openConnectors } from "./connectors";
import { openFolderStore } from "./folder-store";
import { folderHandlers } from "./folders";
import { geoTargetHandlers, openGeoTargets } from "./geo-targets";
import type { Handlers } from "./handler";
import { openMemberStore } from "./member-store";
import { memberHandlers } from "./members";
import { openRecordStore } from "./record-store";
import { recordHandlers } from "./records";
import { openScanStore } from "./scan-store";
import { scanHandlers } from "./scans";
import { openSearchTerms } from "./search-terms";
import { openSearchThemes } from "./search-themes";
import { openTestStore } from "./test-store";
import { testHandlers } from "./tests";
import { trackingHandlers } from "./tracking";
import { openTrackingStore } from "./tracking-store";
import type { AdvertisingControls, SimulatorOptions, StoredObjects } from "./types";
import { openUserStats, userStatsHandlers } from "./user-stats";
import { openWebhookStore, type WebhookStore } from "./webhook-store";
import { webhookHandlers } from "./webhooks";
import { openWorkflowRuns } from "./workflow-runs";

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
  const members = openMemberStore(options);
  const geoTargets = openGeoTargets(options);
  const searchThemes = openSearchThemes();
  const searchTerms = openSearchTerms();
  const assets = openAssets(campaigns.objects);
  const connectors = openConnectors();
  const userStats = openUserStats();
  const workflowRuns = openWorkflowRuns(now);
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
      ...memberHandlers(members, options),
      ...geoTargetHandlers(geoTargets),
      ...searchThemes.handlers,
      ...searchTerms.handlers,
      ...assets.handlers,
      ...connectors.handlers,
      ...userStatsHandlers(userStats),
      ...workflowRuns.handlers,
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
      ...members.objects,
      ...geoTargets,
      ...searchThemes.objects,
      ...searchTerms.objects,
      ...assets.objects,
      ...connectors.objects,
      ...userStats,
      ...workflowRuns.objects,
      all: () => ({
        webhooks: webhooks.all(),
        folders: folders.all(),
        campaigns: campaigns.all(),
        records: records.all(),
        tests: tests.all(),
        scans: scans.all(),
        conversionGoals: tracking.all(),
        codingSessions: codingSessions.all(),
        members: members.objects.members(),
      }),
    },
    deliver: webhooks.deliver,
    advertising: campaigns.controls,
  };
}
