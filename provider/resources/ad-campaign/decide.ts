import type { ListedCampaign } from "../../service/campaigns";
import type { DeletionPolicy } from "./campaign";

/* Decides about the campaigns of one launch intent. Pure: the only place that decides what belongs to whom. */

/** A live campaign, and the app whose list shows it. */
export interface Listed {
  readonly appId: string;
  readonly row: ListedCampaign;
}

/** The campaigns of a complete list, without those that other resources manage or that this command ended. */
export interface Found {
  /** This launch: key and hash are in the name. */
  readonly launch: readonly Listed[];
  /** Other launches under the same key. No resource has them in its state, so they are orphans. */
  readonly orphans: readonly Listed[];
  /** Campaigns of the key that Pulumi replaces, and that nobody has deleted. */
  readonly replaced: readonly Listed[];
  /** Campaigns of the same name without the key: never touched. */
  readonly namesakes: readonly Listed[];
}

/**
 * - `launch`: `up` of a campaign that is not in the state, or whose launch is unconfirmed.
 * - `replace`: the same, before the campaign in the state is deleted. Others of the key in the list may be deleted already.
 * - `confirm`: this command sent the launch, and its outcome is uncertain.
 * - `refresh`, `destroy`: the same commands, of an unconfirmed launch.
 * - `remove`: the intent is removed from the stack without a campaign of its key.
 */
export type Command = "launch" | "replace" | "confirm" | "refresh" | "destroy" | "remove";

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
  /**
   * Whether it is known what became of the launch: this command has deleted or paused it. For `remove`: any campaign of the
   * key, or the state has one.
   */
  readonly isAccountedFor: boolean;
}

export type Decision =
  | { readonly do: "watch" }
  | { readonly do: "take over"; readonly campaign: Listed; readonly orphans: readonly Listed[] }
  /** Delete or pause these by the policy, then look again. */
  | { readonly do: "end"; readonly campaigns: readonly Listed[] }
  /** Check what can be checked. Then delete or pause the orphans and look again, or launch. */
  | { readonly do: "post"; readonly orphans: readonly Listed[] }
  | { readonly do: "fail"; readonly because: Obstacle; readonly campaigns: readonly Listed[] }
  /** Nothing is left to do. `left`: campaigns that stay, by the policy `retain`. */
  | { readonly do: "done"; readonly left: readonly Listed[] };

type Obstacle = "unreadable" | "orphan" | "replaced" | "namesake" | "unconfirmed" | "credential";

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
  const { replaced, namesakes } = found;
  const isReplacement = command === "replace";
  const orphans = isReplacement ? [...found.launch, ...found.orphans] : found.orphans;
  const [newest, ...older] = isReplacement ? [] : newestFirst(found.launch);
  if (newest !== undefined) return { do: "take over", campaign: newest, orphans: [...older, ...orphans] };
  if (command === "refresh") return { do: "done", left: [] };
  if (command !== "confirm" && policy === "retain" && orphans.length > 0) return fail("orphan", orphans);
  const sendsNothing = command === "confirm" || isQuarantined;
  if (sendsNothing && policy !== "retain" && orphans.length > 0) return { do: "end", campaigns: orphans };
  if (isTimeLeft && (command === "confirm" || !isQuarantined)) return { do: "watch" };
  if (sendsNothing) return fail("unconfirmed");
  if (replaced.length > 0) return fail("replaced", replaced);
  return namesakes.length > 0 ? fail("namesake", namesakes) : { do: "post", orphans };
}

function decideRemoval({ command, policy, found, ...situation }: Situation): Decision {
  const { isTimeLeft, isQuarantined, isSameCredential, isAccountedFor } = situation;
  if (found === "unreadable") return isTimeLeft ? { do: "watch" } : fail("unreadable");
  const ours = [...found.launch, ...found.orphans];
  if (ours.length > 0 && policy !== "retain") return { do: "end", campaigns: ours };
  // Another launch of the key says nothing about an unconfirmed one.
  const isFound = isAccountedFor || (command === "destroy" ? found.launch : ours).length > 0;
  if (command === "destroy" && isQuarantined && !isFound) return fail("unconfirmed");
  if (isTimeLeft) return { do: "watch" };
  return isFound || isSameCredential ? { do: "done", left: ours } : fail("credential");
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
