import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier, text } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { notesOf, toWire, withoutAbsent } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getSearchThemes}. */
export interface GetSearchThemesArgs {
  /** The app to advertise. */
  appId: string;
  /** The name of the business. */
  businessName?: string;
  /** The products or services of the business. */
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
  /** Sentences that say what the result does not prove. Empty if there is nothing to explain. */
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
  async run({ appId, language, ...business }, { service }) {
    const { search_themes: searchThemes } = await service.call("searchTheme.suggest", {
      parameters: { app_id: appId },
      body: toWire(business),
      headers: withoutAbsent({ "accept-language": language }),
    });
    const none = "The service suggested no themes. This is not an error; it may suggest some another time.";
    return { searchThemes, notes: notesOf(searchThemes.length === 0 && none) };
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
