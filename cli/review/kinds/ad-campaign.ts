import { Hidden, known, mayBeSet, type Values } from "../hidden-values";
import { listed, type Phrase, phrase, shown, words } from "../phrase";
import type { Finding, KindReview, ReviewContext } from "../kind-review";
import { listedArguments } from "../../../provider/resources/ad-campaign/campaign-list";
import { launchArguments, sameArgument } from "../../../provider/resources/ad-campaign/campaign-name";

export const adCampaignReview: KindReview = {
  object,
  spends: true,

  created: (change, { daily }) => {
    const { action, after, reasons, isPendingReplacement } = change;
    const launched = phrase`a campaign of app ${shown(after["appId"])} is launched`;
    const spends = after["paused"] === true ? words(" and then paused") : phrase` with ${daily(after)}`;
    const place = action === "replace" ? words(" in its place") : words("");
    const why = reasons.length === 0 ? words("") : phrase` (changed: ${listed(reasons)})`;
    // A new intent gets its key during the `up`. If the key is known, the intent is in the state.
    const mayBeLive = (action === "create" || isPendingReplacement) && known(after["launchIntent"]) !== undefined;
    if (!mayBeLive) return [{ category: "launch", text: phrase`${launched}${place}${why}${spends}` }];
    const unless = words(", unless an earlier command launched it: then that campaign is used");
    return [{ category: "launch", text: phrase`${launched}${place}${why}${spends}${unless}` }, ...otherLaunches(after)];
  },

  contradicting: (found, after) => [
    ...listedArguments.filter((key) => {
      const [there, declared] = [known(found[key]), known(after[key])];
      return there !== undefined && declared !== undefined && !sameArgument(key, there, declared);
    }),
    ...(contradictsPause(found["pausedBy"], after["paused"]) ? ["paused"] : []),
  ],
  updated: ({ before, after }, { daily }) => changed(before, after, daily),
  // As with `--target` of another resource, and at a refresh.
  unchanged: ({ before }, { daily }) => {
    const text = phrase`${unconfirmed(before, daily)}. This plan does not touch it: run \`pulumi up\` to resolve it`;
    return isUnconfirmed(before) ? [{ category: "launch", text }] : [];
  },

  deleted({ before }, policy, { daily }): Finding {
    if (mayBeUnconfirmed(before)) return removedUnconfirmed(before, policy, daily);
    const spends = isPausedByUs(before)
      ? words("stays paused")
      : before["pausedBy"] === "service"
        ? phrase`spends ${daily(before)} as soon as conversion tracking verifies`
        : phrase`goes on spending ${daily(before)}`;
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: phrase`${object(before)} ${spends}, outside this stack` };
      case "pause":
        return { category: "left-behind", text: phrase`${object(before)} is paused` };
      default:
        return {
          category: "permanent-delete",
          text: phrase`${object(before)} is deleted permanently; its past performance stays listed`,
        };
    }
  },

  calls: {
    create: () => ["campaign.readiness"],
    adopt: ({ paused }) => (mayBeSet(paused) ? ["campaign.pause"] : []),
    update: (before, after) => [
      ...(mayBeUnconfirmed(before) ? (["campaign.list", "campaign.readiness", "campaign.launch"] as const) : []),
      ...(mayBeSet(after["paused"]) && !isPausedByUs(before) ? (["campaign.pause"] as const) : []),
      ...(resuming(before, after) === undefined ? [] : (["campaign.list", "campaign.resume"] as const)),
    ],
    delete(policy, before) {
      const search = mayBeUnconfirmed(before) ? (["campaign.list"] as const) : [];
      if (policy === "retain") return search;
      return [...search, policy === "pause" ? "campaign.pause" : "campaign.delete"];
    },
  },
};

/** The removal counts as the worst that it may do. */
function removedUnconfirmed(before: Values, policy: string, daily: ReviewContext["daily"]): Finding {
  const which = phrase`the launch of ${object(before)} is not confirmed. If the list shows it, it`;
  const goesOn = phrase`${which} goes on spending ${daily(before)}, outside this stack`;
  const { category, text } = ended(which, policy)[0] ?? { category: "left-behind", text: goesOn };
  return {
    category,
    text: phrase`${text}. Otherwise, the command fails until the quarantine ends, and then forgets it`,
  };
}

