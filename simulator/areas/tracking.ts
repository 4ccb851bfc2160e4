import { z } from "zod";
import { checkEditor } from "../app-access";
import type { Area } from "../area";
import { count, ofApp, route } from "../control/route";
import { byName, listBy } from "../exported";
import type { Handlers } from "../handler";
import type { AllObjects, CampaignObjects, TrackingObjects } from "../types";
import { validated } from "../validation";

/** "The standard set." */
const standardGoals = [
  "PURCHASE",
  "ADD_TO_CART",
  "BEGIN_CHECKOUT",
  "SIGNUP",
  "SUBMIT_LEAD_FORM",
  "CONTACT",
  "REQUEST_QUOTE",
  "BOOK_APPOINTMENT",
  "SUBSCRIBE_PAID",
  "PHONE_CALL_LEAD",
] as const;

interface TrackingStore {
  objects: TrackingObjects;
  /** Adds the missing goals of the standard set, and returns all goals. */
  complete: (appId: string) => string[];
  enabledMappings: (appId: string) => number;
  /** Undefined if none was set. */
  tag: (appId: string) => string | undefined;
  snapshot: () => { conversionGoals: Record<string, string[]> };
  restore: (objects: AllObjects) => void;
}

/** The conversion settings of all apps' advertising accounts. */
function openStore(): TrackingStore {
  const goalsOf = new Map<string, readonly string[]>();
  const mappings = new Map<string, number>();
  const tags = new Map<string, string>();

  const conversionGoals = (appId: string) => [...(goalsOf.get(appId) ?? [])];

  return {
    objects: {
      conversionGoals,
      setConversionGoals: (appId, goals) => {
        goalsOf.set(appId, [...new Set(goals)]);
      },
      setConversionMappings: (appId, enabled) => {
        mappings.set(appId, enabled);
      },
      setConversionTag: (appId, conversionId) => {
        tags.set(appId, conversionId);
      },
    },

    complete: (appId) => {
      goalsOf.set(appId, [...new Set([...conversionGoals(appId), ...standardGoals])]);
      return conversionGoals(appId);
    },

    enabledMappings: (appId) => mappings.get(appId) ?? 0,

    tag: (appId) => tags.get(appId),

    snapshot: () => ({
      conversionGoals: Object.fromEntries([...goalsOf.keys()].map((appId) => [appId, conversionGoals(appId)])),
    }),

    restore: ({ conversionGoals: given }) => {
      goalsOf.clear();
      for (const [appId, goals] of Object.entries(given)) goalsOf.set(appId, goals);
    },
  };
}

/** Optional, because the specification does not say that it is required. Without it, only the base tag is installed. */
const bootstrap = z.object({ wire_events: z.boolean().default(false) });

/** Assumed: the service offers as many categories as there are standard goals. */
const categoriesOffered = standardGoals.length;

type Accounts = Pick<CampaignObjects, "advertisingAccount">;

function handlersOf(store: TrackingStore, accounts: Accounts): Handlers {
  return {
    // It responds at once; a fault can add a delay.
    "tracking.bootstrap": ({ parameters: { app_id }, caller, body }) => {
      const { wire_events } = validated(bootstrap, body);
      checkEditor(app_id, caller, "conversion tracking");
      const account = accounts.advertisingAccount(app_id);
      if (account === undefined) return { composer_prompt: "", skipped_reason: "no_ads_account" };
      const goals = store.complete(app_id);
      const conversion_id = store.tag(app_id) ?? `tag-${account.platform_customer_id}`;
      const wired_mappings = wire_events ? store.enabledMappings(app_id) || categoriesOffered : 0;
      return {
        composer_prompt: promptOf(conversion_id, wired_mappings),
        conversion_id,
        actions_created_or_existing: goals.length,
        wired_mappings,
      };
    },
  };
}

function promptOf(conversionId: string, mappings: number): string {
  const tag = conversionId === "" ? "Look up the conversion tag's id, then install it" : `Install ${conversionId}`;
  const wiring = mappings === 0 ? "" : ` Then wire ${String(mappings)} conversion events.`;
  return `${tag} on every page of the app.${wiring}`;
}

export const tracking = {
  open: ({ objects: all }) => {
    const store = openStore();
    const { objects, snapshot, restore } = store;
    return { objects, handlers: handlersOf(store, all), snapshot, restore };
  },
  exported: { conversionGoals: byName(listBy((goal: string) => goal, z.string())) },
  controlRoutes: [
    route({
      endpoint: "PUT advertising/conversions",
      description:
        "Sets the conversion goals, the number of enabled mappings or the conversion tag's id of the app's account. Each is optional.",
      input: ofApp.extend({
        goals: z.array(z.string()).optional(),
        enabledMappings: count.optional(),
        conversionId: z.string().optional(),
      }),
      examples: [{ appId: "a", goals: ["PURCHASE"], enabledMappings: 2, conversionId: "tag-1" }],
      handle: ({ objects }, { appId, goals, enabledMappings, conversionId }) => {
        if (goals !== undefined) objects.setConversionGoals(appId, goals);
        if (enabledMappings !== undefined) objects.setConversionMappings(appId, enabledMappings);
        if (conversionId !== undefined) objects.setConversionTag(appId, conversionId);
      },
    }),
  ],
} satisfies Area;
