import { Hidden, known, mayDiffer, type Values } from "../../review/hidden-values";
import { listed, type Phrase, phrase, shown, words } from "../../review/phrase";
import type { Finding, KindReview, ReviewContext } from "../../review/kind-review";
import { listedArguments } from "./campaign-list";
import { sameArgument } from "./identity";

export const adCampaignReview: KindReview = {
  object,
  spends: true,

  created: (change, { daily, mayExist, namesake }) => {
    const { action, after, reasons } = change;
    const { paused } = after;
    const launched = phrase`a campaign of app ${shown(after["appId"])} is launched`;
    const spends = paused === true ? words(" and then paused") : phrase` with ${daily(after)}`;
    const place = action === "replace" ? words(" in its place") : words("");
    const why = reasons.length === 0 ? words("") : phrase` (changed: ${listed(reasons)})`;
    const resumed = paused === undefined || paused === true ? "" : ", and resumed if it is paused";
    const earlier = mayExist(change)
      ? words(
          `, unless it runs already: an earlier command may have launched it. The campaign list is watched first, and a live one is adopted${resumed}`,
        )
      : words("");
    const other = namesake(change);
    const refused =
      other === undefined
        ? words("")
        : phrase`. \`pulumi up\` refuses that while ${object(other.before)}, managed by ${other.name}, has the same name and is live. After a rename, use the option \`aliases\``;
    return [{ category: "launch", text: phrase`${launched}${place}${why}${spends}${earlier}${refused}` }];
  },

  contradicting: (found, after) =>
    ([...listedArguments, "paused"] as const).filter((key) => {
      const [there, declared] = [known(found[key]), known(after[key])];
      if (there === undefined || declared === undefined) return false;
      return key === "paused" ? there !== declared : !sameArgument(key, there, declared);
    }),
  updated: ({ before, after }, { daily }) => changed(before, after, daily),
  // As with `--target` of another resource, and at a refresh.
  unchanged: ({ before }, { daily }) =>
    isUnconfirmed(before)
      ? [
          {
            category: "launch",
            text: phrase`${unconfirmed(before, daily)}. This plan does not touch it: run \`pulumi up\` to resolve it`,
          },
        ]
      : [],

  deleted({ before }, policy, { daily }): Finding {
    const spends = isPaused(before) ? words("stays paused") : phrase`goes on spending ${daily(before)}`;
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: phrase`${object(before)} ${spends}, outside this stack` };
      case "pause":
        return { category: "left-behind", text: phrase`${object(before)} is paused` };
      default:
        return {
          category: "permanent-delete",
          text: mayBeUnconfirmed(before)
            ? phrase`the launch of ${object(before)} is not confirmed: destroy looks for it, and deletes it permanently if it is found`
            : phrase`${object(before)} is deleted permanently; its past performance stays listed`,
        };
    }
  },

  calls: {
    create: () => ["campaign.readiness"],
    update: (before, { paused }) =>
      mayBeUnconfirmed(before)
        ? ["campaign.list", "campaign.readiness", "campaign.launch", ...switching(undefined, paused)]
        : switching(before["paused"], paused),
    delete(policy, before) {
      const search = mayBeUnconfirmed(before) ? (["campaign.list"] as const) : [];
      if (policy === "retain") return search;
      return [...search, policy === "pause" ? "campaign.pause" : "campaign.delete"];
    },
  },
};

/** A campaign that an earlier command may have launched without saving it, and that nothing declares any more. */
export function interruptedLaunch(values: Values, policy: string, { daily, isWhole }: ReviewContext): Finding {
  const ends: Record<string, string> = { delete: "is deleted permanently", pause: "is paused" };
  const outcome = ends[policy] ?? "goes on spending outside this stack";
  const unless = isWhole
    ? ""
    : ". Nothing is ended where the campaign is in state, which a plan with --show-sames tells";
  return {
    category: policy === "delete" ? "permanent-delete" : "left-behind",
    text: phrase`an earlier command may have launched campaign ${shown(values["campaignName"])} of app ${shown(values["appId"])} (${daily(values)}) without saving it. It is looked for, and if it is found, it ${words(outcome)}${words(unless)}`,
  };
}

function changed(before: Values, after: Values, daily: ReviewContext["daily"]): Finding[] {
  // A known id tells which campaign it was.
  const mayBeLaunched = mayBeUnconfirmed(before) && known(after["campaignId"]) === undefined;
  const resumed = isUnconfirmed(before) ? undefined : resuming(before["paused"], after["paused"]);
  return [
    ...(mayBeLaunched
      ? [
          {
            category: "launch",
            text: phrase`${unconfirmed(after, daily)}. \`pulumi up\` looks for it first, and launches it once more only after its quarantine`,
          } as const,
        ]
      : []),
    ...(resumed === undefined
      ? []
      : [{ category: "spend", text: phrase`${object(before)} ${words(resumed)} with ${daily(after)}` } as const]),
  ];
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

/** A campaign whose `paused` is not declared counts as running. */
export function isPaused(values: Values): boolean {
  return values["paused"] === true;
}

function object(values: Values): Phrase {
  const id = known(values["campaignId"]) === undefined ? values["campaignName"] : values["campaignId"];
  return phrase`campaign ${shown(id)} of app ${shown(values["appId"])}`;
}

/** Everything but a first pause reads the list. */
function switching(before: unknown, after: unknown) {
  if (after === undefined || !mayDiffer(before, after)) return [];
  const isFirstPause = after === true && !(before instanceof Hidden);
  return [
    ...(isFirstPause ? [] : (["campaign.list"] as const)),
    ...(after === false ? [] : (["campaign.pause"] as const)),
    ...(after === true ? [] : (["campaign.resume"] as const)),
  ];
}

/** How it begins to spend; undefined when it does not. The service may have paused a campaign whose `paused` is not declared. */
function resuming(before: unknown, after: unknown): string | undefined {
  if (after === true || after === undefined || !mayDiffer(before, after)) return undefined;
  return after === false && before === true ? "is resumed" : "may be resumed";
}
