import { type AnyLookup, lookups } from "../../provider/registry";

type Args = Readonly<Record<string, unknown>>;

/** Valid arguments of each look-up. */
const argsByName: Readonly<Record<string, Args>> = {
  getMembers: { search: "a", appsOwned: { gte: 1 }, roles: ["admin"] },
  getCampaigns: { appId: "app-1" },
  getCampaign: { appId: "app-1", campaignId: "campaign-1" },
  getWebhook: { agentId: "agent-1", webhookId: "hook-1" },
  getGeoTargets: { appId: "app-1", query: "Berlin", countryCode: "DE" },
  getSearchThemes: { appId: "app-1", businessName: "Shop", language: "en" },
  getSearchTerms: { appId: "app-1", dateRange: "LAST_7_DAYS" },
  getAdAssets: { appId: "app-1" },
  getSecurityScan: { appId: "app-1" },
  getConnectorFields: { appId: "app-1", integrationType: "crm" },
  getUserStats: { appId: "app-1" },
  explainRun: { appId: "app-1", workflowId: "w", runId: "r" },
};

export const lookupFixtures: readonly { readonly lookup: AnyLookup; readonly args: Args }[] = lookups.map((lookup) => {
  const args = argsByName[lookup.name];
  if (args === undefined) throw new Error(`test/support/lookup-fixtures.ts has no arguments for ${lookup.name}.`);
  return { lookup, args };
});
