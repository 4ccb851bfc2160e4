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
import { searchTermRanges } from "../service/search-term-ranges";
import { withoutAbsent } from "./shared/result";

/** A named date range. `LAST_7_DAYS`, `LAST_30_DAYS` and `LAST_90_DAYS` include today; by the specification the others end yesterday. */
export type SearchTermDateRange = (typeof searchTermRanges)[number];

/** The arguments of {@link getSearchTerms}. */
export interface GetSearchTermsArgs {
  /** The advertised app. */
  appId: string;
  /**
   * A named range of days. `LAST_7_DAYS`, `LAST_30_DAYS` and `LAST_90_DAYS` count back from today in the account's time zone
   * and include today; by the specification the others end yesterday. Ignored when `startDate` and `endDate` are set.
   * @default LAST_30_DAYS
   */
  dateRange?: SearchTermDateRange;
  /** The first day, `YYYY-MM-DD`. Requires `endDate`. */
  startDate?: string;
  /** The last day, `YYYY-MM-DD`, not before `startDate`. Requires `startDate`. */
  endDate?: string;
}

/** One search term, with its figures. */
export interface SearchTerm {
  /** The text that people searched for. */
  searchTerm: string;
  /** The name of the campaign. */
  campaign?: string;
  /** How often an ad was shown. */
  impressions?: number;
  /** How often an ad was clicked. */
  clicks?: number;
  /** The cost in micros of the account's currency. */
  costMicros?: number;
  /** The number of conversions. */
  conversions?: number;
}

/** The result of {@link getSearchTerms}. */
export interface GetSearchTermsResult {
  /** The search terms with the most impressions first, at most 100. */
  terms: SearchTerm[];
  /** Whether the report has 100 rows, the most that the service returns. There may be more terms. */
  mayBeCut: boolean;
  /** Always true: if the service cannot read one campaign type, its terms are missing and nothing shows it. */
  mayMissSources: true;
  /** What the result does not prove, in sentences for people. */
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
    const report = (argument: string, message: string): void => {
      context.addIssue({ code: "custom", path: [argument], message });
    };
    if (startDate !== undefined && endDate === undefined) report("startDate", "requires endDate");
    else if (endDate !== undefined && startDate === undefined) report("endDate", "requires startDate");
    else if ((startDate ?? "") > (endDate ?? "")) report("startDate", "must not be after endDate");
  });

/** @internal */
export const searchTermsLookup: Lookup<z.output<typeof args>, GetSearchTermsResult> = {
  name: "getSearchTerms",
  operation: "searchTerm.report",
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
  const cut = `The report shows at most the ${String(mostRows)} terms with the most impressions and has that many. There may be more.`;
  return {
    terms: rows.map(termOf),
    mayBeCut,
    mayMissSources: true,
    notes: [
      ...(mayBeCut ? [cut] : []),
      "If the service could not read one campaign type, its terms are missing here. The response does not show that.",
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
 * Reports what people searched for when they saw an app's ads, merged from all campaign types.
 *
 * The service documents the operation (`searchTerm.report`). It returns at most 100 terms without paging, and silently
 * leaves out a campaign type that it cannot read: see `mayBeCut`, `mayMissSources` and `notes`.
 *
 * ```ts
 * const { terms } = await apps.getSearchTerms({ appId: "app-1", startDate: "2026-10-01", endDate: "2026-10-31" });
 * export const clicks = terms.reduce((sum, term) => sum + (term.clicks ?? 0), 0);
 * ```
 */
export function getSearchTerms(args: GetSearchTermsArgs, opts?: LookupOptions): Promise<GetSearchTermsResult> {
  return lookUp(searchTermsLookup, args, opts);
}

/** {@link getSearchTerms} with inputs. Sends its requests once all inputs are known. */
export function getSearchTermsOutput(
  args: LookupInputs<GetSearchTermsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSearchTermsResult> {
  return lookUpOutput(searchTermsLookup, args, opts);
}
