import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text, whole } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { geoTarget } from "../service/lookup-shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getGeoTargets}. */
export interface GetGeoTargetsArgs {
  /** The app. It does not need an advertising account. */
  appId: string;
  /** The text to search for. When it is left out or empty, the service returns unfiltered suggestions. */
  query?: string;
  /** Two letters (ISO 3166-1 alpha-2), such as `CH`. When it is left out or empty, the search covers all countries. */
  countryCode?: string;
  /** The largest number of locations in the result, 1 to 100. When it is left out, all that the service returns. */
  limit?: number;
}

/** A location for advertising. */
export interface GeoTarget {
  /** The id for `geoTargets` of an `AdCampaign`. */
  resourceName: string;
  /** Its name without region and country. */
  name?: string;
  /** Its full name with region and country. */
  canonicalName?: string;
  /** Its country, ISO 3166-1 alpha-2. */
  countryCode?: string;
  /** Such as `City`, `Region`, `Country`. */
  targetType?: string;
  /** How many people can be reached, estimated. */
  reach?: number;
  /** The query, as the service repeats it. */
  searchTerm?: string;
}

/** The result of {@link getGeoTargets}. */
export interface GetGeoTargetsResult {
  /** The locations, best match first. */
  targets: GeoTarget[];
  /** How many locations the service returned beyond `limit`. */
  leftOut: number;
}

const args = z.strictObject({
  appId: identifier(),
  query: text().optional(),
  countryCode: text()
    .regex(/^([A-Za-z]{2})?$/, "must be two letters (ISO 3166-1 alpha-2), such as CH, or empty to search everywhere")
    .transform((code) => code.toUpperCase())
    .optional(),
  limit: whole(1, 100).optional(),
});

/** @internal */
export const geoTargetsLookup: Lookup<z.output<typeof args>, GetGeoTargetsResult> = {
  name: "getGeoTargets",
  operation: "geoTarget.search",
  purpose: "Location ids for a campaign's geoTargets",
  args,
  async run({ appId, limit, query = "", countryCode }, { service }) {
    const answer = await service.call("geoTarget.search", {
      parameters: { app_id: appId },
      // The specification does not name the parameter for the number of results, so the limit is applied here.
      query: toWire({ query, countryCode }),
    });
    const targets = answer.slice(0, limit).map((target) => fromWire(geoTarget, target));
    return { targets, leftOut: answer.length - targets.length };
  },
};

/**
 * Searches the catalog of locations for advertising.
 *
 * The service documents the operation (`geoTarget.search`), but not the name of the parameter that limits the number of
 * results. `limit` is therefore applied after the response. The catalog can change, and a campaign whose locations change
 * is **replaced**: give it `ignoreChanges: ["geoTargets"]`.
 *
 * ```ts
 * const { targets } = await apps.getGeoTargets({ appId: "app-1", query: "Zurich", countryCode: "CH", limit: 1 });
 * new apps.AdCampaign("spring", { geoTargets: targets.map((target) => target.resourceName), … });
 * ```
 */
export function getGeoTargets(args: GetGeoTargetsArgs, opts?: LookupOptions): Promise<GetGeoTargetsResult> {
  return lookUp(geoTargetsLookup, args, opts);
}

/** {@link getGeoTargets} with inputs. Sends its requests once all inputs are known. */
export function getGeoTargetsOutput(
  args: LookupInputs<GetGeoTargetsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetGeoTargetsResult> {
  return lookUpOutput(geoTargetsLookup, args, opts);
}
