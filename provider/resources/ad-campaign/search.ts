import { asSeconds, isInterruption } from "../../service/clock";
import type { Freshness } from "../../service/shared-reads";
import type { Deployment } from "../shared/deployment";
import { deletionPolicyOf } from "../shared/ownership";
import { watch } from "../shared/watch";
import type { Inputs, State } from "./campaign";
import { readCampaigns, type Unreadable, unreadableList } from "./campaign-list";
import { keyIn } from "./campaign-name";
import { classify, type Classified, isInState, type LaunchKey, type Listed, liveIn } from "./classify";
import {
  decide,
  type Decision,
  type LaunchDecision,
  type LaunchPurpose,
  type Purpose,
  type RemovalDecision,
  type RemovalPurpose,
} from "./decide";
import { notLaunched, targetBoth } from "./messages";
import { isQuarantined } from "./quarantine";
import { deleteOrPauseOrphan } from "./switch";

/* Reads the lists in which campaigns of a launch intent may be, until `decide` has an outcome. */

/** The launch key of a campaign in the state. Without a key, no other campaign belongs to it. */
export function launchKeyInState(state: State): LaunchKey {
  const { launchIntent: key = "", appId, apps = [appId], campaignId: besides, readBy } = state;
  return { key, declared: state, apps, policy: deletionPolicyOf(state), readBy, besides };
}

/** The launch key of a campaign that is launched. Throws without an intent that this command has seen. */
export function launchKeyOf(inputs: Inputs, { launches }: Deployment, besides?: string): LaunchKey {
  const { launchIntent: key, deletionPolicy: policy = "delete" } = inputs;
  const intent = key === undefined ? undefined : launches.of(key).intent;
  if (key === undefined || intent === undefined)
    throw notLaunched(inputs, ["It has no LaunchIntent that this command has seen."], [targetBoth], "WA1229");
  const { apps, readBy } = intent;
  return { key, declared: inputs, apps, policy, readBy, besides };
}

export interface Terms<P extends Purpose> {
  readonly purpose: P;
  readonly launchKey: LaunchKey;
  /** The unconfirmed launch that is looked for. */
  readonly unconfirmed?: State | undefined;
  /** Watches the lists for the settle time, and says why. Left out: reads them once. */
  readonly why?: string;
  /** Whether a list will do that was read within the last seconds. */
  readonly freshness?: Freshness;
}

/** A decision after which there is nothing left to watch. */
type Outcome<D extends Decision> = Exclude<D, { do: "watch" | "end" }> & {
  readonly unreadable?: Unreadable | undefined;
  /** The campaigns that were deleted or paused. */
  readonly ended: readonly Listed[];
};

export type LaunchOutcome = Outcome<LaunchDecision>;
type RemovalOutcome = Outcome<RemovalDecision>;

export function search(terms: Terms<LaunchPurpose>, deployment: Deployment): Promise<LaunchOutcome>;
export function search(terms: Terms<RemovalPurpose>, deployment: Deployment): Promise<RemovalOutcome>;
export function search(terms: Terms<Purpose>, deployment: Deployment): Promise<Outcome<Decision>> {
  const { clock, log, service, launches, settings } = deployment;
  const { purpose, launchKey, unconfirmed, why } = terms;
  const { key, policy, readBy } = launchKey;
  // A refresh only looks. Before the first launch under a new key, a list that was just read shows all that matters.
  const isNew = purpose === "launch" && launches.of(key).history === "new";
  const { freshness = isNew || purpose === "refresh" ? "recent" : "fresh" } = terms;
  const ended: Listed[] = [];
  let hasEnded = false;
  let isWatching = false;
  const milliseconds = why === undefined ? 0 : settings.launchSettleSeconds * 1000;
  return watch(clock, milliseconds, async (isTimeLeft) => {
    for (;;) {
      const { found, unreadable, hasOneInState } = await look(launchKey, deployment, freshness);
      const isSameCredential = service.endpoints.isEvidence("campaign.list", readBy);
      const isAccountedFor = hasEnded || (purpose === "remove" && hasOneInState === true);
      // After the read: the service's clock is known by then.
      const isInQuarantine = unconfirmed !== undefined && isQuarantined(unconfirmed, deployment);
      const about = { purpose, policy, found, isTimeLeft, isSameCredential, isAccountedFor };
      const decision = decide({ ...about, isQuarantined: isInQuarantine });
      if (decision.do === "watch") {
        if (!isWatching && why !== undefined) log(`${why} Watching the campaign list for ${asSeconds(milliseconds)}.`);
        isWatching = true;
        return undefined;
      }
      if (decision.do !== "end") return { ...decision, unreadable, ended };
      for (const orphan of decision.campaigns) await deleteOrPauseOrphan(orphan, launchKey, deployment);
      ended.push(...decision.campaigns);
      // Another launch of the key says nothing about an unconfirmed one.
      hasEnded ||= purpose === "remove" || (found !== "unreadable" && found.launch.length > 0);
    }
  });
}

interface Look {
  readonly found: Classified | "unreadable";
  readonly unreadable?: Unreadable;
  /** Whether a campaign of the key that the list shows is in the state. */
  readonly hasOneInState?: boolean;
}

async function look(launchKey: LaunchKey, deployment: Deployment, freshness: Freshness): Promise<Look> {
  try {
    const lists = await Promise.all(
      launchKey.apps.map(async (appId): Promise<Listed[]> => {
        return liveIn(appId, await readCampaigns(appId, deployment, freshness));
      }),
    );
    const campaigns = lists.flat();
    const hasOneInState = campaigns.some(
      (one) => keyIn(one.row.campaign_name) === launchKey.key && isInState(one, deployment),
    );
    return { found: classify(campaigns, launchKey, deployment), hasOneInState };
  } catch (error) {
    if (isInterruption(deployment.clock, error)) throw error;
    return { found: "unreadable", unreadable: unreadableList(error, deployment) };
  }
}

/** The other live campaigns of a key, in every app that its intent has had. */
export async function findOthers(
  launchKey: LaunchKey,
  deployment: Deployment,
): Promise<{ others: readonly Listed[]; unreadable?: Unreadable | undefined }> {
  const { found, unreadable } = await look(launchKey, deployment, "recent");
  return { others: found === "unreadable" ? [] : [...found.launch, ...found.orphans], unreadable };
}
