import type { Moment } from "../../service/clock";
import type { KnownCampaign, ListedCampaign, Match } from "./campaign-list";

/*
 * The states of a launch, and what leads from one to the next. Pure: time, responses and lists come in as events. Which
 * listed campaign is the declared one (step 2) is decided in campaign-list.ts. The numbers are the steps of the protocol in
 * docs/launch-safety.md.
 */

/** The command that deals with a campaign. */
export type Command = "up" | "refresh" | "destroy";

export interface Terms {
  command: Command;
  settleMilliseconds: number;
  quarantineMilliseconds: number;
}

/** A launch that was sent and not confirmed: when it ended with its outcome open. */
export interface Attempt extends Moment {
  /** Campaigns that commands ended before this launch: a slow list may still show them as live. */
  setAside: string[];
}

/** What is known, and what to do, in lines for the user. */
export interface Reason {
  known: readonly string[];
  next?: readonly string[];
}

/** Where a launch stands. The driver does what a phase asks for and comes back with an event. */
export type Phase =
  /** 1. Read the list, after a wait. No launch of this campaign is in progress. */
  | { is: "looking"; try: number; wait: number }
  /** 1. An earlier command may have launched it and died: watch the list before anything is launched. */
  | { is: "watching"; until: number; wait: number }
  /** 3. Post the launch, once. */
  | { is: "launching"; try: number }
  /** 4. The outcome is uncertain: watch the list until it shows the campaign. */
  | { is: "settling"; attempt: Attempt; until: number; wait: number; cause: Reason }
  /**
   * 5. An earlier command left an unconfirmed launch: read the list. After the quarantine a later command may have launched
   * it again and died: watch the list before it is launched or forgotten.
   */
  | { is: "reviewing"; attempt: Attempt; until: number; wait: number }
  | End;

export type End =
  /** The declared campaign is this one. */
  | { is: "running"; campaign: KnownCampaign; how: "launched" | "found" | "settled" | "confirmed" }
  /** This command launched nothing. An earlier launch may still be unconfirmed. */
  | { is: "not-launched"; why: Reason }
  /**
   * A launch may or may not have been carried out. None may follow before `quarantinedUntil`, by this machine's clock.
   * `isShownAbsent`: a complete list was read, and has no campaign of its name.
   */
  | { is: "unconfirmed"; attempt: Attempt; quarantinedUntil: number; isShownAbsent: boolean; why: Reason }
  /** A launch that was never seen is given up. */
  | { is: "forgotten" };

export type Event =
  | ({ is: "listed"; match: Match } & Moment)
  | ({ is: "unreadable"; why: Reason } & Moment)
  | { is: "launched"; campaign: KnownCampaign }
  /** The service said no, or the request was never sent and is not worth another try. */
  | { is: "refused"; why: Reason }
  /** Nothing was done: the rate limit, or the request was never sent. Worth another try after a wait. */
  | { is: "postponed"; wait: number }
  | ({ is: "uncertain"; setAside: string[]; why: Reason } & Moment)
  /** The command was interrupted, or its time is over. Nothing more is sent. */
  | ({ is: "interrupted"; why: Reason } & Moment);

const waysOut = [
  "If one of them is yours, declare its id as campaignId.",
  "If the resource was renamed, give its old name in the option aliases.",
  "If none is yours: run `pulumi state delete` with the URN of the LaunchIntent (`pulumi stack --show-urns`), so that no later command takes one for yours. Then choose another campaignName, or delete what nobody needs in the service.",
];

/** Waits between two reads of the list while a launch settles. */
const firstWait = 1_000;
const longestWait = 5_000;

/** `mayBeLive`: an earlier, interrupted command may have launched the campaign. Then the list is watched until `until`. */
export function begin(attempt: Attempt | undefined, mayBeLive: boolean, until: number): Phase {
  if (attempt !== undefined) return { is: "reviewing", attempt, until, wait: 0 };
  return mayBeLive ? { is: "watching", until, wait: 0 } : { is: "looking", try: 1, wait: 0 };
}

