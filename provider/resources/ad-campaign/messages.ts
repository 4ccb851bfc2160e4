import type { ListedCampaign } from "../../service/campaigns";
import type { Report } from "../../service/errors";
import type { Confirmed, Inputs, State } from "./campaign";
import { describeCampaign, identifiedName } from "./campaign";
import type { Listed } from "./decide";

/* Messages about launches. The first line says what is true about money, then comes what is known, then what to do. */

const findUrns = "`pulumi stack --show-urns` shows the URNs.";

export const targetBoth =
  "With --target, give the URNs of the campaign and of its LaunchIntent. Both must have the same provider.";

export const notListed = "A complete campaign list does not show it.";

/** The token that read the list is another one than the intent was written with. */
export const credentialChanged = {
  known: ["The token has changed since. With another token, an empty list proves nothing."],
  next: [
    "Run the same command with the earlier token.",
    "Or run `pulumi up` first, with the campaign in the program. It takes the campaign over, or launches it.",
  ],
};

export function orphansLeft(orphans: readonly Listed[]): string {
  return `MONEY MAY BE MOVING TWICE: ${orphans.map(({ row }) => row.id).join(", ")} was launched by this resource too, and goes on by the deletionPolicy "retain".`;
}

/** Complete commands that take an intent out of the state. */
export function waysToForget(): string[] {
  return [`If nothing of yours was launched: \`pulumi state delete --force '<URN of the LaunchIntent>'\`. ${findUrns}`];
}

export function notLaunched(declared: Inputs, known: readonly string[], next: readonly string[]): Report {
  return { what: `No campaign was launched: ${describeCampaign(declared)}.`, known, next };
}

export function namesakesExist(declared: Inputs, namesakes: readonly Listed[]): Report {
  const ids = namesakes.map(({ row }) => `${row.id} (${row.status}, "${row.campaign_name}")`).join(", ");
  const first = namesakes[0]?.row.id ?? "";
  return notLaunched(
    declared,
    [
      `Another campaign of this name is live: ${ids}. It has another key, so this stack did not launch it, or lost its state.`,
    ],
    [
      `To manage it here: declare campaignId: "${first}" with its own values.`,
      "If this resource was renamed: give the old name in the option aliases.",
      "To launch another one beside it: choose another campaignName.",
    ],
  );
}

export function orphanRetained(orphans: readonly Listed[]): Report {
  const ids = orphans.map(({ row, appId }) => `${row.id} of app ${appId}`).join(", ");
  const first = orphans[0]?.row.id ?? "";
  return {
    what: `MONEY MAY BE MOVING: ${ids} was launched by this resource and is not in the state. Nothing else was launched.`,
    known: ['The deletionPolicy "retain" neither deletes nor pauses it.'],
    next: [
      `To keep it: declare campaignId: "${first}" with its own values.`,
      'To delete it and launch the declared campaign: set deletionPolicy to "delete".',
    ],
  };
}

/** A launch that may or may not have been carried out. */
export function unconfirmedLaunch(
  declared: Inputs,
  { sentBefore, quarantinedUntil, now }: { sentBefore: number; quarantinedUntil: number; now: number },
  command: "up" | "destroy",
  known: readonly string[],
  next: readonly string[] = [],
): Report {
  const isOver = now >= quarantinedUntil;
  const when = isOver ? "again" : `after ${iso(quarantinedUntil)}`;
  const removal = declared.deletionPolicy === "retain" ? "leaves it running" : "deletes or pauses it";
  return {
    what: `MONEY MAY BE MOVING: ${describeCampaign(declared)} may be live; its launch, sent before ${iso(sentBefore)}, is not confirmed.`,
    known: [
      ...known,
      ...(isOver
        ? [`The quarantine ended at ${iso(quarantinedUntil)}.`]
        : [
            `Nothing is launched again before ${iso(quarantinedUntil)}, when the quarantine ends (workspace-apps:launchQuarantineSeconds).`,
          ]),
    ],
    next: [
      ...new Set([
        command === "up"
          ? `Run \`pulumi up\` ${when}. It takes the campaign over if the list shows it, and launches it otherwise.`
          : `Run the same command ${when}. It ${removal} if the list shows it, and forgets it otherwise.`,
        "To stop it now: pause or delete it in the service.",
        ...next,
      ]),
    ],
  };
}

