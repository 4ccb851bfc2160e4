import type { ListedCampaign } from "../../service/campaigns";
import type { DeletionPolicy } from "./campaign";

/* What to do about the campaigns of one launch intent. Pure: the only place that decides what belongs to whom. */

/** A live campaign, and the app whose list shows it. */
export interface Listed {
  readonly appId: string;
  readonly row: ListedCampaign;
}

/** What a complete list shows, without what other resources of the stack manage and what this command ended. */
export interface Found {
  /** This launch: key and hash are in the name. */
  readonly launch: readonly Listed[];
  /** Other launches under the same key. No resource has them in its state, so they are orphans. */
  readonly orphans: readonly Listed[];
  /** Campaigns of the same name without the key: never touched. */
  readonly namesakes: readonly Listed[];
}

/**
 * - `launch`: nothing was sent in this command.
 * - `confirm`: this command sent the launch, and its outcome is uncertain.
 * - `resolve`: `up` of an unconfirmed launch.
 * - `refresh`, `destroy`: the same commands, of an unconfirmed launch.
 * - `remove`: the intent is removed from the stack without a campaign of its key.
 */
export type Command = "launch" | "confirm" | "resolve" | "refresh" | "destroy" | "remove";

export interface Situation {
  readonly command: Command;
  readonly policy: DeletionPolicy;
  readonly found: Found | "unreadable";
  /** Whether the list may still be watched. */
  readonly isTimeLeft: boolean;
  /** Whether the quarantine of an unconfirmed launch lasts. */
  readonly isQuarantined: boolean;
  /** Whether the list was read with the credential of the intent. Otherwise an empty list proves nothing. */
  readonly isSameCredential: boolean;
  /** Whether this command has deleted or paused this launch; for `remove`, any campaign of the key. */
  readonly hasEnded: boolean;
}

export type Decision =
  | { readonly do: "watch" }
  | { readonly do: "take over"; readonly campaign: Listed; readonly orphans: readonly Listed[] }
  /** Delete or pause these by the policy, then look again. */
  | { readonly do: "end"; readonly campaigns: readonly Listed[] }
  | { readonly do: "post" }
  | { readonly do: "fail"; readonly because: Obstacle; readonly campaigns: readonly Listed[] }
  /** Nothing is left to do. `left`: campaigns that stay, by the policy `retain`. */
  | { readonly do: "done"; readonly left: readonly Listed[] };

type Obstacle = "unreadable" | "orphan" | "namesake" | "unconfirmed" | "credential";

export function decide(situation: Situation): Decision {
  return situation.command === "destroy" || situation.command === "remove"
    ? decideRemoval(situation)
    : decideLaunch(situation);
}

function decideLaunch({ command, policy, found, isTimeLeft, isQuarantined }: Situation): Decision {
  if (found === "unreadable") {
    if (command !== "confirm") return fail("unreadable");
    return isTimeLeft ? { do: "watch" } : fail("unconfirmed");
  }
  const { orphans, namesakes } = found;
  const [newest, ...older] = newestFirst(found.launch);
  if (newest !== undefined) return { do: "take over", campaign: newest, orphans: [...older, ...orphans] };
  if (command === "refresh") return { do: "done", left: [] };
  if (orphans.length > 0 && policy !== "retain") return { do: "end", campaigns: orphans };
  if (orphans.length > 0 && command !== "confirm") return fail("orphan", orphans);
  if (command === "resolve" && isQuarantined) return fail("unconfirmed");
  if (isTimeLeft) return { do: "watch" };
  if (command === "confirm") return fail("unconfirmed");
  return namesakes.length > 0 ? fail("namesake", namesakes) : { do: "post" };
}

function decideRemoval({ command, policy, found, ...situation }: Situation): Decision {
  const { isTimeLeft, isQuarantined, isSameCredential, hasEnded } = situation;
  if (found === "unreadable") return isTimeLeft ? { do: "watch" } : fail("unreadable");
  const ours = [...found.launch, ...found.orphans];
  if (ours.length > 0 && policy !== "retain") return { do: "end", campaigns: ours };
  if (command === "destroy") {
    if (ours.length > 0 || hasEnded) return { do: "done", left: ours };
    if (isQuarantined) return fail("unconfirmed");
  }
  if (isTimeLeft) return { do: "watch" };
  return ours.length === 0 && !hasEnded && !isSameCredential ? fail("credential") : { do: "done", left: ours };
}

function fail(because: Obstacle, campaigns: readonly Listed[] = []): Decision {
  return { do: "fail", because, campaigns };
}

/** By creation, where the service tells it. */
function newestFirst(campaigns: readonly Listed[]): Listed[] {
  const created = ({ row }: Listed): string => row.created_date ?? "";
  return [...campaigns].sort((one, other) =>
    created(one) < created(other) ? 1 : created(one) > created(other) ? -1 : 0,
  );
}