export function isEnd(phase: Phase): phase is End {
  return ["running", "not-launched", "unconfirmed", "forgotten"].includes(phase.is);
}

export function next(phase: Exclude<Phase, End>, event: Event, terms: Terms): Phase {
  if (event.is === "interrupted") return afterInterruption(phase, event, terms);
  switch (phase.is) {
    case "looking":
    case "watching":
      return afterLooking(phase, event);
    case "launching":
      return afterLaunching(phase, event, terms);
    case "settling":
      return afterSettling(phase, event, terms);
    case "reviewing":
      return afterReviewing(phase, event, terms);
  }
}

type PhaseThat<Is extends Phase["is"]> = Extract<Phase, { is: Is }>;
type EventThat<Is extends Event["is"]> = Extract<Event, { is: Is }>;

/** What was sent stays unconfirmed, exactly as after a lost response. */
function afterInterruption(phase: Exclude<Phase, End>, event: EventThat<"interrupted">, terms: Terms): Phase {
  const read: ListRead = { ...event, is: "unreadable" };
  switch (phase.is) {
    case "settling":
      return unconfirmed(phase.attempt, read, terms, phase.cause);
    case "reviewing":
      return unconfirmed(phase.attempt, read, terms);
    case "looking":
    case "watching":
    case "launching":
      return { is: "not-launched", why: event.why };
  }
}

/** 1 and 2: only a complete list that does not show the campaign lets it be launched. */
function afterLooking(phase: PhaseThat<"looking" | "watching">, event: Event): Phase {
  if (event.is === "unreadable") return { is: "not-launched", why: event.why };
  if (event.is !== "listed") return unexpected(phase.is, event);
  switch (event.match.is) {
    case "none":
      if (phase.is === "looking") return { is: "launching", try: phase.try };
      return keepWatching(phase, event) ?? { is: "launching", try: 1 };
    case "one":
      return { is: "running", campaign: event.match.campaign, how: "found" };
    case "unclear":
      return { is: "not-launched", why: { known: [describeSameName(event.match)], next: waysOut } };
  }
}

/** 3: posted exactly once. Another try, where nothing was done, starts again at step 1. */
function afterLaunching(
  { try: number }: PhaseThat<"launching">,
  event: Exclude<Event, { is: "interrupted" }>,
  terms: Terms,
): Phase {
  switch (event.is) {
    case "launched":
      return { is: "running", campaign: event.campaign, how: "launched" };
    case "refused":
      return { is: "not-launched", why: event.why };
    case "postponed":
      return { is: "looking", try: number + 1, wait: event.wait };
    case "uncertain":
      return {
        is: "settling",
        attempt: { at: event.at, serviceAt: event.serviceAt, setAside: event.setAside },
        until: event.at + terms.settleMilliseconds,
        wait: 0,
        cause: event.why,
      };
    case "listed":
    case "unreadable":
      return unexpected("launching", event);
  }
}

/** 4: never posted again. Watched until the time is over, then left as unconfirmed. */
function afterSettling(phase: PhaseThat<"settling">, event: Event, terms: Terms): Phase {
  if (event.is !== "listed" && event.is !== "unreadable") return unexpected("settling", event);
  if (event.is === "listed" && event.match.is === "one")
    return { is: "running", campaign: event.match.campaign, how: "settled" };
  return keepWatching(phase, event) ?? unconfirmed(phase.attempt, event, terms, phase.cause);
}

/** The same phase after a longer wait; undefined when its time is over. */
function keepWatching<Watch extends { until: number; wait: number }>(
  phase: Watch,
  { at }: ListRead,
): Watch | undefined {
  const left = phase.until - at;
  if (left <= 0) return undefined;
  return { ...phase, wait: Math.min(phase.wait === 0 ? firstWait : phase.wait * 2, longestWait, left) };
}

