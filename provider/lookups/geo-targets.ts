import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text, whole } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { withoutAbsent } from "./shared/result";

/** What to search the locations for. */
export interface GetGeoTargetsArgs {
  /** An app; it needs no advertising account. */
  appId: string;
  /** What to search for. Left out or empty: the service's own suggestions. */
  query?: string;
  /** Two letters, ISO 3166-1 alpha-2, such as `CH`. Left out: everywhere. */
  countryCode?: string;
  /** How many locations to give at most, 1 to 100. Left out: all that the service answers with. */
  limit?: number;
}

/** A place to advertise in. */
export interface GeoTarget {
  /** The id to give as one of a campaign's `geoTargets`. */
  resourceName: string;
  /** Its own name, without region and country. */
  name?: string;
  /** The full path, with region and country. */
  canonicalName?: string;
  /** ISO 3166-1 alpha-2. */
  countryCode?: string;
  /** Such as `City`, `Region`, `Country`. */
  targetType?: string;
  /** Estimated people within reach. */
  reach?: number;
  /** The query, as the service repeats it. */
  searchTerm?: string;
}

/** The locations that were found. */
export interface GetGeoTargetsResult {
  /** The best match first. */
  targets: GeoTarget[];
  /** How many more locations the service answered with than `limit` let through. */
  leftOut: number;
}

const args = z.strictObject({
  appId: identifier(),
  query: text().optional(),
  countryCode: text()
    .regex(/^[A-Za-z]{2}$/, "must be two letters (ISO 3166-1 alpha-2), such as CH; leave it out to search everywhere")
    .transform((code) => code.toUpperCase())
    .optional(),
  limit: whole(1, 100).optional(),
});

export const geoTargetsLookup: Lookup<z.output<typeof args>, GetGeoTargetsResult> = {
  name: "getGeoTargets",
  purpose: "Location ids for a campaign's geoTargets",
  args,
  async run({ appId, query, countryCode, limit }, { service }) {
    const answer = await service.call("geoTarget.search", {
      parameters: { app_id: appId },
      // The name of the parameter for the most results is not shown, so the limit is kept here.
      query: { query: query ?? "", ...(countryCode === undefined ? {} : { country_code: countryCode }) },
    });
    const targets = answer.slice(0, limit).map(targetOf);
    return { targets, leftOut: answer.length - targets.length };
  },
};

/** From wire to result. */
function targetOf(wire: Answer<"geoTarget.search">[number]): GeoTarget {
  return withoutAbsent<GeoTarget>({
    resourceName: wire.resource_name,
    name: wire.name,
    canonicalName: wire.canonical_name,
    countryCode: wire.country_code,
    targetType: wire.target_type,
    reach: wire.reach,
    searchTerm: wire.search_term,
  });
}

/**
 * Searches the catalogue of locations for advertising.
 *
 * Documented by the service, but for the name of the parameter that limits the number of results: `limit` is kept on this
 * side. The catalogue can change; a campaign whose locations change is replaced, so pin them (`ignoreChanges`).
 *
 * ```ts
 * const { targets } = await apps.getGeoTargets({ appId: "app-1", query: "Zurich", countryCode: "CH", limit: 1 });
 * new apps.AdCampaign("spring", { geoTargets: targets.map((target) => target.resourceName), … });
 * ```
 */
export function getGeoTargets(args: GetGeoTargetsArgs, opts?: LookupOptions): Promise<GetGeoTargetsResult> {
  return lookUp(geoTargetsLookup, args, opts);
}

/** {@link getGeoTargets} with inputs: asks once they are known. */
export function getGeoTargetsOutput(
  args: LookupInputs<GetGeoTargetsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetGeoTargetsResult> {
  return lookUpOutput(geoTargetsLookup, args, opts);
}
