import assert from "node:assert/strict";
import fc from "fast-check";
import type { ListedCampaign, Match } from "../../provider/resources/ad-campaign/campaign-list";
import {
  begin,
  type Command,
  type End,
  type Event,
  isEnd,
  type ListRead,
  next,
  nextSearch,
  type Phase,
  quarantineLeft,
  type Reason,
  type Search,
  type Terms,
} from "../../provider/resources/ad-campaign/protocol";
import type { Moment } from "../../provider/service/clock";

type Open = Exclude<Phase, End>;

const live: ListedCampaign = { id: "cmp_1", campaign_name: "Spring sale", status: "ENABLED" };
const nothing: Match = { is: "none" };
const found: Match = { is: "one", campaign: live };
const doubt: Match = { is: "unclear", campaigns: [live], why: "cmp_1 (ENABLED)" };
const several: Match = { is: "unclear", campaigns: [live, { ...live, id: "cmp_2" }], why: "both" };

const terms: Terms = { command: "up", settleMilliseconds: 30_000, quarantineMilliseconds: 900_000 };
/** Why a launch timed out, and what to do about it. */
const timedOut: Reason = { known: ["It timed out."], next: ["Look there."] };
const attempt = { at: 1_000_000, setAside: ["cmp_0"] };
const quarantinedUntil = 1_900_000;

const looking: Open = { is: "looking", try: 2, wait: 500 };
const watching: Open = { is: "watching", until: 1_040_000, wait: 0 };
const launching: Open = { is: "launching", try: 2 };
const settling: Open = { is: "settling", attempt, until: 1_040_000, wait: 0, cause: timedOut };
const reviewing: Open = { is: "reviewing", attempt, until: 1_040_000, wait: 0 };
/** After the quarantine. */
const late: Open = { ...reviewing, until: 1_930_000 };

type Answered = Extract<Event, { is: "launched" | "refused" | "postponed" | "uncertain" }>;

const listed = (match: Match, at = 1_010_000): ListRead => ({ is: "listed", at, match });
const noList: Reason = { known: ["The campaign list could not be read."], next: ["Set its path."] };
const unreadable = (at = 1_010_000): ListRead => ({ is: "unreadable", at, why: noList });
const launched: Answered = { is: "launched", campaign: { id: "cmp_1" } };
const no: Reason = { known: ["no"], next: ["Fix it."] };
const refused: Answered = { is: "refused", why: no };
const postponed: Answered = { is: "postponed", wait: 700 };
const uncertain: Answered = {
  is: "uncertain",
  at: 1_020_000,
  serviceAt: 8_220_000,
  setAside: ["cmp_0"],
  why: timedOut,
};
const events = { listed: listed(nothing), unreadable: unreadable(), launched, refused, postponed, uncertain };

const absent: Reason = { known: ["A complete campaign list does not show it."] };
const doubted: Reason = { known: ["A live campaign has this name: cmp_1 (ENABLED)."] };
const waysOut = [
  "If one of them is yours, declare its id as campaignId.",
  "If the resource was renamed, give its old name in the option aliases.",
  "If none is yours: run `pulumi state delete` with the URN of the LaunchIntent (`pulumi stack --show-urns`), so that no later command takes one for yours. Then choose another campaignName, or delete what nobody needs in the service.",
];
/** `reasons`: first why the launch is uncertain, then what the list shows. */
const unconfirmed = (reasons: Reason[], isShownAbsent = false): End => ({
  is: "unconfirmed",
  attempt,
  quarantinedUntil,
  isShownAbsent,
  why: { known: reasons.flatMap(({ known }) => known), next: reasons.flatMap(({ next = [] }) => next) },
});

