import { checkReach } from "./app-access";
import type { Handlers } from "./handler";

/** A location of the catalogue, in the field names of the service. */
export interface GeoTarget {
  resource_name: string;
  name: string;
  canonical_name: string;
  country_code: string;
  target_type: string;
  reach: number;
}

/** The catalogue of locations. */
export interface GeoTargetObjects {
  /** A copy of the catalogue. */
  geoTargets(): GeoTarget[];
  /** Replaces the whole catalogue. */
  setGeoTargets(catalogue: GeoTarget[]): void;
}

/** The catalogue at the start. */
export interface GeoTargetOptions {
  /** The catalogue of locations. @default a few cities, regions and countries */
  geoTargets?: GeoTarget[];
}

/** "An integer 1 to 100"; how many it is without the parameter, whose name is not shown, is not shown either. */
const mostResults = 100;

export function openGeoTargets({ geoTargets = defaultCatalogue }: GeoTargetOptions): GeoTargetObjects {
  let catalogue = structuredClone(geoTargets);
  return {
    geoTargets: () => structuredClone(catalogue),
    setGeoTargets: (given) => {
      catalogue = structuredClone(given);
    },
  };
}

export function geoTargetHandlers(objects: GeoTargetObjects): Handlers {
  return {
    "geoTarget.search": ({ parameters: { app_id }, caller, query: { query = "", country_code = "" } }) => {
      checkReach(app_id, caller);
      return search(objects.geoTargets(), query, country_code.toUpperCase())
        .slice(0, mostResults)
        .map((target) => ({ ...target, search_term: query }));
    },
  };
}

/** "Ordered by match quality": the whole name, its beginning, any part of the path; the larger reach first. */
function search(catalogue: GeoTarget[], query: string, countryCode: string): GeoTarget[] {
  const wanted = query.trim().toLowerCase();
  const quality = ({ name, canonical_name }: GeoTarget): number => {
    if (name.toLowerCase() === wanted) return 3;
    if (name.toLowerCase().startsWith(wanted)) return 2;
    return canonical_name.toLowerCase().includes(wanted) ? 1 : 0;
  };
  return catalogue
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

const defaultCatalogue: GeoTarget[] = [
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
