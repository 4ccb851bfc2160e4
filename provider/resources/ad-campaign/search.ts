import { isRemoved, type ListedCampaign } from "../../service/campaigns";
import { asSeconds, isInterruption } from "../../service/clock";
import type { Report } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { deletionPolicyOf } from "../shared/ownership";
import { watch } from "../shared/watch";
import { type DeletionPolicy, identifiedName, type Inputs, type State } from "./campaign";
import { type Freshness, readCampaigns, unreadableList } from "./campaign-list";
import { type Command, decide, type Decision, type Found, type Listed } from "./decide";
import { baseName, endingOfLaunch, keyIn, normalizedName } from "./identity";
import { notLaunched, targetBoth } from "./messages";
import { isQuarantined } from "./quarantine";
import { deleteOrPauseOrphan } from "./switch";

/* Reads the lists in which campaigns of a launch intent may be, until `decide` has an outcome. */

/** A launch intent, with its campaign. */
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
  readonly besides?: string | undefined;
}

/** The same for a campaign in the state. Without a key, no other campaign belongs to it. */
export function identityInState(state: State): Identity {
  const { launchIntent: key = "", appId, apps = [appId], campaignId: besides, readBy } = state;
  return { key, declared: state, apps, policy: deletionPolicyOf(state), readBy, besides };
}

/** The identity of a campaign that is launched. Throws without an intent that this command has seen. */
export function identityOf(inputs: Inputs, { launches }: Deployment, besides?: string): Identity {
  const { launchIntent: key, deletionPolicy: policy = "delete" } = inputs;
  const intent = key === undefined ? undefined : launches.of(key).intent;
  if (key === undefined || intent === undefined)
    throw notLaunched(inputs, ["It has no LaunchIntent that this command has seen."], [targetBoth]);
  const { apps, readBy } = intent;
  return { key, declared: inputs, apps, policy, readBy, besides };
}

export interface Terms {
  readonly command: Command;
  readonly identity: Identity;
  /** The unconfirmed launch that is looked for. */
  readonly unconfirmed?: State | undefined;
  /** Watches the lists for the settle time, and says why. Left out: reads them once. */
  readonly why?: string;
  /** Whether a list will do that was read within the last seconds. */
  readonly freshness?: Freshness;
}

/** A decision after which there is nothing left to watch. */
export type Outcome = Exclude<Decision, { do: "watch" | "end" }> & {
  readonly unreadable?: Report | undefined;
  /** The campaigns that were deleted or paused. */
  readonly ended: readonly Listed[];
};

export function search(terms: Terms, deployment: Deployment): Promise<Outcome> {
  const { clock, log, service, launches, settings } = deployment;
  const { command, identity, unconfirmed, why } = terms;
  const { key, policy, readBy } = identity;
  // A refresh only looks. Before the first launch under a new key, a list that was just read shows all that matters.
  const isNew = command === "launch" && launches.of(key).history === "new";
  const { freshness = isNew || command === "refresh" ? "recent" : "fresh" } = terms;
  const ended: Listed[] = [];
  let hasEnded = false;
  let isWatching = false;
  const milliseconds = why === undefined ? 0 : settings.launchSettleSeconds * 1000;
  return watch(clock, milliseconds, async (isTimeLeft) => {
    for (;;) {
      const { found, unreadable, isKept } = await look(identity, deployment, freshness);
      const isSameCredential = service.endpoints.isEvidence("campaign.list", readBy);
      const isAccountedFor = hasEnded || (command === "remove" && isKept === true);
      // After the read: the service's clock is known by then.
      const isInQuarantine = unconfirmed !== undefined && isQuarantined(unconfirmed, deployment);
      const about = { command, policy, found, isTimeLeft, isSameCredential, isAccountedFor };
      const decision = decide({ ...about, isQuarantined: isInQuarantine });
      if (decision.do === "watch") {
        if (!isWatching && why !== undefined) log(`${why} Watching the campaign list for ${asSeconds(milliseconds)}.`);
        isWatching = true;
        return undefined;
      }
      if (decision.do !== "end") return { ...decision, unreadable, ended };
      for (const orphan of decision.campaigns) await deleteOrPauseOrphan(orphan, identity, deployment);
      ended.push(...decision.campaigns);
      // Another launch of the key says nothing about an unconfirmed one.
      hasEnded ||= command === "remove" || (found !== "unreadable" && found.launch.length > 0);
    }
  });
}

