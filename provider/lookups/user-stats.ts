import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { userStats } from "../service/lookup-shapes";
import type { Answer } from "../service/operations";
import { fromWire, notesOf, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link getUserStats}. */
export interface GetUserStatsArgs {
  /** The app whose users are counted. */
  appId: string;
}

/**
 * The result of {@link getUserStats}. Each user counts once, by their most recent event. Only events that are attributed to
 * a user count.
 */
export interface GetUserStatsResult {
  /** Users whose most recent event was in the last 7 days. */
  activeUsers: number;
  /** Users seen in the last 2 minutes, counted from heartbeats and not from events. */
  liveUsers: number;
  /** Users whose most recent event was 7 to 30 days ago. */
  inactive7d: number;
  /** Users whose most recent event was 30 to 60 days ago. Users who stayed away longer are not counted. */
  inactive30d: number;
  /** The counts that are 0. The service also returns 0 for a count that it could not read. */
  zeros: UserCount[];
  /** Sentences that say what the result does not prove. Empty if there is nothing to explain. */
  notes: string[];
}

/** The name of a count in {@link GetUserStatsResult}. */
export type UserCount = "activeUsers" | "liveUsers" | "inactive7d" | "inactive30d";

/** @internal */
export const userStatsLookup: Lookup<GetUserStatsArgs, GetUserStatsResult> = {
  name: "getUserStats",
  operation: "userStats.get",
  purpose: "Counts of an app's users",
  args: z.strictObject({ appId: identifier() }),
  run: async (args, { service }) => resultOf(await service.call("userStats.get", { parameters: toWire(args) })),
};

/** From wire to result. */
function resultOf(wire: Answer<"userStats.get">): GetUserStatsResult {
  const counts: Record<UserCount, number> = fromWire(userStats, wire);
  const zeros = (Object.keys(counts) as UserCount[]).filter((name) => counts[name] === 0);
  const cannotTell = "These counts are 0, which the service also returns when it could not read a count";
  return { ...counts, zeros, notes: notesOf(zeros.length > 0 && `${cannotTell}: ${zeros.join(", ")}.`) };
}

/**
 * Counts the active, live and inactive users of an app.
 *
 * The service documents the operation (`userStats.get`). It also returns 0 for a count that it could not read: `zeros` names
 * the counts that are 0.
 *
 * ```ts
 * const stats = await apps.getUserStats({ appId: "app-1" });
 * if (stats.zeros.includes("activeUsers")) pulumi.log.warn("No active users, or they could not be counted.");
 * export const activeUsers = stats.activeUsers;
 * ```
 */
export function getUserStats(args: GetUserStatsArgs, opts?: LookupOptions): Promise<GetUserStatsResult> {
  return lookUp(userStatsLookup, args, opts);
}

/** {@link getUserStats} with inputs. Sends its requests once all inputs are known. */
export function getUserStatsOutput(
  args: LookupInputs<GetUserStatsArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<GetUserStatsResult> {
  return lookUpOutput(userStatsLookup, args, opts);
}