/** Phase, event and next phase. Every other pair is a bug of the driver. */
const table: [string, Open, Event, Phase][] = [
  ["1: with an unreadable list launches nothing", looking, unreadable(), { is: "not-launched", why: noList }],
  ["1: with a list without the campaign launches it", looking, listed(nothing), { is: "launching", try: 2 }],
  ["2: with a list that shows the campaign", looking, listed(found), { is: "running", campaign: live, how: "found" }],
  ["2: with a list in doubt", looking, listed(doubt), { is: "not-launched", why: { ...doubted, next: waysOut } }],
  [
    "2: with a list that shows several",
    looking,
    listed(several),
    {
      is: "not-launched",
      why: { known: ["2 live campaigns have this name: both."], next: waysOut },
    },
  ],
  ["1: watches on while time is left", watching, listed(nothing), { ...watching, wait: 1_000 }],
  ["1: waits double", { ...watching, wait: 2_000 }, listed(nothing), { ...watching, wait: 4_000 }],
  ["1: launches when the time is over", watching, listed(nothing, 1_040_000), { is: "launching", try: 1 }],
  ["1: watched, unreadable: launches nothing", watching, unreadable(), { is: "not-launched", why: noList }],
  ["2: watched, now shown", watching, listed(found), { is: "running", campaign: live, how: "found" }],
  ["2: watched, in doubt", watching, listed(doubt), { is: "not-launched", why: { ...doubted, next: waysOut } }],
  ["3: launched", launching, launched, { is: "running", campaign: { id: "cmp_1" }, how: "launched" }],
  ["3: refused", launching, refused, { is: "not-launched", why: no }],
  ["3: not carried out: back to step 1", launching, postponed, { is: "looking", try: 3, wait: 700 }],
  [
    "4: uncertain: watched and quarantined from then on, with the excluded campaigns",
    launching,
    uncertain,
    {
      is: "settling",
      attempt: { at: 1_020_000, serviceAt: 8_220_000, setAside: ["cmp_0"] },
      until: 1_050_000,
      wait: 0,
      cause: timedOut,
    },
  ],
  ["4: now shown", settling, listed(found), { is: "running", campaign: live, how: "settled" }],
  ["4: shown at the last look", settling, listed(found, 1_040_000), { is: "running", campaign: live, how: "settled" }],
  ["4: not shown yet", settling, listed(nothing), { ...settling, wait: 1_000 }],
  ["4: in doubt", settling, listed(doubt), { ...settling, wait: 1_000 }],
  ["4: unreadable for now", settling, unreadable(), { ...settling, wait: 1_000 }],
  ["4: waits double", { ...settling, wait: 2_000 }, listed(nothing), { ...settling, wait: 4_000 }],
  ["4: up to five seconds", { ...settling, wait: 4_000 }, listed(nothing), { ...settling, wait: 5_000 }],
  ["4: and not past the end", { ...settling, wait: 4_000 }, listed(nothing, 1_039_999), { ...settling, wait: 1 }],
  ["4: over, not shown", settling, listed(nothing, 1_040_000), unconfirmed([timedOut, absent], true)],
  ["4: over, unreadable", settling, unreadable(1_040_001), unconfirmed([timedOut, noList])],
  ["4: over, in doubt", settling, listed(doubt, 1_040_000), unconfirmed([timedOut, doubted])],
  ["5: now shown", reviewing, listed(found), { is: "running", campaign: live, how: "confirmed" }],
  ["5: not shown during the quarantine", reviewing, listed(nothing, 1_899_999), unconfirmed([absent], true)],
  ["5: not shown after it", late, listed(nothing, 1_900_000), { ...late, wait: 1_000 }],
  ["5: watched after it, waits double", { ...late, wait: 1_000 }, listed(nothing, 1_901_000), { ...late, wait: 2_000 }],
  ["5: watched to the end", { ...late, wait: 5_000 }, listed(nothing, 1_930_000), { is: "launching", try: 1 }],
  ["5: watched, now shown", late, listed(found, 1_905_000), { is: "running", campaign: live, how: "confirmed" }],
  ["5: watched, in doubt", late, listed(doubt, 1_905_000), unconfirmed([doubted])],
  ["5: watched, unreadable", late, unreadable(1_905_000), unconfirmed([noList])],
  ["5: unreadable during the quarantine", reviewing, unreadable(), unconfirmed([noList])],
  ["5: unreadable after it", reviewing, unreadable(2_000_000), unconfirmed([noList])],
  ["5: in doubt during the quarantine", reviewing, listed(doubt), unconfirmed([doubted])],
  ["5: in doubt after it", reviewing, listed(doubt, 2_000_000), unconfirmed([doubted])],
];

