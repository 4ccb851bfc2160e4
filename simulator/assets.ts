import { checkReach } from "./app-access";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";

/** A generated asset; the fields of the three lists are not shown, but for three of the library's. */
export type Asset = Record<string, unknown>;

/** The generated assets that the service holds. */
export interface AssetObjects {
  /** The previews of a generation; without them it reads as one that is running, produced nothing or has expired. */
  setAssetSession(appId: string, sessionId: string, previews: Asset[]): void;
  /** Replaces the app's generated assets, the newest first; more than 5,000 are kept, and not shown. */
  setAssetLibrary(appId: string, assets: Asset[]): void;
  /** What is attached to a campaign. */
  setCampaignAssets(appId: string, campaignId: string, assets: Asset[]): void;
}

/** "At most the 5,000 most recent, no paging, no marker on truncation." */
const mostShown = 5_000;

export interface Assets {
  objects: AssetObjects;
  handlers: Handlers;
}

export function openAssets(campaigns: { campaign(appId: string, id: string): unknown }): Assets {
  const sessions = new Map<string, Asset[]>();
  const libraries = new Map<string, Asset[]>();
  const attached = new Map<string, Asset[]>();
  const key = (...ids: string[]): string => JSON.stringify(ids);
  return {
    objects: {
      setAssetSession: (appId, sessionId, previews) => void sessions.set(key(appId, sessionId), previews),
      setAssetLibrary: (appId, assets) => void libraries.set(appId, assets),
      setCampaignAssets: (appId, campaignId, assets) => void attached.set(key(appId, campaignId), assets),
    },
    handlers: {
      "asset.list": ({ parameters: { app_id }, caller, query: { session_id, campaign_id } }) => {
        checkAccess(app_id, campaign_id, caller);
        if (campaign_id !== undefined && campaigns.campaign(app_id, campaign_id) === undefined)
          throw refusal(404, "campaign_not_found", "There is no such campaign.");
        const generated =
          session_id === undefined
            ? { library: (libraries.get(app_id) ?? []).slice(0, mostShown) }
            : { session: sessions.get(key(app_id, session_id)) ?? [] };
        const durable = campaign_id === undefined ? {} : { durable: attached.get(key(app_id, campaign_id)) ?? [] };
        return { ...generated, ...durable };
      },
    },
  };
}

/** "Without campaign_id the endpoint answers only 200, 401 or 403." */
function checkAccess(appId: string, campaignId: string | undefined, caller: Parameters<typeof checkReach>[1]): void {
  if (campaignId !== undefined) checkReach(appId, caller);
  else if (!caller.reaches(appId)) throw refusal(403, "app_not_allowed", "The credential does not reach this app.");
}
