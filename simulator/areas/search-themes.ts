import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { ofApp, route } from "../control/route";
import type { Handlers } from "../handler";
import type { SearchThemeObjects } from "../types";
import { validated } from "../validation";

/** "At most 10, each at most 80 characters." */
const themeLimit = 10;
const themeLengthLimit = 80;

/** "Themes naming the platform itself are dropped." The name is assumed. */
const platformName = /\bworkspace apps\b/i;

/** All optional, because the required fields are not shown. */
const business = z.object({
  business_name: z.string().nullish(),
  business_description: z.string().nullish(),
  landing_page_url: z.string().nullish(),
});

/** "Unsupported or absent gives English." */
const patterns: Record<string, readonly string[]> = {
  en: ["{} near me", "buy {} online", "best {}", "{} prices"],
  de: ["{} in der Nähe", "{} online kaufen", "beste {}", "{} Preise"],
};

function openSearchThemes() {
  const byApp = new Map<string, string[]>();
  const objects: SearchThemeObjects = {
    setSearchThemes: (appId, themes) => {
      if (themes === null) byApp.delete(appId);
      else byApp.set(appId, [...themes]);
    },
  };
  const handlers: Handlers = {
    "searchTheme.suggest": ({ parameters: { app_id }, caller, body, language }) => {
      const { business_name, business_description } = validated(business, body);
      checkReach(app_id, caller);
      const subjects = [business_name, business_description].filter((text) => text != null && text.trim() !== "");
      const themes = byApp.get(app_id) ?? subjects.flatMap((subject) => suggestions(String(subject), language));
      const allowed = themes.filter(
        (theme) => !platformName.test(theme) && Array.from(theme).length <= themeLengthLimit,
      );
      return { search_themes: allowed.slice(0, themeLimit) };
    },
  };
  return { objects, handlers };
}

function suggestions(subject: string, language = "en"): string[] {
  const wanted = language.slice(0, 2).toLowerCase();
  return (patterns[wanted] ?? patterns["en"] ?? []).map((pattern) => pattern.replace("{}", subject.trim()));
}

export const searchThemes = {
  open: openSearchThemes,
  controlRoutes: [
    route({
      endpoint: "PUT advertising/search-themes",
      description: "Sets the search themes suggested for the app. Null: made from the request again.",
      input: ofApp.extend({ themes: z.array(z.string()).nullable() }),
      examples: [{ appId: "a", themes: ["garden pots"] }],
      handle: ({ objects }, { appId, themes }) => {
        objects.setSearchThemes(appId, themes);
      },
    }),
  ],
} satisfies Area;
