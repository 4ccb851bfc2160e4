import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { count, id, route } from "../control/route";
import type { Handlers } from "../handler";
import type { GeoTarget, GeoTargetObjects, GeoTargetOptions } from "../types";

/** "Integer 1 to 100": the name of the parameter and its default are not shown, so this is always the limit. */
const maxResults = 100;

function openStore({ geoTargets = defaultCatalog }: GeoTargetOptions): GeoTargetObjects {
  let catalog = structuredClone(geoTargets);
  return {
    geoTargets: () => structuredClone(catalog),
    setGeoTargets: (given) => {
      catalog = structuredClone(given);
    },
  };
}

function handlersOf(objects: GeoTargetObjects): Handlers {
  return {
    "geoTarget.search": ({ parameters: { app_id }, caller, query: { query = "", country_code = "" } }) => {
      checkReach(app_id, caller);
      return search(objects.geoTargets(), query, country_code.toUpperCase())
        .slice(0, maxResults)
        .map((target) => ({ ...target, search_term: query }));
    },
  };
}

/** "Ordered by match quality": the whole name, then its beginning, then any part of the path; then by reach. */
function search(catalog: GeoTarget[], query: string, countryCode: string): GeoTarget[] {
  const wanted = query.trim().toLowerCase();
  const quality = ({ name, canonical_name }: GeoTarget): number => {
    if (name.toLowerCase() === wanted) return 3;
    if (name.toLowerCase().startsWith(wanted)) return 2;
    return canonical_name.toLowerCase().includes(wanted) ? 1 : 0;
  };
  return catalog
    .filter((target) => countryCode === "" || target.country_code === countryCode)
    .filter((target) => quality(target) > 0)
    .sort((one, other) => quality(other) - quality(one) || other.reach - one.reach);
}

function place(number: number, path: string, country_code: string, target_type: string, reach: number): GeoTarget {
  const name = path.split(",")[0] ?? path;
  return {
    resource_name: `geoTargetConstants/${String(number)}`,
    name,
    canonical_name: path,
    country_code,
    target_type,
    reach,
  };
}

const defaultCatalog: GeoTarget[] = [
  place(2756, "Switzerland", "CH", "Country", 8_600_000),
  place(20126, "Zurich,Switzerland", "CH", "Region", 1_500_000),
  place(1003297, "Zurich,Zurich,Switzerland", "CH", "City", 430_000),
  place(1003198, "Bern,Bern,Switzerland", "CH", "City", 140_000),
  place(2276, "Germany", "DE", "Country", 78_000_000),
  place(1003854, "Berlin,Berlin,Germany", "DE", "City", 3_500_000),
  place(1004234, "Munich,Bavaria,Germany", "DE", "City", 1_500_000),
  place(2250, "France", "FR", "Country", 60_000_000),
  place(1006094, "Paris,Paris,Ile-de-France,France", "FR", "City", 2_100_000),
  place(2840, "United States", "US", "Country", 300_000_000),
  place(1026481, "Paris,Texas,United States", "US", "City", 25_000),
  place(1023191, "New York,New York,United States", "US", "City", 8_300_000),
];

const geoTarget: z.ZodType<GeoTarget> = z.strictObject({
  resource_name: id,
  name: z.string(),
  canonical_name: z.string(),
  country_code: z.string(),
  target_type: z.string(),
  reach: count,
});

export const geoTargets = {
  open: ({ options }) => {
    const objects = openStore(options);
    return { objects, handlers: handlersOf(objects) };
  },
  controlRoutes: [
    route({
      endpoint: "PUT advertising/geo-targets",
      description: "Replaces the whole location catalog.",
      input: z.array(geoTarget),
      examples: [
        [
          {
            resource_name: "g",
            name: "Bern",
            canonical_name: "Bern,Switzerland",
            country_code: "CH",
            target_type: "City",
            reach: 1,
          },
        ],
      ],
      handle: ({ objects }, catalog) => {
        objects.setGeoTargets(catalog);
      },
    }),
  ],
} satisfies Area;
