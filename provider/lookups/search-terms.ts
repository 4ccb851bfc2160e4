import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, oneOf, text } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { searchTermRanges } from "../service/lookup-shapes";
import { withoutAbsent } from "./shared/result";

/** A range of days by name. Three count back from today and include it; the others end yesterday. */
export type SearchTermDateRange = (typeof searchTermRanges)[number];

/** Which app, and which days. */
export interface GetSearchTermsArgs {
  /** The advertised app. */
  appId: string;
  /**
   * `LAST_7_DAYS`, `LAST_30_DAYS` and `LAST_90_DAYS` count back from today in the account's time zone and include it; the
   * others end yesterday. `startDate` and `endDate` win over it.
   * @default LAST_30_DAYS
   */
  dateRange?: SearchTermDateRange;
  /** The first day, `YYYY-MM-DD`. Needs `endDate`. */
  startDate?: string;
  /** The last day, `YYYY-MM-DD`, not before the first. Needs `startDate`. */
  endDate?: string;
}

/** What people searched for when they saw an advertisement. */
export interface SearchTerm {
  /** What people typed. */
  searchTerm: string;
  /** The campaign's name. */
  campaign?: string;
  /** How often an advertisement was shown for it. */
  impressions?: number;
  /** How often it was clicked. */
  clicks?: number;
  /** Micros of the account's currency. */
  costMicros?: number;
  /** How many conversions came of it. */
  conversions?: number;
}

/** The report, and what it may lack. */
export interface GetSearchTermsResult {
  /** The most impressions first; at most 100. */
  terms: SearchTerm[];
  /** The report has as many rows as it can have, so there may be more terms that it does not show. */
  mayBeCut: boolean;
  /** Always true: where the read of one campaign type fails, the others are reported without a sign of it. */
  mayMissSources: true;
  /** What the answer leaves open, in sentences. */
  notes: string[];
}

/** "At most 100, no paging." */
const mostRows = 100;

const day = () => text().pipe(z.iso.date("must be a day that exists, as YYYY-MM-DD"));

const args = z
  .strictObject({
    appId: identifier(),
    dateRange: oneOf(searchTermRanges).optional(),
    startDate: day().optional(),
    endDate: day().optional(),
  })
  .superRefine(({ startDate, endDate }, context) => {
    const complain = (argument: string, message: string): void => {
      context.addIssue({ code: "custom", path: [argument], message });
    };
    if (startDate !== undefined && endDate === undefined) complain("startDate", "needs endDate beside it");
    else if (endDate !== undefined && startDate === undefined) complain("endDate", "needs startDate beside it");
    else if ((startDate ?? "") > (endDate ?? "")) complain("startDate", "must not be after endDate");
  });

export const searchTermsLookup: Lookup<z.output<typeof args>, GetSearchTermsResult> = {
  name: "getSearchTerms",
  purpose: "What people searched for when they saw the ads",
  args,
  async run({ appId, dateRange, startDate, endDate }, { service }) {
    const rows = await service.call("searchTerm.report", {
      parameters: { app_id: appId },
      query: {
        ...(dateRange === undefined ? {} : { date_range: dateRange }),
        ...(startDate === undefined ? {} : { start_date: startDate }),
        ...(endDate === undefined ? {} : { end_date: endDate }),
      },
    });
    return resultOf(rows);
  },
};

/** From wire to result. */
function resultOf(rows: Answer<"searchTerm.report">): GetSearchTermsResult {
  const mayBeCut = rows.length >= mostRows;
  const cut = `The report shows the ${String(mostRows)} terms with the most impressions at most, and has that many: there may be others.`;
  return {
    terms: rows.map(termOf),
    mayBeCut,
    mayMissSources: true,
    notes: [
      ...(mayBeCut ? [cut] : []),
      "If the read of one campaign type failed, its terms are missing without a sign of it.",
    ],
  };
}

function termOf(wire: Answer<"searchTerm.report">[number]): SearchTerm {
  return withoutAbsent<SearchTerm>({
    searchTerm: wire.search_term,
    campaign: wire.campaign,
    impressions: wire.impressions,
    clicks: wire.clicks,
    costMicros: wire.cost_micros,
    conversions: wire.conversions,
  });
}

/**
 * The report of what people searched for when they saw an app's advertisements.
 *
 * Documented by the service, which shows 100 terms at most and leaves out, without a sign of it, a campaign type whose
 * read failed: `mayBeCut`, `mayMissSources` and `notes` say so.
 *
 * ```ts
 * const { terms } = await apps.getSearchTerms({ appId: "app-1", startDate: "2026-10-01", endDate: "2026-10-31" });
 * export const clicks = terms.reduce((sum, term) => sum + (term.clicks ?? 0), 0);
 * ```
 */
export function getSearchTerms(args: GetSearchTermsArgs, opts?: LookupOptions): Promise<GetSearchTermsResult> {
  return lookUp(searchTermsLookup, args, opts);
}

/** {@link getSearchTerms} with inputs: asks once they are known. */
export function getSearchTermsOutput(
  args: LookupInputs<GetSearchTermsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSearchTermsResult> {
  return lookUpOutput(searchTermsLookup, args, opts);
}
