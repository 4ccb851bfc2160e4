import { isRemoved, type ListedCampaign } from "../../service/campaigns";
import type { Deployment } from "../shared/deployment";
import { type DeletionPolicy, identifiedName, type Inputs } from "./campaign";
import { baseName, endingOfLaunch, keyIn, normalizedName } from "./campaign-name";

/* The only place that decides whose campaign it is: by its name, and by what this command knows of it. */

/** The key of a launch intent, with everything that decides about its campaigns. */
export interface LaunchKey {
  readonly key: string;
  /** The declared campaign; undefined for an intent that is removed from the stack. */
  readonly declared?: Inputs;
  /** Every app in which a campaign of the key may be. */
  readonly apps: readonly string[];
  readonly policy: DeletionPolicy;
  /** The credential and the list with which it was written. */
  readonly readBy: string;
  /** The campaign of the key that the state has, or that is about to be replaced. */
  readonly besides?: string | undefined;
}

/** A live campaign, and the app whose list shows it. */
export interface Listed {
  readonly appId: string;
  readonly row: ListedCampaign;
}

/** The campaigns of a complete list, without those that other resources manage or that this command deleted or paused. */
export interface Classified {
  /** This launch: key and hash are in the name. */
  readonly launch: readonly Listed[];
  /** Other launches under the same key. No resource has them in its state, so they are orphans. */
  readonly orphans: readonly Listed[];
  /** Campaigns of the key that Pulumi replaces, and that nobody has deleted. */
  readonly replaced: readonly Listed[];
  /** Campaigns of the same name without the key: never touched. */
  readonly namesakes: readonly Listed[];
}

/** The campaigns of an app's list that nobody removed. */
export function liveIn(appId: string, rows: readonly ListedCampaign[]): Listed[] {
  return rows.filter((row) => !isRemoved(row)).map((row) => ({ appId, row }));
}

/** No campaign that another resource manages, or that this command deleted or paused, is an orphan. */
export function classify(campaigns: readonly Listed[], launchKey: LaunchKey, deployment: Deployment): Classified {
  const { key, declared, besides } = launchKey;
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

export function isInState(campaign: Listed, deployment: Deployment): boolean {
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
