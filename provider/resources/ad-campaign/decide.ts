import type { DeletionPolicy } from "./campaign";
import type { Classified, Listed } from "./classify";

/* Decides what to do about the classified campaigns of one launch intent. Pure. */

/**
 * Why the lists are read:
 * - `launch`: `up` of a campaign that is not in the state, or whose launch is unconfirmed.
 * - `replace`: the same, before the campaign in the state is deleted. Others of the key in the list may be deleted already.
 * - `confirm`: this command sent the launch, and its outcome is uncertain.
 * - `refresh`, `destroy`: the same commands, of an unconfirmed launch.
 * - `remove`: the intent is removed from the stack without a campaign of its key.
 */
export type Purpose = LaunchPurpose | RemovalPurpose;
export type LaunchPurpose = "launch" | "replace" | "confirm" | "refresh";
export type RemovalPurpose = "destroy" | "remove";

export interface Situation {
  readonly purpose: Purpose;
  readonly policy: DeletionPolicy;
  readonly found: Classified | "unreadable";
  /** Whether the list may still be watched. Only for `launch`, `confirm` and `remove`: the others read it once. */
  readonly isTimeLeft: boolean;
  /** Whether the quarantine of an unconfirmed launch lasts. Only for `launch` and `destroy`. */
  readonly isQuarantined: boolean;
  /** Whether the list was read with the credential of the intent. Otherwise an empty list proves nothing. */
  readonly isSameCredential: boolean;
  /**
   * Whether it is known what became of the launch: this command has deleted or paused it. For `remove`: any campaign of the
   * key, or the state has one.
   */
  readonly isAccountedFor: boolean;
}

type CommonDecision =
  | { readonly do: "watch" }
  /** Delete or pause these by the policy, then look again. */
  | { readonly do: "end"; readonly campaigns: readonly Listed[] }
  /** Nothing is left to do. `left`: campaigns that stay, by the policy `retain`. */
  | { readonly do: "done"; readonly left: readonly Listed[] };

export type LaunchDecision =
  | CommonDecision
  | { readonly do: "take over"; readonly campaign: Listed; readonly orphans: readonly Listed[] }
  /** Check what can be checked. Then delete or pause the orphans and look again, or launch. */
  | { readonly do: "post"; readonly orphans: readonly Listed[] }
  | Failure<"unreadable" | "orphan" | "replaced" | "namesake" | "unconfirmed">;

export type RemovalDecision = CommonDecision | Failure<"unreadable" | "unconfirmed" | "credential">;

export type Decision = LaunchDecision | RemovalDecision;

interface Failure<Obstacle> {
  readonly do: "fail";
  readonly because: Obstacle;
  readonly campaigns: readonly Listed[];
}

export function decide(situation: Situation): Decision {
  return situation.purpose === "destroy" || situation.purpose === "remove"
    ? decideRemoval(situation)
    : decideLaunch(situation);
}

function decideLaunch({ purpose, policy, found, isTimeLeft, isQuarantined }: Situation): LaunchDecision {
  if (found === "unreadable") {
    if (purpose !== "confirm") return fail("unreadable");
    return isTimeLeft ? { do: "watch" } : fail("unconfirmed");
  }
  const { replaced, namesakes } = found;
  const isReplacement = purpose === "replace";
  const orphans = isReplacement ? [...found.launch, ...found.orphans] : found.orphans;
  const [newest, ...older] = isReplacement ? [] : newestFirst(found.launch);
  if (newest !== undefined) return { do: "take over", campaign: newest, orphans: [...older, ...orphans] };
  if (purpose === "refresh") return { do: "done", left: [] };
  if (purpose !== "confirm" && policy === "retain" && orphans.length > 0) return fail("orphan", orphans);
  const sendsNothing = purpose === "confirm" || isQuarantined;
  if (sendsNothing && policy !== "retain" && orphans.length > 0) return { do: "end", campaigns: orphans };
  if (isTimeLeft && (purpose === "confirm" || !isQuarantined)) return { do: "watch" };
  if (sendsNothing) return fail("unconfirmed");
  if (replaced.length > 0) return fail("replaced", replaced);
  return namesakes.length > 0 ? fail("namesake", namesakes) : { do: "post", orphans };
}

function decideRemoval({ purpose, policy, found, ...situation }: Situation): RemovalDecision {
  const { isTimeLeft, isQuarantined, isSameCredential, isAccountedFor } = situation;
  if (found === "unreadable") return isTimeLeft ? { do: "watch" } : fail("unreadable");
  const ours = [...found.launch, ...found.orphans];
  if (ours.length > 0 && policy !== "retain") return { do: "end", campaigns: ours };
  // A list that shows the launch is proof with any credential: only an empty one needs the earlier credential. Another launch
  // of the key says nothing about an unconfirmed one.
  const isFound = isAccountedFor || (purpose === "destroy" ? found.launch : ours).length > 0;
  if (purpose === "destroy" && isQuarantined && !isFound) return fail("unconfirmed");
  if (isTimeLeft) return { do: "watch" };
  return isFound || isSameCredential ? { do: "done", left: ours } : fail("credential");
}

function fail<Obstacle extends string>(because: Obstacle, campaigns: readonly Listed[] = []): Failure<Obstacle> {
  return { do: "fail", because, campaigns };
}

/** By creation, where the service tells it. */
function newestFirst(campaigns: readonly Listed[]): Listed[] {
  const created = ({ row }: Listed): string => row.created_date ?? "";
  return [...campaigns].sort((one, other) =>
    created(one) < created(other) ? 1 : created(one) > created(other) ? -1 : 0,
  );
}
