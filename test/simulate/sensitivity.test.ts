import assert from "node:assert/strict";
import * as lists from "../../provider/resources/ad-campaign/campaign-list";
import * as decisions from "../../provider/resources/ad-campaign/decide";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import * as switching from "../../provider/resources/ad-campaign/switch";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { play } from "../../tools/simulate/play";
import { describePlayed, describeSchedule } from "../../tools/simulate/report";
import { plainUp, type Schedule, type Step } from "../../tools/simulate/schedule";
import { isFailure, playSeed } from "../../tools/simulate/seeds";
import type { Lifecycles } from "../../tools/simulate/world";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

/** A launch is carried out, and its host killed before it is saved. */
const killed: Step = {
  is: "run",
  commands: [{ ...plainUp, crash: { at: "campaign.launch", nth: 1, point: "committed", what: "host" } }],
};

function scheduleOf(chance: number, ...steps: Step[]): Schedule {
  return {
    ...{ chance, quarantineSeconds: 90, isTrackingPending: false, isSecondTokenBlind: true, ending: "up", steps },
    maxAppDailyBudgetMicros: 6_000_000,
    program: [{ resource: "campaign-1", appId: "app-1", dailyBudgetMicros: 5_000_000 }],
  };
}

const late: Step = {
  is: "run",
  commands: [
    {
      ...plainUp,
      faults: [{ operation: "campaign.launch", nth: 1, times: 1, carriedOut: "late", then: "409" }],
      crash: { at: "campaign.launch", nth: 1, point: "committed", what: "host" },
    },
  ],
};
const removal: Step = { is: "edit", edit: { stack: 0, which: 0, change: "remove" } };
const slowList: Step = { is: "lag", launches: 20_000, changes: 0 };

const { decide } = decisions;
const { applyPaused } = switching;

type Campaign = Lifecycles["campaign"];

/** Changes what a decision is based on. */
function believing(change: (situation: decisions.Situation) => Partial<decisions.Situation>): () => void {
  return () => {
    Object.assign(decisions, {
      decide: (situation: decisions.Situation) => decide({ ...situation, ...change(situation) }),
    });
  };
}

/** Changes what a command knows when it creates or updates a campaign. */
function withDeployment(change: (deployment: Deployment) => Deployment): Partial<Lifecycles> {
  return {
    campaign: {
      ...adCampaignLifecycle,
      create: (inputs, step) => adCampaignLifecycle.create(inputs, { ...step, ...change(step) }),
      update: (state, inputs, step) => adCampaignLifecycle.update(state, inputs, { ...step, ...change(step) }),
    },
  };
}

