import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import { withoutAbsent } from "./shared/result";

/** What to make the suggestions from. */
export interface GetSearchThemesArgs {
  /** The app to advertise. */
  appId: string;
  /** As customers know the business. */
  businessName?: string;
  /** What the business offers. */
  businessDescription?: string;
  /** The page that the advertisements lead to, as context. */
  landingPageUrl?: string;
  /**
   * The language of the themes, as in an `Accept-Language` header: `de`, or `de-CH,de;q=0.8`. Left out or unsupported:
   * English; the app's own language is not used.
   */
  language?: string;
}

/** The suggestions. */
export interface GetSearchThemesResult {
  /** At most 10, each of at most 80 characters. Generated: the next run may suggest others. */
  searchThemes: string[];
  /** What the answer leaves open, in sentences; empty when nothing. */
  notes: string[];
}

const args = z.strictObject({
  appId: identifier(),
  businessName: text().optional(),
  businessDescription: text().optional(),
  landingPageUrl: text().optional(),
  language: text()
    .regex(/^[A-Za-z0-9*][A-Za-z0-9*,;=. -]*$/, "must be as in an Accept-Language header, such as de or de-CH,de;q=0.8")
    .optional(),
});

export const searchThemesLookup: Lookup<z.output<typeof args>, GetSearchThemesResult> = {
  name: "getSearchThemes",
  purpose: "Suggested search themes for a campaign",
  args,
  async run({ appId, businessName, businessDescription, landingPageUrl, language }, { service }) {
    const { search_themes } = await service.call("searchTheme.suggest", {
      parameters: { app_id: appId },
      body: withoutAbsent<Record<string, unknown>>({
        business_name: businessName,
        business_description: businessDescription,
        landing_page_url: landingPageUrl,
      }),
      ...(language === undefined ? {} : { headers: { "accept-language": language } }),
    });
    const notes =
      search_themes.length === 0
        ? ["The service suggested nothing, which is no error: it may do so another time."]
        : [];
    return { searchThemes: search_themes, notes };
  },
};

/**
 * Suggestions of search themes for a Performance Max campaign. Nothing is saved.
 *
 * Documented by the service. The themes are generated, so that the next run may get others, and a campaign whose themes
 * change is **replaced**: give it `ignoreChanges: ["searchThemes"]`.
 *
 * ```ts
 * const { searchThemes } = await apps.getSearchThemes({ appId: "app-1", businessName: "Example Shop", language: "de" });
 * new apps.AdCampaign("spring", { searchThemes, … }, { ignoreChanges: ["searchThemes"] });
 * ```
 */
export function getSearchThemes(args: GetSearchThemesArgs, opts?: LookupOptions): Promise<GetSearchThemesResult> {
  return lookUp(searchThemesLookup, args, opts);
}

/** {@link getSearchThemes} with inputs: asks once they are known. */
export function getSearchThemesOutput(
  args: LookupInputs<GetSearchThemesArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSearchThemesResult> {
  return lookUpOutput(searchThemesLookup, args, opts);
}
