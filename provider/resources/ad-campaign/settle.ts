import { isRemoved } from "../../service/campaigns";
import { asSeconds, isInterruption } from "../../service/clock";
import { knownFrom, nextFrom, ProviderError, type Report } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { type DeletionPolicy, identifiedName, kind, type Inputs } from "./campaign";
import { readCampaigns, unreadableList } from "./campaign-list";
import { type Command, decide, type Decision, type Found, type Listed } from "./decide";
import { baseName, endingOfLaunch, keyIn, normalizedName } from "./identity";
import { endedOrphan, orphanNotEnded } from "./messages";
import { endCampaign } from "./switch";
import { watch } from "./watch";

/* Reads the lists in which campaigns of a launch intent may be, and does what `decide` says about them. */

/** What belongs to a launch intent. */
export interface Identity {
  readonly key: string;
  /** The declared campaign; undefined for an intent that is removed from the stack. */
  readonly declared?: Inputs;
  /** Every app in which a campaign of the key may be. */
  readonly apps: readonly string[];
  readonly policy: DeletionPolicy;
  /** The mark of the credential with which it was written. */
  readonly readBy: string;
  /** The campaign of the key that the state has, or that is about to be replaced. */
  readonly besides?: string;
}

interface Terms {
  readonly command: Command;
  readonly identity: Identity;
  /** How long the lists may be watched. */
  readonly milliseconds: number;
  /** Asked after each read: the service's clock is known by then. */
  readonly isQuarantined?: () => boolean;
  /** Said when the watch begins. */
  readonly why?: string;
}

/** A decision after which there is nothing left to watch, delete or pause. */
export type Settled = Exclude<Decision, { do: "watch" | "end" }> & { readonly unreadable?: Report };

export function settle(terms: Terms, deployment: Deployment): Promise<Settled> {
  const { clock, log, service } = deployment;
  const { command, identity, milliseconds, isQuarantined, why } = terms;
  let isWatching = false;
  let hasEnded = false;
  return watch(clock, milliseconds, async (isTimeLeft) => {
    for (;;) {
      const { found, unreadable } = await look(identity, command, deployment);
      const isSameCredential = service.endpoints.isEvidence("campaign.list", identity.readBy);
      const decision = decide({
        command,
        policy: identity.policy,
        found,
        isTimeLeft,
        isQuarantined: isQuarantined?.() ?? false,
        isSameCredential,
        hasEnded,
      });
      if (decision.do === "watch") {
        if (!isWatching && why !== undefined) log(`${why} Watching the campaign list for ${asSeconds(milliseconds)}.`);
        isWatching = true;
        return undefined;
      }
      if (decision.do !== "end") return { ...decision, ...(unreadable === undefined ? {} : { unreadable }) };
      for (const orphan of decision.campaigns) await endOrphan(orphan, identity, deployment);
      // That another launch of the key is gone says nothing about an unconfirmed one.
      hasEnded ||= command === "remove" || (found !== "unreadable" && found.launch.length > 0);
    }
  });
}

interface Look {
  readonly found: Found | "unreadable";
  readonly unreadable?: Report;
}

async function look(identity: Identity, command: Command, deployment: Deployment): Promise<Look> {
  const { clock, launches } = deployment;
  // A refresh only looks. Before the first launch under a new key, a list that was just read shows all that matters.
  const isRecentEnough = command === "refresh" || (command === "launch" && launches.written.has(identity.key));
  try {
    const lists = await Promise.all(
      identity.apps.map(async (appId): Promise<Listed[]> => {
        const rows = await readCampaigns(appId, deployment, isRecentEnough ? "recent" : "fresh");
        return rows.filter((row) => !isRemoved(row)).map((row) => ({ appId, row }));
      }),
    );
    return { found: sort(lists.flat(), identity, deployment) };
  } catch (error) {
    if (isInterruption(clock, error)) throw error;
    return { found: "unreadable", unreadable: { what: "", ...unreadableList(error, deployment) } };
  }
}

/** What stands against the launch of a campaign in the place of another one. Deletes and pauses nothing. */
export async function lookBeforeReplacement(identity: Identity, deployment: Deployment): Promise<Settled> {
  const { found, unreadable } = await look(identity, "launch", deployment);
  const decision = decide({
    command: "launch",
    policy: identity.policy,
    found: found === "unreadable" ? found : { ...found, orphans: [] },
    isTimeLeft: false,
    isQuarantined: false,
    isSameCredential: true,
    hasEnded: false,
  });
  return { ...decision, ...(unreadable === undefined ? {} : { unreadable }) } as Settled;
}

/** Sorts live campaigns by their names. What another resource manages, or this command ended, is nobody's orphan. */
export function sort(campaigns: readonly Listed[], identity: Identity, deployment: Deployment): Found {
  const { key, declared, besides } = identity;
  const free = campaigns.filter(({ appId, row }) => row.id !== besides && !isSpokenFor(appId, row.id, deployment));
  const ours = free.filter(({ row }) => keyIn(row.campaign_name) === key);
  const isLaunch = ({ appId, row }: Listed): boolean =>
    appId === declared?.appId && row.campaign_name.endsWith(endingOfLaunch(declared, key));
  return {
    launch: ours.filter(isLaunch),
    orphans: ours.filter((one) => !isLaunch(one)),
    namesakes: declared === undefined ? [] : campaigns.filter((one) => isNamesake(one, declared, identity, deployment)),
  };
}

function isSpokenFor(appId: string, campaignId: string, { launches, declarations, readById }: Deployment): boolean {
  const object = identifiedName({ appId, campaignId });
  return (
    launches.managed.has(object) || launches.ended.has(object) || readById.has(object) || declarations.has(kind, object)
  );
}

/** Another live campaign of the declared name, with or without the ending of a launch. */
function isNamesake({ appId, row }: Listed, declared: Inputs, { key, besides }: Identity, { launches }: Deployment) {
  const isOfApp = appId === declared.appId && row.id !== besides;
  const isEnded = launches.ended.has(identifiedName({ appId, campaignId: row.id }));
  const isOfName = normalizedName(baseName(row.campaign_name)) === normalizedName(declared.campaignName);
  return isOfApp && !isEnded && isOfName && keyIn(row.campaign_name) !== key;
}

/** The other live campaigns of a campaign's key, in the list of its app. */
export async function findOthers(identity: Identity, deployment: Deployment): Promise<readonly Listed[]> {
  const { found, unreadable } = await look(identity, "refresh", deployment);
  if (found === "unreadable") throw new ProviderError({ ...unreadable, what: "The campaign list could not be read." });
  return [...found.launch, ...found.orphans];
}

/** Deletes or pauses, by the policy, a campaign of the key that no resource has in its state. */
export async function endOrphan({ appId, row }: Listed, identity: Identity, deployment: Deployment): Promise<void> {
  const { policy } = identity;
  if (policy === "retain") throw new Error("internal error: the policy retain deletes and pauses nothing");
  // The list has just shown it.
  const readBy = deployment.service.endpoints.evidence("campaign.list", identity.readBy);
  try {
    await endCampaign({ appId, campaignId: row.id, readBy }, policy, deployment);
  } catch (error) {
    throw new ProviderError(orphanNotEnded(appId, row, policy, knownFrom(error), nextFrom(error)));
  }
  deployment.log(endedOrphan(appId, row, policy));
}
