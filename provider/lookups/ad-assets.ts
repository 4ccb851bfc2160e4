import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { ProviderError } from "../service/errors";
import type { Answer } from "../service/operations";
import { withoutAbsent } from "./shared/result";

/** Whose assets, and which of the three lists. */
export interface GetAdAssetsArgs {
  /** The app whose assets are listed. */
  appId: string;
  /** A generation of assets, whose previews come instead of the library. */
  sessionId?: string;
  /** The service's own id of a campaign, whose attached assets come as well. */
  campaignId?: string;
}

/** An asset of the app's library. */
export interface LibraryAsset {
  /** The values are not documented. */
  status?: string;
  /** The campaign that took it. */
  acceptedCampaignId?: string;
  /** The ad platform's names of it in that campaign. */
  acceptedResourceNames?: string[];
  /** The whole row as the service sent it: its other fields are not documented. */
  fields: Record<string, unknown>;
}

/** The lists that were asked for; the others are absent. */
export interface GetAdAssetsResult {
  /** With `sessionId`: the previews of that generation, as the service sent them. */
  session?: Record<string, unknown>[];
  /** Without `sessionId`: the app's generated assets, the newest first, at most 5,000. */
  library?: LibraryAsset[];
  /** With `campaignId`: what is attached to the campaign, as the service read it from the ad platform. */
  durable?: Record<string, unknown>[];
  /** The library has as many assets as are shown at most, so there may be older ones. */
  libraryMayBeCut: boolean;
  /** The session is empty, which says nothing: it is running, produced nothing, or has expired. */
  sessionIsInconclusive: boolean;
  /** What the answer leaves open, in sentences; empty when nothing. */
  notes: string[];
}

/** "At most the 5,000 most recent, no paging, no marker on truncation." */
const mostAssets = 5_000;

const args = z.strictObject({
  appId: identifier(),
  // An empty one would ask for the session of no name, and not for the library.
  sessionId: text().min(1, "must not be empty: leave it out to read the library").optional(),
  campaignId: text().min(1, "must not be empty: leave it out to read no campaign").optional(),
});

export const adAssetsLookup: Lookup<z.output<typeof args>, GetAdAssetsResult> = {
  name: "getAdAssets",
  purpose: "Generated creative of an app or campaign",
  args,
  async run({ appId, sessionId, campaignId }, { service }) {
    const answer = await service.call("asset.list", {
      parameters: { app_id: appId },
      query: {
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
      },
    });
    const asked = {
      session: sessionId !== undefined,
      library: sessionId === undefined,
      durable: campaignId !== undefined,
    };
    const missing = (["session", "library", "durable"] as const).filter((list) => asked[list] && !answer[list]);
    if (missing.length > 0)
      throw new ProviderError(`The service's answer lacks ${missing.join(" and ")}, so nothing is known of it.`);
    return resultOf(answer, (answer.library ?? []).map(libraryAssetOf));
  },
};

/** From wire to result. */
function resultOf({ session, library, durable }: Answer<"asset.list">, assets: LibraryAsset[]): GetAdAssetsResult {
  const libraryMayBeCut = assets.length >= mostAssets;
  const sessionIsInconclusive = session?.length === 0;
  return withoutAbsent<GetAdAssetsResult>({
    session,
    library: library && assets,
    durable,
    libraryMayBeCut,
    sessionIsInconclusive,
    notes: [
      ...(libraryMayBeCut
        ? [
            `The library shows its ${String(mostAssets)} most recent assets at most, and has that many: there may be older ones.`,
          ]
        : []),
      ...(sessionIsInconclusive
        ? ["The session has no previews: it is still running, it produced nothing, or it has expired."]
        : []),
    ],
  });
}

function libraryAssetOf(wire: NonNullable<Answer<"asset.list">["library"]>[number]): LibraryAsset {
  return withoutAbsent<LibraryAsset>({
    status: wire.status,
    acceptedCampaignId: wire.accepted_campaign_id,
    acceptedResourceNames: wire.accepted_resource_names,
    fields: wire,
  });
}

/**
 * The creative that was generated for an app's advertising: its library, or the previews of one generation, and what is
 * attached to a campaign.
 *
 * Documented by the service, but for most fields of the rows, which come out as they were sent. `libraryMayBeCut` and
 * `sessionIsInconclusive` tell what the lists do not.
 *
 * ```ts
 * const assets = await apps.getAdAssets({ appId: "app-1", campaignId: "cmp_1" });
 * export const attached = assets.durable?.length;
 * export const unused = assets.library?.filter((asset) => asset.acceptedCampaignId === undefined).length;
 * ```
 */
export function getAdAssets(args: GetAdAssetsArgs, opts?: LookupOptions): Promise<GetAdAssetsResult> {
  return lookUp(adAssetsLookup, args, opts);
}

/** {@link getAdAssets} with inputs: asks once they are known. */
export function getAdAssetsOutput(
  args: LookupInputs<GetAdAssetsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetAdAssetsResult> {
  return lookUpOutput(adAssetsLookup, args, opts);
}
