import { ProviderError, type Report } from "../../service/errors";
import type { MessageCode } from "../../service/message-codes";
import type { Deployment } from "../shared/deployment";
import { earlierToken } from "../shared/evidence";
import { deletionPolicyOf } from "../shared/ownership";
import { showUrns, stateDelete } from "../shared/state-delete";
import { type Confirmed, describeCampaign, type Inputs, type State } from "./campaign";
import type { Unreadable } from "./campaign-list";
import type { Listed } from "./classify";
import type { LaunchDecision } from "./decide";
import { timesOf } from "./quarantine";

/* Messages about launches. The first line says what is true about money, then comes what is known, then what to do. */

export const targetBoth =
  "With --target, give the URNs of the campaign and of its LaunchIntent. Both must have the same provider.";

export const notListed = "A complete campaign list does not show it.";

const upFirst = "run `pulumi up` first, with the campaign in the program. It takes the campaign over, or launches it.";

/** The list was read with another token, or by another path, than the intent was written with. */
export const credentialChanged = {
  known: ["The token, or the path of campaign.list, has changed since. Then an empty list proves nothing."],
  next: [earlierToken, `Or ${upFirst}`],
};

/** Commands with other tokens may have launched it too. */
export const severalCredentials = {
  known: [
    "Commands with several tokens, or several paths of campaign.list, have used its launch intent. One list proves nothing for another.",
  ],
  next: [
    `Look for it with each of them. Or ${upFirst}`,
    "Or run `pulumi refresh`. If the list shows any campaign of this intent, removed ones too, it is proof from then on.",
  ],
};

export const runAgain = "Run the same command again.";

/** Complete commands that take a campaign and its intent out of the state. */
export function waysToForget(condition = "nothing of yours was launched"): string {
  return `If you are sure that ${condition}: ${stateDelete}, for the AdCampaign if the state has it, then for its LaunchIntent. ${showUrns}`;
}

export function notLaunched(
  declared: Inputs,
  known: readonly string[],
  next: readonly string[],
  code: MessageCode = "WA1220",
): ProviderError {
  return new ProviderError({ code, what: `No campaign was launched: ${describeCampaign(declared)}.`, known, next });
}

/** The failed decision about a launch, and why a list could not be read. */
type LaunchFailure = Extract<LaunchDecision, { do: "fail" }> & { readonly unreadable?: Unreadable | undefined };

/** An error that says what the lists show against a launch. */
export function whyNotLaunched(
  declared: Inputs,
  { because, campaigns, unreadable }: LaunchFailure,
  mayBeLive = false,
): ProviderError {
  const ids = campaigns.map(({ row }) => `${row.id} (${row.status}, "${row.campaign_name}")`);
  const places = campaigns.map(({ appId, row }) => `${row.id} of app ${appId}`);
  const adopt = `declare campaignId: "${campaigns[0]?.row.id ?? ""}" with its own values.`;
  switch (because) {
    case "namesake":
      return notLaunched(
        declared,
        [
          `Another campaign of this name is live: ${ids.join(", ")}. It has another key, or none: another stack launched it, or this one before it was renamed, paused, retained or lost. Or the program reads it with get.`,
        ],
        [
          `To manage it here, unless another stack does: ${adopt}`,
          "If this resource was renamed: give the old name in the option aliases.",
          "To launch another one beside it: choose another campaignName.",
        ],
        "WA1221",
      );
    case "orphan":
      return new ProviderError({
        code: "WA1203",
        what: `MONEY MAY BE MOVING: ${places.join(", ")} was launched by this resource and is not in the state. Nothing else was launched.`,
        known: ['The deletionPolicy "retain" neither deletes nor pauses it.'],
        next: [
          `To keep it: ${adopt}`,
          'To delete it and launch the declared campaign: set deletionPolicy to "delete".',
        ],
      });
    case "replaced":
      return notLaunched(
        declared,
        [`The campaign that it replaces is still live: ${places.join(", ")}. Pulumi did not delete it first.`],
        [
          "Take the options retainOnDelete and deleteBeforeReplace out of the program, or undo the change.",
          `To keep the old campaign: ${adopt}`,
        ],
        "WA1222",
      );
    case "unreadable":
      if (!mayBeLive) return notLaunched(declared, unreadable?.known ?? [], unreadable?.next ?? [], "WA1223");
      return new ProviderError({
        code: "WA1202",
        what: `MONEY MAY BE MOVING: an earlier command may have launched ${describeCampaign(declared)}. This command launched nothing.`,
        known: unreadable?.known ?? [],
        next: [runAgain, ...(unreadable?.next ?? []), waysToForget()],
      });
    case "unconfirmed":
      return notLaunched(declared, [notListed], []);
  }
}

