import { z } from "zod";
import { checkReach } from "./app-access";
import type { Handlers } from "./handler";
import { validated } from "./validation";

/** What is suggested as search themes. */
export interface SearchThemeObjects {
  /** What is suggested for the app from now on, in whatever language; null: themes made from the request again. */
  setSearchThemes(appId: string, themes: string[] | null): void;
}

/** "At most 10, each at most 80 characters." */
const mostThemes = 10;
const longestTheme = 80;

/** "Themes naming the platform itself are dropped": its name is not shown. */
const platformName = /\bworkspace apps\b/i;

/** Which fields must be there is not shown. */
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

export interface SearchThemes {
  objects: SearchThemeObjects;
  handlers: Handlers;
}

export function openSearchThemes(): SearchThemes {
  const byApp = new Map<string, string[]>();
  return {
    objects: {
      setSearchThemes: (appId, themes) => {
        if (themes === null) byApp.delete(appId);
        else byApp.set(appId, [...themes]);
      },
    },
    handlers: {
      "searchTheme.suggest": ({ parameters: { app_id }, caller, body, language }) => {
        const { business_name, business_description } = validated(business, body);
        checkReach(app_id, caller);
        const subjects = [business_name, business_description].filter((text) => text != null && text.trim() !== "");
        const themes = byApp.get(app_id) ?? subjects.flatMap((subject) => suggestions(String(subject), language));
        const allowed = themes.filter((theme) => !platformName.test(theme) && Array.from(theme).length <= longestTheme);
        return { search_themes: allowed.slice(0, mostThemes) };
      },
    },
  };
}

function suggestions(subject: string, language = "en"): string[] {
  const wanted = language.slice(0, 2).toLowerCase();
  return (patterns[wanted] ?? patterns["en"] ?? []).map((pattern) => pattern.replace("{}", subject.trim()));
}
