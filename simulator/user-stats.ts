import { checkReach } from "./app-access";
import type { Handlers } from "./handler";

/** Counts of an app's users, in the field names of the service. */
export interface UserStats {
  active_users: number;
  live_users: number;
  inactive_7d: number;
  inactive_30d: number;
}

/** The counts that the service answers with. */
export interface UserStatsObjects {
  /** A copy. */
  userStats(appId: string): UserStats;
  /** Changes these counts; 0 is also what a count reads that the service could not read. */
  setUserStats(appId: string, counts: Partial<UserStats>): UserStats;
}

const ofAnyApp: Readonly<UserStats> = { active_users: 12, live_users: 3, inactive_7d: 5, inactive_30d: 2 };

export function openUserStats(): UserStatsObjects {
  const byApp = new Map<string, UserStats>();
  const userStats = (appId: string): UserStats => ({ ...ofAnyApp, ...byApp.get(appId) });
  return {
    userStats,
    setUserStats: (appId, counts) => {
      byApp.set(appId, { ...userStats(appId), ...counts });
      return userStats(appId);
    },
  };
}

export function userStatsHandlers(objects: UserStatsObjects): Handlers {
  return {
    "userStats.get": ({ parameters: { app_id }, caller }) => {
      checkReach(app_id, caller);
      return objects.userStats(app_id);
    },
  };
}
