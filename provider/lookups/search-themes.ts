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

/** The arguments of {@link getSearchThemes}. */
export interface GetSearchThemesArgs {
  /** The app to advertise. */
  appId: string;
  /** The name of the business. */
  businessName?: string;
  /** What the business offers. */
  businessDescription?: string;
  /** The page that the ads lead to. The service uses it as context. */
  landingPageUrl?: string;
  /**
   * The language of the themes, as in an `Accept-Language` header: `de`, or `de-CH,de;q=0.8`. The app's own language is not
   * used.
   * @default English, also when the language is not supported
   */
  language?: string;
}

/** The result of {@link getSearchThemes}. */
export interface GetSearchThemesResult {
  /**
   * At most 10 themes of at most 80 characters each. They are generated, so the next run may return others. The service
   * drops themes that name the platform itself. The list may be empty.
   */
  searchThemes: string[];
  /** What the result does not prove, in sentences for people. Empty when there is nothing to say. */
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

/** @internal */
export const searchThemesLookup: Lookup<z.output<typeof args>, GetSearchThemesResult> = {
  name: "getSearchThemes",
  operation: "searchTheme.suggest",
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
        ? ["The service suggested no themes. This is not an error; it may suggest some another time."]
        : [];
    return { searchThemes: search_themes, notes };
  },
};

/**
 * Suggests search themes for a Performance Max campaign. The service saves nothing.
 *
 * The service documents the operation (`searchTheme.suggest`). The themes are generated, so the next run may return others,
 * and a campaign whose themes change is **replaced**: give it `ignoreChanges: ["searchThemes"]`.
 *
 * ```ts
 * const { searchThemes } = await apps.getSearchThemes({ appId: "app-1", businessName: "Example Shop", language: "de" });
 * new apps.AdCampaign("spring", { searchThemes, … }, { ignoreChanges: ["searchThemes"] });
 * ```
 */
export function getSearchThemes(args: GetSearchThemesArgs, opts?: LookupOptions): Promise<GetSearchThemesResult> {
  return lookUp(searchThemesLookup, args, opts);
}

/** {@link getSearchThemes} with inputs. Sends its requests once all inputs are known. */
export function getSearchThemesOutput(
  args: LookupInputs<GetSearchThemesArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetSearchThemesResult> {
  return lookUpOutput(searchThemesLookup, args, opts);
}