interface Look {
  readonly found: Found | "unreadable";
  readonly unreadable?: Report;
  /** A campaign of the key is in the state. */
  readonly isKept?: boolean;
}

async function look(identity: Identity, deployment: Deployment, freshness: Freshness): Promise<Look> {
  try {
    const lists = await Promise.all(
      identity.apps.map(async (appId): Promise<Listed[]> => {
        return liveIn(appId, await readCampaigns(appId, deployment, freshness));
      }),
    );
    const campaigns = lists.flat();
    const isKept = campaigns.some((one) => keyIn(one.row.campaign_name) === identity.key && isInState(one, deployment));
    return { found: sort(campaigns, identity, deployment), isKept };
  } catch (error) {
    if (isInterruption(deployment.clock, error)) throw error;
    return { found: "unreadable", unreadable: { what: "", ...unreadableList(error, deployment) } };
  }
}

/** The campaigns of an app's list that nobody removed. */
export function liveIn(appId: string, rows: readonly ListedCampaign[]): Listed[] {
  return rows.filter((row) => !isRemoved(row)).map((row) => ({ appId, row }));
}

/** The other live campaigns of a key, in every app that its intent has had. */
export async function findOthers(
  identity: Identity,
  deployment: Deployment,
): Promise<{ others: readonly Listed[]; unreadable?: Report | undefined }> {
  const { found, unreadable } = await look(identity, deployment, "recent");
  return { others: found === "unreadable" ? [] : [...found.launch, ...found.orphans], unreadable };
}

/** Sorts live campaigns by their names. No campaign that another resource manages, or that this command ended, is an orphan. */
export function sort(campaigns: readonly Listed[], identity: Identity, deployment: Deployment): Found {
  const { key, declared, besides } = identity;
  const others = campaigns.filter(({ row }) => row.id !== besides);
  const ours = others
    .filter(({ row }) => keyIn(row.campaign_name) === key)
    .filter((one) => !isDeclared(one, deployment));
  const isLaunch = ({ appId, row }: Listed): boolean =>
    appId === declared?.appId && row.campaign_name.endsWith(endingOfLaunch(declared, key));
  // Pulumi creates what it kept where an option or a killed replacement asks for that.
  const isKept = besides === undefined && deployment.launches.of(key).history === "kept";
  const isOwn = (one: Listed): boolean => isKept && isInState(one, deployment);
  const isFree = (one: Listed): boolean => !isSeen(one, deployment);
  return {
    launch: ours.filter((one) => isLaunch(one) && (isFree(one) || isOwn(one))),
    orphans: ours.filter((one) => !isLaunch(one) && isFree(one)),
    replaced: ours.filter((one) => isReplaced(one, deployment) || (isOwn(one) && !isLaunch(one))),
    namesakes: declared === undefined ? [] : others.filter((one) => isNamesake(one, declared, key, deployment)),
  };
}

/** In the state, or deleted or paused by this command. */
function isSeen(campaign: Listed, { ledger }: Deployment): boolean {
  return ledger.fateOf(objectOf(campaign)) !== undefined;
}

function isInState(campaign: Listed, deployment: Deployment): boolean {
  return isSeen(campaign, deployment) && deployment.ledger.fateOf(objectOf(campaign)) !== "ended";
}

function isReplaced(campaign: Listed, { ledger }: Deployment): boolean {
  return ledger.fateOf(objectOf(campaign)) === "replaced";
}

/** Whether the program adopts the campaign by its id, or reads it with `get`. */
function isDeclared(campaign: Listed, { ledger }: Deployment): boolean {
  const object = objectOf(campaign);
  return ledger.readersOf(object).size > 0 || ledger.declaredBy(object) !== undefined;
}

/** Another live campaign of the declared name, with or without the ending of a launch. */
function isNamesake(campaign: Listed, { appId, campaignName }: Inputs, key: string, deployment: Deployment): boolean {
  const { campaign_name: name } = campaign.row;
  const isOfName = normalizedName(baseName(name)) === normalizedName(campaignName);
  const known = deployment.ledger.fateOf(objectOf(campaign));
  // A campaign of the key that the program reads or adopts elsewhere is nobody's orphan, and no reason to launch another.
  const isOther = keyIn(name) !== key || (isDeclared(campaign, deployment) && known === undefined);
  return campaign.appId === appId && isOfName && isOther && known !== "ended";
}

function objectOf({ appId, row }: Listed): string {
  return identifiedName({ appId, campaignId: row.id });
}