/** Each breaks one rule, as other clients have done. */
const faults: {
  fault: string;
  reported: RegExp;
  patch?: () => void;
  changed?: Partial<Lifecycles>;
  /** Where random schedules rarely show it. */
  steps?: Step[];
}[] = [
  {
    fault: "takes a campaign over by its name alone",
    reported: /^\(a\) .* of another key/,
    patch: believing(({ found }) =>
      found === "unreadable" ? {} : { found: { ...found, launch: [...found.launch, ...found.namesakes] } },
    ),
  },
  {
    fault: "deletes namesakes as orphans",
    reported: /^\(a\) .* sends campaign\.(delete|pause)/,
    patch: believing(({ found }) =>
      found === "unreadable" ? {} : { found: { ...found, orphans: [...found.orphans, ...found.namesakes] } },
    ),
  },
  {
    fault: "launches beside a namesake",
    reported: /^\(c\) .* launches .* beside/,
    patch: believing(({ found }) => (found === "unreadable" ? {} : { found: { ...found, namesakes: [] } })),
  },
  {
    fault: "launches inside the quarantine",
    reported: /^\(c\) .* within the quarantine/,
    patch: believing(() => ({ isQuarantined: false })),
  },
  {
    fault: "believes another token's empty list",
    reported: /^\(b\) /,
    patch: believing(() => ({ isSameCredential: true })),
    steps: [killed, removal, { is: "run", commands: [{ ...plainUp, usesSecondToken: true }] }],
  },
  {
    fault: "does not watch the list after a command that died",
    reported: /^\(b\) /,
    patch: believing(({ purpose, isTimeLeft }) => ({ isTimeLeft: isTimeLeft && purpose !== "launch" })),
    steps: [slowList, killed, { is: "run", commands: [plainUp] }],
  },
  {
    fault: "stops an intent's watch at the first campaign",
    reported: /^\(b\) /,
    patch: () => {
      Object.assign(decisions, {
        decide: (situation: decisions.Situation): decisions.Decision =>
          situation.purpose === "remove" && situation.isAccountedFor ? { do: "done", left: [] } : decide(situation),
      });
    },
    // The first launch is carried out late, beside the second. The list shows the second one first.
    steps: [slowList, late, killed, { is: "wait", seconds: 10 }, removal, { is: "run", commands: [plainUp] }],
  },
  {
    fault: "removes an intent without a look at the list",
    reported: /^\(b\) /,
    changed: { intent: { ...launchIntentLifecycle, delete: () => Promise.resolve() } },
  },
  {
    fault: "launches again when an error hook repeats the create",
    reported: /^\(c\) .* (a second time|is uncertain, and is not saved)/,
    changed: {
      campaign: {
        ...adCampaignLifecycle,
        update: (state, inputs, deployment) => {
          const memory = deployment.launches.of(inputs.launchIntent ?? "");
          if (memory.sent === undefined) return adCampaignLifecycle.update(state, inputs, deployment);
          memory.sent = undefined;
          return adCampaignLifecycle.create(inputs, deployment);
        },
      },
    },
  },
  {
    fault: "fails without saving an uncertain launch",
    reported: /^\(c\) .* is not saved/,
    changed: {
      campaign: {
        ...adCampaignLifecycle,
        create: (...given: Parameters<Campaign["create"]>) =>
          adCampaignLifecycle.create(...given).catch((error: unknown) => {
            throw error instanceof PartialFailure ? new Error(error.message) : error;
          }),
      },
    },
  },
  {
    fault: "believes the list's PAUSED",
    reported: /^\(e\) /,
    patch: () => {
      Object.assign(switching, {
        applyPaused: async (...[state, inputs, deployment]: Parameters<typeof applyPaused>) => {
          const row = lists.findById(await lists.readCampaigns(state.appId, deployment, "fresh"), state.campaignId);
          const isListed = row !== undefined && lists.isPaused(row) === true && inputs.paused === true;
          return isListed ? { ...state, paused: true, pausedBy: "us" } : applyPaused(state, inputs, deployment);
        },
      });
    },
  },
  {
    fault: "knows no limit of an app's budgets",
    reported: /^\(f\) /,
    changed: withDeployment((deployment) => ({
      ...deployment,
      settings: { ...deployment.settings, maxAppDailyBudgetMicros: undefined },
    })),
    steps: [
      { is: "run", commands: [plainUp] },
      { is: "edit", edit: { stack: 1, which: 0, change: { campaignName: "Summer sale" } } },
      { is: "run", commands: [{ ...plainUp, stack: 1 }] },
    ],
  },
  {
    fault: "deletes nothing",
    reported: /^\([bcd]\) /,
    changed: { campaign: { ...adCampaignLifecycle, delete: () => Promise.resolve() } },
  },
  {
    fault: "hangs",
    reported: /Hangs/,
    changed: { campaign: { ...adCampaignLifecycle, read: () => new Promise(() => undefined) } },
  },
];

describe("The simulation", () => {
  afterEach(() => {
    Object.assign(decisions, { decide });
    Object.assign(switching, { applyPaused });
  });

  for (const { fault, reported, patch, changed, steps } of faults)
    it(`reports a package that ${fault}`, async () => {
      const played = async (chance: number): Promise<string | undefined> =>
        steps === undefined
          ? (await playSeed(chance, changed, false)).drawn.played.broken?.rule
          : (await play(scheduleOf(chance, ...steps), changed)).broken?.rule;
      patch?.();
      let rule: string | undefined;
      for (let chance = 1; rule === undefined && chance <= 300; chance++) rule = await played(chance);
      assert.match(rule ?? "No schedule showed it.", reported);
    });

  it("breaks no promise with the schedules that show these faults", async () => {
    for (const { steps } of faults)
      for (let chance = 1; steps !== undefined && chance <= 20; chance++) {
        const played = await play(scheduleOf(chance, ...steps));
        assert.equal(played.broken, undefined, describePlayed(played));
      }
  });

  it("shortens a schedule that breaks a promise, and describes it", async () => {
    const deletesNothing = { ...adCampaignLifecycle, delete: () => Promise.resolve() };
    let failure = await playSeed(1, { campaign: deletesNothing });
    for (let seed = 2; !isFailure(failure); seed++) failure = await playSeed(seed, { campaign: deletesNothing });
    const { drawn, shrunk } = failure;
    assert.ok(shrunk.schedule.steps.length < drawn.schedule.steps.length);
    assert.match(describePlayed(shrunk.played), /^Broken in step \d+: /);
    assert.match(describeSchedule(shrunk.schedule), /\n\d+\. the service is fair/);
  });
});