/** With another token, an empty list does not let a launch be forgotten. */
export function unconfirmedOfOtherToken(state: State): Report {
  return {
    what: `MONEY MAY BE MOVING: the launch of ${describeCampaign(state)} is not confirmed. Nothing was deleted or forgotten.`,
    known: [notListed, ...credentialChanged.known],
    next: [
      ...credentialChanged.next,
      `If nothing of yours was launched: \`pulumi state delete --force '<URN>'\`, for the AdCampaign and then for its LaunchIntent. ${findUrns}`,
    ],
  };
}

/** Said by a preview and a refresh of an unconfirmed launch. */
export function unconfirmedNote(state: State, quarantinedUntil: number, isAdopted: boolean): Report {
  return {
    what: `MONEY MAY BE MOVING: the launch of ${describeCampaign(state)} is not confirmed.`,
    known: isAdopted
      ? ["`pulumi up` adopts the campaign that the program declares."]
      : [
          "`pulumi up` reads the campaign list first, and takes the campaign over if the list shows it.",
          `Otherwise it launches nothing before ${iso(quarantinedUntil)}. After that it launches the campaign again.`,
        ],
  };
}

export function refusesChange(quarantinedUntil: number): Report {
  return {
    what: `Its launch is not confirmed, so it is not replaced before ${iso(quarantinedUntil)}, when the quarantine ends.`,
    next: ["Run `pulumi refresh`. If the list shows the campaign, it can be replaced then.", "Or undo the change."],
  };
}

/** `isOwn`: whether this command sent the launch. */
export function takenOver(declared: Inputs, { row }: Listed, isOwn: boolean): string {
  const what = isOwn ? "The launch of this command is confirmed" : "An earlier command launched it";
  return `${what}: the ${describeCampaign(declared)} is live as ${row.id} (${row.status}). Using it; nothing else is launched.`;
}

export function held(state: Confirmed): string {
  return `The service holds the ${describeCampaign(state)}: it is paused until conversion tracking verifies, and then starts by itself. To start it now: set paused: true, run \`pulumi up\`, then set paused: false.`;
}

export function endedOrphan(appId: string, row: ListedCampaign, policy: "delete" | "pause"): string {
  return `The ${identifiedName({ appId, campaignId: row.id })} ("${row.campaign_name}") was launched by this resource and is not in the state, so it was ${policy === "delete" ? "deleted" : "paused"}.`;
}

export function orphanNotEnded(
  appId: string,
  row: ListedCampaign,
  policy: "delete" | "pause",
  known: readonly string[],
  next: readonly string[],
): Report {
  return {
    what: `MONEY MAY BE MOVING: the ${identifiedName({ appId, campaignId: row.id })} was launched by this resource, is not in the state, and was not ${policy === "delete" ? "deleted" : "paused"}.`,
    known,
    next: [...next, "Run the same command again."],
  };
}

export function duplicatesFound(state: Confirmed): Report {
  const { duplicates = [], deletionPolicy } = state;
  const ids = duplicates.join(", ");
  const removal = deletionPolicy === "pause" ? "pauses" : "deletes";
  return {
    what: `MONEY MAY BE MOVING TWICE: ${ids} of app ${state.appId} was launched by this resource beside ${state.campaignId}.`,
    known: ["A launch of an earlier command was carried out late."],
    next: [
      deletionPolicy === "retain"
        ? `The deletionPolicy "retain" keeps both. Delete ${ids} in the service, or set deletionPolicy to "delete" and run \`pulumi up\`.`
        : `Run \`pulumi up\`. It ${removal} ${ids} and keeps ${state.campaignId}.`,
    ],
  };
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
