import { type AnyLookup, lookups } from "../../provider/registry";
import type { StoredObjects } from "../../simulator";

type Args = Readonly<Record<string, unknown>>;

interface LookupFixture {
  /** Arguments that are in order. The first is an id or a text of any form. */
  readonly args: Args;
  /** Puts there what it finds, where its first argument is this one. */
  readonly existing?: (objects: StoredObjects, first: string, text: (path: string) => string) => void;
}

const target = (text: (path: string) => string) => ({
  target_url: `https://hooks.example.com/?key=${text("target URL")}`,
});

const fixtures: Readonly<Record<string, LookupFixture>> = {
  getMembers: { args: { search: "a", appsOwned: { gte: 1 }, roles: ["admin"] } },
  getCampaigns: { args: { appId: "app-1" } },
  getCampaign: {
    args: { appId: "app-1", campaignId: "campaign-1" },
    existing: (objects, appId) => void objects.putCampaign(appId, { id: "campaign-1" }),
  },
  getWebhook: {
    args: { agentId: "agent-1", webhookId: "hook-1" },
    existing: (objects, agentId, text) => void objects.putWebhook(agentId, { id: "hook-1", ...target(text) }),
  },
  getWebhooks: {
    args: { agentId: "agent-1" },
    existing: (objects, agentId, text) => void objects.putWebhook(agentId, target(text)),
  },
  getFolderItems: { args: { folderId: "folder-1" } },
  getRecords: {
    args: { appId: "app-1", entityName: "TaxRate" },
    existing: (objects, appId, text) => void objects.putRecord(appId, "TaxRate", { note: text("field of a record") }),
  },
  getTestFlows: { args: { appId: "app-1" } },
  getLaunchReadiness: { args: { appId: "app-1" } },
  getCodingSession: {
    args: { appId: "app-1", sessionId: "session-1" },
    existing: (objects, appId) => void objects.putCodingSession(appId, { id: "session-1" }),
  },
  getGeoTargets: { args: { appId: "app-1", query: "Berlin", countryCode: "DE" } },
  getSearchThemes: { args: { appId: "app-1", businessName: "Shop", language: "en" } },
  getSearchTerms: { args: { appId: "app-1", dateRange: "LAST_7_DAYS" } },
  getAdAssets: { args: { appId: "app-1" } },
  getSecurityScan: { args: { appId: "app-1" } },
  getConnectorFields: {
    args: { appId: "app-1", integrationType: "crm" },
    existing: (objects, appId, text) => {
      objects.setConnection(appId, "crm", { subdomain: text("value of a connection") });
    },
  },
  getUserStats: { args: { appId: "app-1" } },
  explainRun: {
    args: { appId: "app-1", workflowId: "w", runId: "r" },
    existing: (objects, appId) => {
      objects.putWorkflowRun(appId, "w", "r", { status: "failed" });
    },
  },
};

export const lookupFixtures: readonly (LookupFixture & { readonly lookup: AnyLookup })[] = lookups.map((lookup) => {
  const fixture = fixtures[lookup.name];
  if (fixture === undefined) throw new Error(`test/support/lookup-fixtures.ts has no arguments for ${lookup.name}.`);
  return { lookup, ...fixture };
});
