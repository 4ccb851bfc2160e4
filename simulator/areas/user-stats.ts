import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { count, ofApp, route } from "../control/route";
import type { Handlers } from "../handler";
import type { UserStats, UserStatsObjects } from "../types";

const defaultStats: Readonly<UserStats> = { active_users: 12, live_users: 3, inactive_7d: 5, inactive_30d: 2 };

function openStore(): UserStatsObjects {
  const byApp = new Map<string, UserStats>();
  const userStats = (appId: string): UserStats => ({ ...defaultStats, ...byApp.get(appId) });
  return {
    userStats,
    setUserStats: (appId, counts) => {
      byApp.set(appId, { ...userStats(appId), ...counts });
      return userStats(appId);
    },
  };
}

function handlersOf(objects: UserStatsObjects): Handlers {
  return {
    "userStats.get": ({ parameters: { app_id }, caller }) => {
      checkReach(app_id, caller);
      return objects.userStats(app_id);
    },
  };
}

const userCounts: z.ZodType<Partial<UserStats>> = z
  .strictObject({ active_users: count, live_users: count, inactive_7d: count, inactive_30d: count })
  .exactPartial();

export const userStats = {
  open: () => {
    const objects = openStore();
    return { objects, handlers: handlersOf(objects) };
  },
  controlRoutes: [
    route({
      endpoint: "PUT user-stats",
      description: "Sets user counts of the app. A count that the service cannot read is 0 too.",
      input: ofApp.extend({ fields: userCounts }),
      examples: [{ appId: "a", fields: { live_users: 0 } }],
      handle: ({ objects }, { appId, fields }) => objects.setUserStats(appId, fields),
    }),
  ],
} satisfies Area;