/** A launch that may or may not have been carried out. */
export function unconfirmedLaunch(
  state: State,
  deployment: Deployment,
  command: "up" | "destroy",
  known: readonly string[],
  next: readonly string[] = [],
): Report {
  const { sentBefore, quarantinedUntil, now } = timesOf(state, deployment);
  const isOver = now >= quarantinedUntil;
  const name = `"${state.launchedName ?? state.campaignName}"`;
  // An `up` shows this too before it settles the launch: it must not ask for another one.
  const anUp = isOver ? "`pulumi up`" : `Run \`pulumi up\` after ${iso(quarantinedUntil)}. It`;
  const when = isOver ? "again" : `after ${iso(quarantinedUntil)}`;
  const removal = state.deletionPolicy === "retain" ? "leaves it running" : "deletes or pauses it";
  const quarantine = isOver
    ? `The quarantine ended at ${iso(quarantinedUntil)}.`
    : `Nothing is launched again before ${iso(quarantinedUntil)}, when the quarantine ends (workspace-apps:launchQuarantineSeconds).`;
  return {
    code: "WA1201",
    what: `MONEY MAY BE MOVING: ${describeCampaign(state)} may be live; its launch, sent before ${iso(sentBefore)}, is not confirmed.`,
    known: [...known, quarantine],
    next: [
      ...new Set([
        command === "up"
          ? `${anUp} takes the campaign over if the list shows it, and launches it otherwise.`
          : `Run the same command ${when}. It ${removal} if the list shows it, and forgets it otherwise.`,
        command === "up"
          ? `To stop it now: delete ${name} in the service, then remove it from the program. Or pause it there, then declare paused: true.`
          : `To stop it now: pause or delete ${name} in the service.`,
        ...next,
      ]),
    ],
  };
}

/** For what may have been launched without a state that shows it. */
export function mayBeLive(
  apps: readonly string[],
  why: string,
  { known = [], next = [] }: Partial<Report>,
): ProviderError {
  return new ProviderError({
    code: "WA1202",
    what: `MONEY MAY BE MOVING: an earlier command may have launched a campaign of ${appList(apps)}. ${why}`,
    known,
    next: [...next, runAgain, waysToForget()],
  });
}

export function appList(apps: readonly string[]): string {
  return `${apps.length === 1 ? "app" : "apps"} ${apps.join(", ")}`;
}

export function refusesChange(state: State, deployment: Deployment): Report {
  const { quarantinedUntil } = timesOf(state, deployment);
  return {
    code: "WA1230",
    what: `Its launch is not confirmed, so it is not replaced before ${iso(quarantinedUntil)}, when the quarantine ends.`,
    next: ["Run `pulumi refresh`. If the list shows the campaign, it can be replaced then.", "Or undo the change."],
  };
}

export function held(state: Confirmed): string {
  const what = describeCampaign(state);
  const why =
    state.origin === "adopted"
      ? `The ${what} is paused, and nobody knows by whom. If the service holds it, it starts by itself when conversion tracking verifies.`
      : `The service holds the ${what}: it is paused until conversion tracking verifies, and then starts by itself.`;
  return `${why} To start it now: set paused: true, run \`pulumi up\`, then set paused: false.`;
}

export function duplicatesFound(state: Confirmed): Report {
  const policy = deletionPolicyOf(state);
  const ids = state.duplicates?.join(", ") ?? "";
  return {
    code: "WA1204",
    what: `MONEY MAY BE MOVING TWICE: ${ids} of app ${state.appId} was launched by this resource beside ${state.campaignId}.`,
    known: ["A launch of an earlier command was carried out late."],
    next: [
      policy === "retain"
        ? `The deletionPolicy "retain" keeps both. Delete ${ids} in the service, or set deletionPolicy to "delete" and run \`pulumi up\`.`
        : `Run \`pulumi up\`. It ${policy === "pause" ? "pauses" : "deletes"} ${ids} and keeps ${state.campaignId}.`,
    ],
  };
}

export function idsOf(campaigns: readonly Listed[]): string {
  return campaigns.map(({ row }) => row.id).join(", ");
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
