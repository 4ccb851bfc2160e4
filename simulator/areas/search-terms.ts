import { z } from "zod";
import { searchTermRanges } from "../../provider/service/search-term-ranges";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { Collection } from "../collection";
import { count, id, ofApp, route } from "../control/route";
import type { Handlers, Query } from "../handler";
import { refusal } from "../refusal";
import type { SearchTerm, SearchTermObjects } from "../types";
import { validatedPart } from "../validation";

/** "At most 100, no paging." */
const rowLimit = 100;

const defaultSource = "SMART";

interface Source {
  name: string;
  rows: SearchTerm[];
}

function openSearchTerms() {
  const sources = new Collection<Source>();
  const failing = new Set<string>();
  const key = (appId: string, source: string): string => JSON.stringify([appId, source]);
  const objects: SearchTermObjects = {
    searchTerms: (appId) => structuredClone(sources.list(appId).flatMap(({ rows }) => rows)),
    setSearchTerms: (appId, rows, name = defaultSource) => {
      sources.set(appId, name, { name, rows: rows.map((row) => ({ ...emptyRow, ...row })) });
    },
    setSearchTermSource: (appId, source, state) => {
      if (state === "failing") failing.add(key(appId, source));
      else failing.delete(key(appId, source));
    },
  };
  const handlers: Handlers = {
    // "If one read fails the others are still returned with 200 and no indication."
    "searchTerm.report": ({ parameters: { app_id }, caller, query }) => {
      checkDates(query);
      checkReach(app_id, caller);
      return sources
        .list(app_id)
        .filter(({ name }) => !failing.has(key(app_id, name)))
        .flatMap(({ rows }) => rows)
        .sort((one, other) => other.impressions - one.impressions)
        .slice(0, rowLimit);
    },
  };
  return { objects, handlers };
}

function checkDates({ date_range, start_date, end_date }: Query): void {
  if (date_range !== undefined) validatedPart(z.enum(searchTermRanges), "query", "date_range", date_range);
  if (start_date !== undefined) validatedPart(z.iso.date(), "query", "start_date", start_date);
  if (end_date !== undefined) validatedPart(z.iso.date(), "query", "end_date", end_date);
  if ((start_date === undefined) !== (end_date === undefined))
    throw refusal(400, "incomplete_dates", "start_date and end_date must be sent together.");
  if ((start_date ?? "") > (end_date ?? ""))
    throw refusal(400, "dates_out_of_order", "start_date must not be after end_date.");
}

const emptyRow: SearchTerm = {
  search_term: "",
  campaign: "Campaign",
  impressions: 0,
  clicks: 0,
  cost_micros: 0,
  conversions: 0,
};

const searchTerm: z.ZodType<Partial<SearchTerm>> = z
  .strictObject({
    search_term: z.string(),
    campaign: z.string(),
    impressions: count,
    clicks: count,
    cost_micros: count,
    conversions: z.number(),
  })
  .exactPartial();

export const searchTerms = {
  open: openSearchTerms,
  controlRoutes: [
    route({
      endpoint: "PUT advertising/search-terms",
      description: "Sets the report rows of one source, a campaign type. Without `source`, of `SMART`.",
      input: ofApp.extend({ source: id.optional(), rows: z.array(searchTerm) }),
      examples: [{ appId: "a", source: "SMART", rows: [{ search_term: "pots", impressions: 3 }] }],
      handle: ({ objects }, { appId, rows, source }) => {
        objects.setSearchTerms(appId, rows, source);
      },
    }),
    route({
      endpoint: "PUT advertising/search-term-sources",
      description:
        'Makes reads of a source fail: the report lacks its rows, without an error. `"working"` brings them back.',
      input: ofApp.extend({ source: id, state: z.enum(["failing", "working"]) }),
      examples: [{ appId: "a", source: "SMART", state: "failing" }],
      handle: ({ objects }, { appId, source, state }) => {
        objects.setSearchTermSource(appId, source, state);
      },
    }),
  ],
} satisfies Area;
