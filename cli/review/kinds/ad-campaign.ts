import { type Declared, sameValue } from "../../../provider/resources/campaign/listing";
import { Hidden, known, type Values } from "../hidden";
import { listed, type Phrase, say, shown, words } from "../phrase";
import type { Context, Finding, Kind } from "./kind";

export const adCampaign: Kind = {
  identifiedBy: [
    ["campaignName", "appId"],
    ["campaignId", "appId"],
  ],
  adoptedBy: "campaignId",
  leftAlone: ["paused"],
  endsFirst: true,
  object,

  made: ({ action, after, reasons }, { daily }) => {
    const launched = say`a campaign of app ${shown(after["appId"])} is launched`;
    const spends = after["paused"] === true ? words(" and then paused") : say` with ${daily(after)}`;
    const why = action === "replace" ? say` in its place (changed: ${listed(reasons)})` : words("");
    return [{ category: "launch", text: say`${launched}${why}${spends}` }];
  },

  takenOver({ after }, found, { daily }) {
    if (found !== undefined) return changed(found, after, daily);
    if (after["paused"] !== false && !(after["paused"] instanceof Hidden)) return [];
    return [{ category: "spend", text: say`${object(after)} is resumed where it is paused, with ${daily(after)}` }];
  },
  contradicting: (found, after) =>
    (["campaignType", "dailyBudgetMicros", "landingPage", "geoTargets", "phoneNumber"] as const).filter((key) => {
      const [there, declared] = [known(found[key]), known(after[key])] as (Declared[typeof key] | undefined)[];
      return there !== undefined && declared !== undefined && !sameValue(key, there as never, declared as never);
    }),
  changed: ({ before, after }, { daily }) => changed(before, after, daily),
  // As with `--target` of another resource, and at a refresh.
  unchanged: ({ before }, { daily }) =>
    isUnconfirmed(before)
      ? [
          {
            category: "launch",
            text: say`${unconfirmed(before, daily)}. This plan leaves it as it is: \`pulumi up\` clears it up`,
          },
        ]
      : [],

  ended({ before }, policy, { daily }): Finding {
    const spends = isPaused(before) ? words("stays paused") : say`goes on spending ${daily(before)}`;
    switch (policy) {
      case "retain":
        return { category: "left-behind", text: say`${object(before)} ${spends}, outside this stack` };
      case "pause":
        return { category: "left-behind", text: say`${object(before)} is paused` };
      default:
        return {
          category: "permanent-delete",
          text: isUnconfirmed(before)
            ? say`the launch of ${object(before)} is not confirmed: it is looked for, and deleted for good where it is found`
            : say`${object(before)} stops for good; its past performance stays listed`,
        };
    }
  },

  calls: {
    make: ({ paused }) => [
      "campaign.list",
      "campaign.readiness",
      "campaign.launch",
      ...(paused === true ? (["campaign.pause"] as const) : []),
    ],
    adopt: ({ paused }) => ["campaign.list", ...switching(undefined, paused)],
    change: (before, { paused }) =>
      isUnconfirmed(before)
        ? ["campaign.list", "campaign.readiness", "campaign.launch", ...switching(undefined, paused)]
        : switching(before["paused"], paused),
    end(policy, before) {
      const search = isUnconfirmed(before) ? (["campaign.list"] as const) : [];
      if (policy === "retain") return search;
      return [...search, policy === "pause" ? "campaign.pause" : "campaign.delete"];
    },
  },
};

function changed(before: Values, after: Values, daily: Context["daily"]): Finding[] {
  if (isUnconfirmed(before))
    return [
      {
        category: "launch",
        text: say`${unconfirmed(after, daily)}. \`pulumi up\` looks for it first, and launches it once more only after its quarantine`,
      },
    ];
  const resumed = resuming(before["paused"], after["paused"]);
  return resumed === undefined
    ? []
    : [{ category: "spend", text: say`${object(before)} ${words(resumed)} with ${daily(after)}` }];
}

function unconfirmed(values: Values, daily: Context["daily"]): Phrase {
  return say`its launch is not confirmed, and money may be moving: ${daily(values)}`;
}

export function isUnconfirmed(before: Values): boolean {
  return before["launchState"] === "unconfirmed";
}

/** As far as it is known: one whose `paused` is left alone counts as running. */
export function isPaused(values: Values): boolean {
  return values["paused"] === true;
}

function object(values: Values): Phrase {
  const id = known(values["campaignId"]) === undefined ? values["campaignName"] : values["campaignId"];
  return say`campaign ${shown(id)} of app ${shown(values["appId"])}`;
}

/** Only a first pause needs no look at the list. */
function switching(before: unknown, after: unknown) {
  if (after === undefined || before === after) return [];
  if (after === true) return ["campaign.pause"] as const;
  return ["campaign.list", "campaign.resume"] as const;
}

/** Whether it begins to spend; undefined: no. What is left alone may have been paused by the service. */
function resuming(before: unknown, after: unknown): string | undefined {
  if (after === true || after === undefined || before === after) return undefined;
  return after === false && before === true ? "is resumed" : "may be resumed";
}