describe("The launch protocol", () => {
  it("begins with a look at the list, a watch after a dead command, or the review of an earlier attempt", () => {
    assert.deepEqual(begin(undefined, false, 1_040_000), { is: "looking", try: 1, wait: 0 });
    assert.deepEqual(begin(undefined, true, 1_040_000), watching);
    for (const mayRun of [true, false]) assert.deepEqual(begin(attempt, mayRun, 1_040_000), reviewing);
  });

  for (const [what, phase, event, then] of table)
    it(`step ${what}`, () => {
      assert.deepEqual(next(phase, event, terms), then);
    });

  it("accepts no other event in any phase", () => {
    for (const phase of [looking, watching, launching, settling, reviewing]) {
      const taken = table.filter(([, of]) => of.is === phase.is).map(([, , event]) => event.is);
      for (const event of Object.values(events).filter(({ is }) => !taken.includes(is)))
        assert.throws(() => next(phase, event, terms), {
          message: `internal error: a launch that is ${phase.is} got the event "${event.is}"`,
        });
    }
  });

  describe("when an intent leaves without its campaign", () => {
    const searching = { is: "searching" as const, until: 1_040_000, wait: 0 };
    const later: [string, ListRead, Search][] = [
      ["finds the campaign of a dead command", listed(found), { is: "found", campaign: live }],
      ["searches on while the list shows nothing", listed(nothing), { ...searching, wait: 1_000 }],
      ["searches on while the list is in doubt", listed(doubt), { ...searching, wait: 1_000 }],
      ["searches on while the list is unreadable", unreadable(), { ...searching, wait: 1_000 }],
      ["is done when the time is over and nothing is shown", listed(nothing, 1_040_000), { is: "nothing-found" }],
      [
        "leaves a list in doubt to a person when the time is over",
        listed(doubt, 1_040_000),
        { is: "undecided", campaigns: [live], why: doubted },
      ],
      [
        "leaves an unreadable list to a person when the time is over",
        unreadable(1_040_000),
        { is: "undecided", campaigns: [], why: noList },
      ],
    ];
    for (const [what, read, then] of later)
      it(what, () => {
        assert.deepEqual(nextSearch(searching, read), then);
      });
  });

  describe("for an unconfirmed launch", () => {
    const after = listed(nothing, 1_900_000);
    it("forgets it at destroy only after the quarantine and when a complete list does not show it", () => {
      const destroy: Terms = { ...terms, command: "destroy" };
      assert.deepEqual(next(late, after, destroy), { ...late, wait: 1_000 });
      assert.deepEqual(next(late, listed(nothing, 1_930_000), destroy), { is: "forgotten" });
      assert.deepEqual(next(reviewing, listed(nothing), destroy), unconfirmed([absent], true));
      assert.deepEqual(next(reviewing, listed(doubt, 2_000_000), destroy), unconfirmed([doubted]));
      assert.deepEqual(next(reviewing, unreadable(2_000_000), destroy), unconfirmed([noList]));
      assert.equal(next(reviewing, listed(found), destroy).is, "running");
    });

    it("neither launches nor forgets at refresh", () => {
      const refresh: Terms = { ...terms, command: "refresh" };
      assert.deepEqual(next(reviewing, after, refresh), unconfirmed([absent], true));
      assert.deepEqual(next(reviewing, listed(nothing), refresh), unconfirmed([absent], true));
      assert.equal(next(reviewing, listed(found), refresh).is, "running");
    });
  });

  it("counts the quarantine by the clock that says longer", () => {
    const left = (now: Moment, serviceAt?: number): number =>
      quarantineLeft({ ...attempt, serviceAt }, now, terms.quarantineMilliseconds);
    assert.equal(left({ at: 1_100_000 }), 800_000, "only this machine's clock is known");
    assert.equal(left({ at: 1_100_000, serviceAt: 9_000_000 }, 8_900_000), 800_000);
    assert.equal(left({ at: 1_100_000, serviceAt: 9_000_000 }, 8_000_000), 800_000, "the service's clock jumped");
    assert.equal(left({ at: 9_000_000, serviceAt: 8_100_000 }, 8_000_000), 799_000, "this machine's was behind");
    assert.equal(left({ at: 9_000_000 }, 8_900_000), 799_000, "the service sends no date any more");
  });

  it("recognizes its final phases", () => {
    for (const phase of [looking, launching, settling, reviewing]) assert.equal(isEnd(phase), false);
    for (const is of ["running", "not-launched", "unconfirmed", "forgotten"]) assert.equal(isEnd({ is } as End), true);
  });

  describe("in any sequence of events", () => {
    const match = fc.constantFrom(nothing, found, doubt, several);
    /** The events that a phase can lead to, and how much time passes. */
    interface Happening {
      passes: number;
      look: Match | "unreadable";
      answer: Answered;
    }
    const happenings = fc.array(
      fc.record<Happening>({
        passes: fc.oneof(fc.nat(5_000), fc.nat(1_200_000)),
        look: fc.oneof(match, fc.constant("unreadable" as const)),
        answer: fc.constantFrom(launched, refused, postponed, uncertain),
      }),
      { minLength: 1, maxLength: 40 },
    );
    const commands = fc.constantFrom<Command>("up", "refresh", "destroy");
    const earlier = fc.option(fc.constant(attempt), { nil: undefined });

    /** Every step of a run: the phase, its event, and the next phase. */
    interface Step {
      phase: Open;
      event: Event;
      then: Phase;
    }
    function run(command: Command, from: typeof attempt | undefined, happens: Happening[]): Step[] {
      const steps: Step[] = [];
      let now = attempt.at;
      let phase = begin(command === "up" ? from : attempt, false, now);
      for (const { passes, look, answer } of happens) {
        if (isEnd(phase)) break;
        now += passes;
        const event: Event =
          phase.is === "launching"
            ? answer.is === "uncertain"
              ? { ...answer, at: now }
              : answer
            : look === "unreadable"
              ? unreadable(now)
              : listed(look, now);
        const then = next(phase, event, { ...terms, command });
        steps.push({ phase, event, then });
        phase = then;
      }
      return steps;
    }
    const always = (holds: (steps: Step[], command: Command) => void): void => {
      fc.assert(
        fc.property(commands, earlier, happenings, (command, from, happens) => {
          holds(run(command, from, happens), command);
        }),
        { numRuns: 3_000 },
      );
    };

    it("launches only right after a list that shows no campaign of the name", () => {
      always((steps) => {
        for (const { phase, event, then } of steps)
          if (then.is === "launching") {
            assert.ok(phase.is === "looking" || phase.is === "reviewing");
            assert.ok(event.is === "listed" && event.match.is === "none");
          }
      });
    });

    it("never launches after an uncertain response, nor during the quarantine of an earlier one", () => {
      always((steps) => {
        const uncertainAt = steps.findIndex(({ event }) => event.is === "uncertain");
        if (uncertainAt >= 0) assert.ok(steps.slice(uncertainAt).every(({ then }) => then.is !== "launching"));
        for (const { phase, event, then } of steps)
          if (phase.is === "reviewing" && then.is === "launching")
            assert.ok(event.is === "listed" && event.at >= quarantinedUntil);
      });
    });

    it("never launches or forgets at refresh, and never launches at destroy", () => {
      always((steps, command) => {
        const reached = steps.map(({ then }) => then.is);
        if (command !== "up") assert.ok(!reached.includes("launching"));
        if (command !== "destroy") assert.ok(!reached.includes("forgotten"));
      });
    });

    it("says that nothing was launched only when no launch is uncertain", () => {
      always((steps) => {
        const last = steps.at(-1);
        if (last?.then.is !== "not-launched") return;
        assert.ok(steps.every(({ event }) => event.is !== "uncertain" && event.is !== "launched"));
      });
    });

    it("abandons an uncertain launch only when its time is over, and stores that time", () => {
      always((steps) => {
        const open = steps.find(({ event }) => event.is === "uncertain")?.event;
        const last = steps.at(-1);
        if (open?.is !== "uncertain" || last?.then.is !== "unconfirmed") return;
        assert.equal(last.then.attempt.at, open.at);
        assert.ok("at" in last.event && last.event.at >= open.at + terms.settleMilliseconds);
      });
    });

    it("adopts a campaign only when the launch returned it, or a list shows it beyond doubt", () => {
      always((steps) => {
        for (const { event, then } of steps)
          if (then.is === "running")
            assert.ok(event.is === "launched" || (event.is === "listed" && event.match.is === "one"));
      });
    });
  });
});
