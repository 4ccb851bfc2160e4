import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, oneOf, text } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { searchTerm } from "../service/lookup-shapes";
import { searchTermRanges } from "../service/search-term-ranges";
import { fromWire, notesOf, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

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
  /** Sentences that say what the result does not prove. */
  notes: string[];
}

/** "At most 100, no paging." */
const maxRows = 100;

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
  purpose: "The searches in which people saw the ads",
  args,
  async run({ appId, ...days }, { service }) {
    const rows = await service.call("searchTerm.report", { parameters: { app_id: appId }, query: toWire(days) });
    const mayBeCut = rows.length >= maxRows;
    return {
      terms: rows.map((row) => fromWire(searchTerm, row)),
      mayBeCut,
      mayMissSources: true,
      notes: notesOf(
        mayBeCut &&
          `The report shows at most the ${String(maxRows)} terms with the most impressions and has that many. There may be more.`,
        "If the service could not read one campaign type, its terms are missing here. The response does not show that.",
      ),
    };
  },
};

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
