import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { id, ofApp, route } from "../control/route";
import type { Caller } from "../credentials";
import type { Handlers } from "../handler";
import { refusal } from "../refusal";
import type { Asset, AssetObjects, CampaignObjects } from "../types";
import { anyObject } from "../validation";

/** "At most the 5,000 most recent, no paging, no marker on truncation." */
const libraryLimit = 5_000;

function openAssets(campaigns: Pick<CampaignObjects, "campaign">) {
  const sessions = new Map<string, Asset[]>();
  const libraries = new Map<string, Asset[]>();
  const attached = new Map<string, Asset[]>();
  const key = (...ids: string[]): string => JSON.stringify(ids);
  const objects: AssetObjects = {
    setAssetSession: (appId, sessionId, previews) => void sessions.set(key(appId, sessionId), previews),
    setAssetLibrary: (appId, assets) => void libraries.set(appId, assets),
    setCampaignAssets: (appId, campaignId, assets) => void attached.set(key(appId, campaignId), assets),
  };
  const handlers: Handlers = {
    "asset.list": ({ parameters: { app_id }, caller, query: { session_id, campaign_id } }) => {
      checkAccess(app_id, campaign_id, caller);
      if (campaign_id !== undefined && campaigns.campaign(app_id, campaign_id) === undefined)
        throw refusal(404, "campaign_not_found", "There is no such campaign.");
      const generated =
        session_id === undefined
          ? { library: (libraries.get(app_id) ?? []).slice(0, libraryLimit) }
          : { session: sessions.get(key(app_id, session_id)) ?? [] };
      const durable = campaign_id === undefined ? {} : { durable: attached.get(key(app_id, campaign_id)) ?? [] };
      return { ...generated, ...durable };
    },
  };
  return { objects, handlers };
}

/** "Without campaign_id the endpoint answers only 200, 401 or 403." */
function checkAccess(appId: string, campaignId: string | undefined, caller: Caller): void {
  if (campaignId !== undefined) checkReach(appId, caller);
  else if (!caller.reaches(appId)) throw refusal(403, "app_not_allowed", "The credential does not reach this app.");
}

export const assets = {
  open: ({ objects }) => openAssets(objects),
  controlRoutes: [
    route({
      endpoint: "PUT advertising/assets",
      description:
        "Replaces one list of generated assets: the app's library, the previews of a session, or the assets of a campaign.",
      input: z.union([
        ofApp.extend({ library: z.array(anyObject) }),
        ofApp.extend({ sessionId: id, session: z.array(anyObject) }),
        ofApp.extend({ campaignId: id, durable: z.array(anyObject) }),
      ]),
      examples: [
        { appId: "a", library: [{ status: "ready" }] },
        { appId: "a", sessionId: "s", session: [] },
        { appId: "a", campaignId: "c", durable: [] },
      ],
      handle: ({ objects }, list) => {
        if ("library" in list) objects.setAssetLibrary(list.appId, list.library);
        else if ("session" in list) objects.setAssetSession(list.appId, list.sessionId, list.session);
        else objects.setCampaignAssets(list.appId, list.campaignId, list.durable);
      },
    }),
  ],
} satisfies Area;