/** For an intent that is removed while no campaign of its key is in the state. */
export function interruptedLaunch({ apps }: Values, policy: string): Finding {
  const which = phrase`an earlier command may have launched a campaign of app ${all(apps)} without saving it. If one is found, it`;
  const goesOn = phrase`${which} goes on spending, outside this stack`;
  return ended(which, policy)[0] ?? { category: "left-behind", text: goesOn };
}

/** Other launches of the same intent, which `up` looks for. Under the policy `retain`, it refuses to launch beside one. */
function otherLaunches({ appId, deletionPolicy }: Values): Finding[] {
  const which = phrase`an earlier command may have launched it with other arguments. Such a campaign of app ${shown(appId)}`;
  return ended(which, deletionPolicy);
}

/** Campaigns of its key that a refresh found. */
function duplicates({ appId, duplicates: ids }: Values, { deletionPolicy }: Values): Finding[] {
  if (ids === undefined) return [];
  const which = phrase`campaign ${all(ids)} of app ${shown(appId)}, which was launched twice,`;
  return ended(which, deletionPolicy);
}

/** The effect of the policy on campaigns that nothing declares, if any. A hidden policy counts as the worst one. */
function ended(which: Phrase, policy: unknown): Finding[] {
  if (policy === "retain") return [];
  return policy === "pause"
    ? [{ category: "left-behind", text: phrase`${which} is paused` }]
    : [{ category: "permanent-delete", text: phrase`${which} is deleted permanently` }];
}

function all(values: unknown): Phrase {
  return Array.isArray(values) ? listed(values.map(shown)) : phrase`${shown(values)}`;
}

function changed(before: Values, after: Values, daily: ReviewContext["daily"]): Finding[] {
  // A known id tells which campaign it was.
  const mayBeLaunched = mayBeUnconfirmed(before) && known(after["campaignId"]) === undefined;
  const findings: Finding[] = [];
  const unknown = launchArguments.filter((name) => after[name] instanceof Hidden && !(before[name] instanceof Hidden));
  if (mayBeLaunched) {
    const text = phrase`${unconfirmed(after, daily)}. \`pulumi up\` looks for it first, and launches it once more only after its quarantine`;
    findings.push({ category: "launch", text }, ...otherLaunches(after));
  } else if (unknown.length > 0) {
    const text = phrase`${object(before)} is deleted permanently, and another one is launched with ${daily(after)}, if ${listed(unknown)} changes, which is not known yet`;
    findings.push({ category: "permanent-delete", text });
  }
  findings.push(...duplicates(before, after));
  const resumed = resuming(before, after);
  if (resumed !== undefined)
    findings.push({ category: "spend", text: phrase`${object(before)} ${words(resumed)} with ${daily(after)}` });
  return findings;
}

function unconfirmed(values: Values, daily: ReviewContext["daily"]): Phrase {
  return phrase`its launch is not confirmed, and money may be moving: ${daily(values)}`;
}

/** Whether its launch is not confirmed, or may not be. */
export function mayBeUnconfirmed({ launchState }: Values): boolean {
  return launchState === "unconfirmed" || launchState instanceof Hidden;
}

function isUnconfirmed({ launchState }: Values): boolean {
  return launchState === "unconfirmed";
}

/** Only a pause of this package that the service confirmed lasts. */
export function isPausedByUs({ pausedBy }: Values): boolean {
  return pausedBy === "us";
}

function object(values: Values): Phrase {
  const id = known(values["campaignId"]) === undefined ? values["campaignName"] : values["campaignId"];
  return phrase`campaign ${shown(id)} of app ${shown(values["appId"])}`;
}

/** Whether the service would show another status than a declared `paused`. One that it holds may start at any time. */
function contradictsPause(by: unknown, declared: unknown): boolean {
  if (declared === true) return by === undefined;
  return declared === false && (by === "us" || by === "other");
}

/** How `up` resumes it; undefined if it does not. One that the service holds starts by itself. */
function resuming(before: Values, after: Values): string | undefined {
  const { pausedBy: by } = before;
  const { paused, deletionPolicy } = after;
  if (isUnconfirmed(before) || by === undefined || by === "service" || paused === true) return undefined;
  // A pause of ours that was not confirmed may be undone, so that it does not stay for no reason.
  if (paused === undefined) return by === "unknown" && deletionPolicy === "pause" ? "may be resumed" : undefined;
  return paused === false && by !== "unknown" ? "is resumed" : "may be resumed";
}
