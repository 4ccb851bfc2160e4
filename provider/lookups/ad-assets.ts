import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { checkService, ProviderError } from "../service/errors";
import { libraryAsset } from "../service/lookup-shapes";
import type { Answer } from "../service/operations";
import { fromWire, notesOf, toWire, withoutAbsent } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getAdAssets}. They decide which of the three lists are read. */
export interface GetAdAssetsArgs {
  /** The app whose assets are listed. */
  appId: string;
  /** The id of an asset generation. Reads its previews instead of the library. */
  sessionId?: string;
  /** The service's own id of a campaign, not the ad platform's. Also reads the assets attached to it. */
  campaignId?: string;
}

/** An asset of the app's library. */
export interface LibraryAsset {
  /** Its status. The values are not documented. */
  status?: string;
  /** Not documented. */
  acceptedCampaignId?: string;
  /** Not documented. */
  acceptedResourceNames?: string[];
  /** The whole row as the service sent it. Its other fields are not documented. */
  fields: Record<string, unknown>;
}

/** The requested lists; the others are absent. */
export interface GetAdAssetsResult {
  /** With `sessionId`: the previews of that generation, as the service sent them. */
  session?: Record<string, unknown>[];
  /** Without `sessionId`: the app's generated assets, newest first, at most 5,000. */
  library?: LibraryAsset[];
  /** With `campaignId`: the assets attached to the campaign, which the service reads live from the ad platform. */
  durable?: Record<string, unknown>[];
  /** Whether the library has 5,000 assets, the most that the service returns. There may be older ones. */
  libraryMayBeCut: boolean;
  /** Whether the session has no previews. It is still running, produced nothing, or has expired. */
  sessionIsInconclusive: boolean;
  /** Sentences that say what the result does not prove. Empty if there is nothing to explain. */
  notes: string[];
}

/** "At most the 5,000 most recent, no paging, no marker on truncation." */
const maxAssets = 5_000;

const args = z.strictObject({
  appId: identifier(),
  // An empty one would select an unnamed session instead of the library.
  sessionId: text().min(1, "must not be empty: leave it out to read the library").optional(),
  campaignId: text().min(1, "must not be empty: leave it out to read no campaign").optional(),
});

/** @internal */
export const adAssetsLookup: Lookup<z.output<typeof args>, GetAdAssetsResult> = {
  name: "getAdAssets",
  operation: "asset.list",
  purpose: "Generated creative of an app or campaign",
  args,
  async run({ appId, ...selection }, { service }) {
    const answer = await service.call("asset.list", { parameters: { app_id: appId }, query: toWire(selection) });
    const wanted = {
      session: selection.sessionId !== undefined,
      library: selection.sessionId === undefined,
      durable: selection.campaignId !== undefined,
    };
    const missing = (["session", "library", "durable"] as const).filter((list) => wanted[list] && !answer[list]);
    if (missing.length > 0)
      throw new ProviderError({
        code: "WA1704",
        what: `asset.list failed: the response has no ${missing.join(" and no ")} list.`,
        next: [checkService],
      });
    return resultOf(answer);
  },
};

/** From wire to result. */
function resultOf({ session, library, durable }: Answer<"asset.list">): GetAdAssetsResult {
  const libraryMayBeCut = (library ?? []).length >= maxAssets;
  const sessionIsInconclusive = session?.length === 0;
  return {
    ...withoutAbsent({
      session,
      library: library?.map((row): LibraryAsset => ({ ...fromWire(libraryAsset, row), fields: row })),
      durable,
    }),
    libraryMayBeCut,
    sessionIsInconclusive,
    notes: notesOf(
      libraryMayBeCut &&
        `The library shows at most its ${String(maxAssets)} most recent assets and has that many. There may be older ones.`,
      sessionIsInconclusive && "The session has no previews. It is still running, produced nothing, or has expired.",
    ),
  };
}

/**
 * Lists the creative that was generated for an app's advertising: its library or the previews of one generation, and the
 * assets attached to a campaign.
 *
 * The service documents the operation (`asset.list`), but only three fields of the library's rows. The other rows are
 * returned as the service sent them. The library has no paging: `libraryMayBeCut` says when there may be more. An expired
 * session looks like an empty one: `sessionIsInconclusive` says so.
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

/** {@link getAdAssets} with inputs. Sends its requests once all inputs are known. */
export function getAdAssetsOutput(
  args: LookupInputs<GetAdAssetsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetAdAssetsResult> {
  return lookUpOutput(adAssetsLookup, args, opts);
}
