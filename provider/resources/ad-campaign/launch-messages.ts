import { formatReport, type Report } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { attemptOf, type Confirmed, describeCampaign, type Inputs, type State } from "./campaign";
import { type Attempt, type Command, type End, quarantineLeft } from "./protocol";

/* What the person reads whose pipeline failed at a launch: may money be moving, what is known, what to do next. */

/** `ended`: the campaigns that this command has deleted or paused to launch this one in their place. */
export function notLaunched(
  declared: Inputs,
  { why }: Extract<End, { is: "not-launched" }>,
  ended: readonly string[],
  earlier?: State,
): Report {
  const attempted = earlier?.launchAttemptedAt ?? "an unknown time";
  return {
    what: `This command did not launch ${describeCampaign(declared)}.`,
    known: [
      ...why.known,
      ...ended.map((campaign) => `The ${campaign} was ended before, to launch this one in its place.`),
      ...(earlier === undefined ? [] : [`The launch that was attempted at ${attempted} is still unconfirmed.`]),
    ],
    next: why.next ?? [],
  };
}

export function unconfirmedLaunch(
  declared: Inputs,
  { attempt, quarantinedUntil, isShownAbsent, why }: Extract<End, { is: "unconfirmed" }>,
  now: number,
  command: Command,
): Report {
  const end = iso(quarantinedUntil);
  const isOver = now >= quarantinedUntil;
  const next = [
    nextCommand(command, isOver ? " again" : ` after ${end}`, declared),
    ...(command === "destroy"
      ? ["To stop it now: delete it in the service."]
      : [
          "If you see it in the service, declare its id as campaignId.",
          "To stop it now: pause or delete it in the service, and remove it from the program. Otherwise a later `pulumi up` launches it again.",
        ]),
    ...(why.next ?? []),
  ];
  return {
    what: mayBeLive(declared, attempt),
    known: [
      ...why.known,
      ...(isOver
        ? [`The quarantine ended at ${end}.`, afterQuarantine(isShownAbsent)]
        : [
            `Nothing is launched again before ${end}, when the quarantine ends (workspace-apps:launchQuarantineSeconds).`,
          ]),
    ],
    next: [...new Set(next)],
  };
}

/** Names other campaigns that earlier commands may have launched. */
export function alsoNaming(others: readonly string[], report: Report): Report {
  const lines = [...new Set(others)].map(
    (campaign) =>
      `An earlier, interrupted command may also have launched the ${campaign}. The next command that succeeds looks for it, unless one has done so already.`,
  );
  return { ...report, known: [...(report.known ?? []), ...lines] };
}

function mayBeLive(declared: Inputs, { at }: Attempt): string {
  return `MONEY MAY BE MOVING: ${describeCampaign(declared)} may be live; its launch, sent before ${iso(at)}, is not confirmed.`;
}

/** What an `up` does with an unconfirmed launch, for previews: the differences of the resource do not show it. */
export function unconfirmedNote(
  state: State,
  { campaignId }: Inputs,
  isReplaced: boolean,
  deployment: Deployment,
): string {
  const { clock, service, settings } = deployment;
  const attempt = attemptOf(state, deployment);
  const now = service.momentAt(clock.now());
  const left = quarantineLeft(attempt, now, settings.launchQuarantineSeconds * 1000);
  const quarantineEnd = iso(now.at + left);
  const [found, again] = isReplaced
    ? ["ends it by its deletionPolicy and launches the changed one", "launches the changed one"]
    : ["adopts it", "launches it once more"];
  const onlyIf = "and only if a complete list does not show it";
  const what = mayBeLive(state, attempt);
  if (campaignId !== undefined)
    return formatReport({ what, known: [`\`pulumi up\` adopts campaign ${campaignId}, which the program declares.`] });
  return formatReport({
    what,
    known: [
      `\`pulumi up\` reads the campaign list first. If the list shows the campaign, it ${found}.`,
      left <= 0
        ? `Otherwise it ${again}, ${onlyIf}: the quarantine ended at ${quarantineEnd}.`
        : `Otherwise it launches nothing until ${quarantineEnd}. After that it ${again}, ${onlyIf}.`,
    ],
  });
}

export function movingTwice(state: Confirmed, ids: readonly string[]): Report {
  const twins = ids.join(", ");
  return {
    what: `MONEY MAY BE MOVING TWICE: ${describeCampaign(state)} was launched, and ${twins} of the same name became live at the same time.`,
    known: [`Another pipeline may have launched ${twins}. This stack manages ${state.campaignId}.`],
    next: [
      "Delete the extra campaign in the service. Then run `pulumi up` again, which checks once more.",
      "If both must stay, give this one another campaignName. That replaces it.",
    ],
  };
}

/** What an earlier command left open about a campaign that is in state, for previews. */
export function confirmedNote(state: Confirmed): string | undefined {
  const { twins, pauseState } = state;
  if (twins !== undefined) return formatReport(movingTwice(state, twins));
  return pauseState === undefined
    ? undefined
    : formatReport({
        what: `MONEY MAY BE MOVING: it is not known whether ${describeCampaign(state)} is paused.`,
        known: ["`pulumi up` reads the campaign list, and then pauses or resumes it as declared."],
      });
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

function afterQuarantine(isShownAbsent: boolean): string {
  return isShownAbsent
    ? "The next `pulumi up` watches the list, and launches it again if it does not appear."
    : "Nothing is launched or forgotten before a complete list shows that no campaign has this name.";
}

function nextCommand(command: Command, when: string, { deletionPolicy }: Inputs): string {
  switch (command) {
    case "up":
      return `Run \`pulumi up\`${when}. It adopts the campaign if the list shows it, and launches it only if a complete list does not.`;
    case "refresh":
      return "Run `pulumi refresh` again. It adopts the campaign if the list shows it.";
    case "destroy":
      return `Run the same command${when}. It ${deletionPolicy === "retain" ? "leaves the campaign running" : "ends the campaign"} if the list shows it, and forgets it only if a complete list does not.`;
  }
}

/** What is said when the list shows the declared campaign. */
export function foundRunning(
  declared: Inputs,
  { campaign, how }: Extract<End, { is: "running" }>,
  isLeaving: boolean,
): string {
  const listed = `${campaign.id} (${campaign.status ?? "status unknown"})`;
  return how === "found"
    ? `The ${describeCampaign(declared)} already runs as ${listed}. It is adopted, and this command launches nothing.`
    : `The launch of ${describeCampaign(declared)} is confirmed: it runs as ${listed}.${isLeaving && declared.deletionPolicy !== "retain" ? " It is ended now, by its deletionPolicy." : ""}`;
}