/** 5: the list first. Without the campaign in it, nothing is posted before the quarantine is over. */
function afterReviewing(phase: PhaseThat<"reviewing">, event: Event, terms: Terms): Phase {
  const { attempt } = phase;
  if (event.is !== "listed" && event.is !== "unreadable") return unexpected("reviewing", event);
  if (event.is === "listed" && event.match.is === "one")
    return { is: "running", campaign: event.match.campaign, how: "confirmed" };
  const isOver = quarantineLeft(attempt, event, terms.quarantineMilliseconds) <= 0;
  if (!isShownAbsent(event) || !isOver || terms.command === "refresh") return unconfirmed(attempt, event, terms);
  return keepWatching(phase, event) ?? (terms.command === "up" ? { is: "launching", try: 1 } : { is: "forgotten" });
}

/** A `Date` header counts whole seconds. That must not lengthen the quarantine. */
const wholeSecond = 1_000;

/**
 * How much is left of a quarantine: the longer of what the machines' clocks and the service's clock leave. The machine that
 * launched may have been hours behind, and a `Date` header may be missing, or wrong too.
 */
export function quarantineLeft(attempt: Attempt, now: Moment, quarantine: number): number {
  const passedByMachines = now.at - attempt.at;
  const passedByService = (now.serviceAt ?? now.at) - (attempt.serviceAt ?? attempt.at);
  return quarantine - Math.min(passedByMachines, passedByService + wholeSecond);
}

/** What a read of the list brings. */
export type ListRead = Extract<Event, { is: "listed" | "unreadable" }>;

function unconfirmed(attempt: Attempt, read: ListRead, terms: Terms, cause: Reason = { known: [] }): Phase {
  const seen = reasonIn(read);
  return {
    is: "unconfirmed",
    attempt,
    quarantinedUntil: read.at + quarantineLeft(attempt, read, terms.quarantineMilliseconds),
    isShownAbsent: isShownAbsent(read),
    why: { known: [...cause.known, ...seen.known], next: [...(cause.next ?? []), ...(seen.next ?? [])] },
  };
}

function isShownAbsent(read: ListRead): boolean {
  return read.is === "listed" && read.match.is === "none";
}

function reasonIn(read: ListRead): Reason {
  if (read.is === "unreadable") return read.why;
  return {
    known: [read.match.is === "unclear" ? describeSameName(read.match) : "A complete campaign list does not show it."],
  };
}

/*
 * Step 0, when an intent leaves the stack and the deletion of its campaign did not run: a dead command may have launched.
 */

/** Where the search for such a campaign stands. */
export type Search =
  | { is: "searching"; until: number; wait: number }
  | { is: "nothing-found" }
  /** A dead command launched this one. */
  | { is: "found"; campaign: ListedCampaign }
  /** For a person to decide. `campaigns`: the live ones of its name. */
  | { is: "undecided"; campaigns: readonly ListedCampaign[]; why: Reason };

export type SearchEnd = Exclude<Search, { is: "searching" }>;

/** Only time shows that a list has nothing more to show, and that what is in doubt stays so. */
export function nextSearch(search: Extract<Search, { is: "searching" }>, read: ListRead): Search {
  if (read.is === "listed" && read.match.is === "one") return { is: "found", campaign: read.match.campaign };
  const watched = keepWatching(search, read);
  if (watched !== undefined) return watched;
  if (isShownAbsent(read)) return { is: "nothing-found" };
  const campaigns = read.is === "listed" && read.match.is === "unclear" ? read.match.campaigns : [];
  return { is: "undecided", campaigns, why: reasonIn(read) };
}

function describeSameName({ campaigns, why }: Extract<Match, { is: "unclear" }>): string {
  const isOne = campaigns.length === 1;
  return `${isOne ? "A live campaign has" : `${String(campaigns.length)} live campaigns have`} this name: ${why}.`;
}

function unexpected(phase: string, event: Event): never {
  throw new Error(`internal error: a launch that is ${phase} got the event "${event.is}"`);
}
