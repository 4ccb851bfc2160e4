/** "The standard set." */
export const standardGoals = [
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

/** The conversion goals that the service holds. */
export interface TrackingObjects {
  /** The conversion goals of the app's advertising account, oldest first; they need not be of the standard set. */
  conversionGoals(appId: string): string[];
  /** These instead of those it had, as no request can. */
  setConversionGoals(appId: string, goals: string[]): void;
  /** How many conversion mappings are enabled; 0 to begin with. */
  setConversionMappings(appId: string, enabled: number): void;
  /** The conversion tag's id; "" makes the prompt tell the AI to look ids up. By default one made from the account. */
  setConversionTag(appId: string, conversionId: string): void;
}

export interface TrackingStore {
  objects: TrackingObjects;
  /** Adds what is missing of the standard set, and gives all that are there then. */
  complete: (appId: string) => string[];
  enabledMappings: (appId: string) => number;
  /** Undefined when none was set. */
  tag: (appId: string) => string | undefined;
  all: () => Record<string, string[]>;
}

/** What all apps' advertising accounts know of conversions. */
export function openTrackingStore(): TrackingStore {
  const goalsOf = new Map<string, readonly string[]>();
  const mappings = new Map<string, number>();
  const tags = new Map<string, string>();

  const conversionGoals = (appId: string) => [...(goalsOf.get(appId) ?? [])];

  return {
    objects: {
      conversionGoals,
      setConversionGoals: (appId, goals) => {
        goalsOf.set(appId, [...goals]);
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

    all: () => Object.fromEntries([...goalsOf.keys()].map((appId) => [appId, conversionGoals(appId)])),
  };
}
