import { z } from "zod";
import { searchTermRanges } from "../provider/service/lookup-shapes";
import { checkReach } from "./app-access";
import type { Handlers, Query } from "./handler";
import { refusal } from "./refusal";
import { validatedPart } from "./validation";

/** A row of the search-term report, in the field names of the service. */
export interface SearchTerm {
  search_term: string;
  campaign: string;
  impressions: number;
  clicks: number;
  cost_micros: number;
  conversions: number;
}

/** The rows that search-term reports are made of. */
export interface SearchTermObjects {
  /** All rows, whatever the report leaves out. */
  searchTerms(appId: string): SearchTerm[];
  /** Replaces the rows that one source, a campaign type, has for the report, whatever its dates. */
  setSearchTerms(appId: string, rows: Partial<SearchTerm>[], source?: string): void;
  /** From now on the read of this source fails or works; the report is answered without a sign of it. */
  setSearchTermSource(appId: string, source: string, state: "failing" | "working"): void;
}

/** "At most 100, no paging." */
const mostRows = 100;

const defaultSource = "SMART";

export interface SearchTerms {
  objects: SearchTermObjects;
  handlers: Handlers;
}

export function openSearchTerms(): SearchTerms {
  const byApp = new Map<string, Map<string, SearchTerm[]>>();
  const failing = new Set<string>();

  const sourcesOf = (appId: string) => [...(byApp.get(appId) ?? new Map<string, SearchTerm[]>())];

  return {
    objects: {
      searchTerms: (appId) => structuredClone(sourcesOf(appId).flatMap(([, rows]) => rows)),
      setSearchTerms: (appId, rows, source = defaultSource) => {
        const sources = byApp.get(appId) ?? new Map<string, SearchTerm[]>();
        byApp.set(appId, sources);
        sources.set(
          source,
          rows.map((row) => ({ ...emptyRow, ...row })),
        );
      },
      setSearchTermSource: (appId, source, state) => {
        const key = `${appId} ${source}`;
        if (state === "failing") failing.add(key);
        else failing.delete(key);
      },
    },
    handlers: {
      // "If one read fails the others are still returned with 200 and no indication."
      "searchTerm.report": ({ parameters: { app_id }, caller, query }) => {
        checkDates(query);
        checkReach(app_id, caller);
        return sourcesOf(app_id)
          .filter(([source]) => !failing.has(`${app_id} ${source}`))
          .flatMap(([, rows]) => rows)
          .sort((one, other) => other.impressions - one.impressions)
          .slice(0, mostRows);
      },
    },
  };
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
