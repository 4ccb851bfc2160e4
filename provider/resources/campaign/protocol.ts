import type { Known, Sighting } from "./listing";

/*
 * Launching money, once: every decision of the protocol, and nothing else. Pure: time, answers and lists come in as
 * events. The numbers are the steps of "Launching money, once" in docs/launch-safety.md.
 */

/** What is wanted of a campaign whose launch is not confirmed. */
export type Intent = "up" | "refresh" | "destroy";

export interface Terms {
  intent: Intent;
  settleMilliseconds: number;
  quarantineMilliseconds: number;
}

/** A launch that was sent and not confirmed. */
export interface Attempt {
  /** When it ended with its outcome open, in milliseconds since the epoch. */
  at: number;
  /** The ids of live campaigns of its name that were there before it, set aside to make room for it. */
  setAside: string[];
}

/** Where a launch stands. The driver does what a phase asks for and comes back with an event. */
export type Phase =
  /** 1. The list is to be read, after a wait; nothing of this campaign is under way. */
  | { is: "looking"; try: number; wait: number }
  /** 3. The launch is to be posted, once. */
  | { is: "launching"; try: number }
  /** 4. The outcome is uncertain: the list is to be watched, after a wait, until it shows the campaign. */
  | { is: "settling"; attempt: Attempt; until: number; wait: number; cause: string }
  /** 5. An earlier command left an unconfirmed launch: the list is to be read. */
  | { is: "reviewing"; attempt: Attempt }
  | End;

export type End =
  /** The declared campaign is this one. */
  | { is: "running"; campaign: Known; how: "launched" | "found" | "settled" | "confirmed" }
  /** Nothing was launched, and no launch is open. */
  | { is: "not-launched"; why: string }
  /**
   * A launch may or may not have been carried out. Until `quarantinedUntil` none may follow. `isShownAbsent`: a complete
   * list was read, and has nothing of its name.
   */
  | { is: "unconfirmed"; attempt: Attempt; quarantinedUntil: number; isShownAbsent: boolean; why: string }
  /** A launch that was never seen is given up. */
  | { is: "forgotten" };

export type Event =
  | { is: "listed"; at: number; sighting: Sighting }
  | { is: "unreadable"; at: number; why: string }
  | { is: "launched"; campaign: Known }
  /** The service said no, or the request never left and is not worth another try. */
  | { is: "refused"; why: string }
  /** Nothing was done: the rate limit, or the request never left. Worth another try after a wait. */
  | { is: "postponed"; wait: number }
  | { is: "uncertain"; at: number; setAside: string[]; why: string };

const ways = "To take one over, declare its id as campaignId; or choose another campaignName.";

/** Waits between two looks at the list while a launch settles. */
const firstWait = 1_000;
const longestWait = 5_000;

export function begin(attempt: Attempt | undefined): Phase {
  return attempt === undefined ? { is: "looking", try: 1, wait: 0 } : { is: "reviewing", attempt };
}

export function isEnd(phase: Phase): phase is End {
  return ["running", "not-launched", "unconfirmed", "forgotten"].includes(phase.is);
}

export function next(phase: Exclude<Phase, End>, event: Event, terms: Terms): Phase {
  switch (phase.is) {
    case "looking":
      return afterLooking(phase, event);
    case "launching":
      return afterLaunching(phase, event, terms);
    case "settling":
      return afterSettling(phase, event, terms);
    case "reviewing":
      return afterReviewing(phase, event, terms);
  }
}

type At<Is extends Phase["is"]> = Extract<Phase, { is: Is }>;

/** 1 and 2: only a complete list that does not show the campaign lets it be launched. */
function afterLooking({ try: number }: At<"looking">, event: Event): Phase {
  if (event.is === "unreadable") return { is: "not-launched", why: event.why };
  if (event.is !== "listed") return unexpected("looking", event);
  switch (event.sighting.seen) {
    case "nothing":
      return { is: "launching", try: number };
    case "it":
      return { is: "running", campaign: event.sighting.campaign, how: "found" };
    case "doubt":
      return { is: "not-launched", why: `${doubts(event.sighting)} ${ways}` };
  }
}

/** 3: posted exactly once. Another try, where nothing was done, starts again at step 1. */
function afterLaunching({ try: number }: At<"launching">, event: Event, terms: Terms): Phase {
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
        attempt: { at: event.at, setAside: event.setAside },
        until: event.at + terms.settleMilliseconds,
        wait: 0,
        cause: event.why,
      };
    case "listed":
    case "unreadable":
      return unexpected("launching", event);
  }
}

/** 4: never posted again; watched until the time is over, then given up as unconfirmed. */
function afterSettling(phase: At<"settling">, event: Event, terms: Terms): Phase {
  if (event.is !== "listed" && event.is !== "unreadable") return unexpected("settling", event);
  if (event.is === "listed" && event.sighting.seen === "it")
    return { is: "running", campaign: event.sighting.campaign, how: "settled" };
  const left = phase.until - event.at;
  if (left <= 0) return unconfirmed(phase.attempt, event, terms, `${phase.cause} ${outcome(event)}`);
  const wait = Math.min(phase.wait === 0 ? firstWait : phase.wait * 2, longestWait, left);
  return { ...phase, wait };
}

/** 5: the list first; without the campaign in it, nothing is posted before the quarantine is over. */
function afterReviewing({ attempt }: At<"reviewing">, event: Event, terms: Terms): Phase {
  if (event.is !== "listed" && event.is !== "unreadable") return unexpected("reviewing", event);
  if (event.is === "listed" && event.sighting.seen === "it")
    return { is: "running", campaign: event.sighting.campaign, how: "confirmed" };
  const isOver = event.at >= attempt.at + terms.quarantineMilliseconds;
  if (!isShownAbsent(event) || !isOver || terms.intent === "refresh")
    return unconfirmed(attempt, event, terms, outcome(event));
  return terms.intent === "up" ? { is: "launching", try: 1 } : { is: "forgotten" };
}

/** What a look at the list brings. */
type Look = Extract<Event, { is: "listed" | "unreadable" }>;

function unconfirmed(attempt: Attempt, look: Look, { quarantineMilliseconds }: Terms, why: string): Phase {
  const quarantinedUntil = attempt.at + quarantineMilliseconds;
  return { is: "unconfirmed", attempt, quarantinedUntil, isShownAbsent: isShownAbsent(look), why };
}

function isShownAbsent(look: Look): boolean {
  return look.is === "listed" && look.sighting.seen === "nothing";
}

function outcome(event: Look): string {
  if (event.is === "unreadable") return `The list of campaigns could not be read: ${event.why}`;
  return event.sighting.seen === "doubt" ? doubts(event.sighting) : "A complete list of campaigns does not show it.";
}

function doubts({ campaigns, why }: Extract<Sighting, { seen: "doubt" }>): string {
  const isOne = campaigns.length === 1;
  return `${isOne ? "A live campaign has" : `${String(campaigns.length)} live campaigns have`} this name: ${why}.`;
}

function unexpected(phase: string, event: Event): never {
  throw new Error(`A launch that is ${phase} cannot be told "${event.is}".`);
}
