import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SavedCase } from "../../tools/simulate/save";
import type { Fault } from "../../tools/simulate/faults";
import { type Played, play } from "../../tools/simulate/play";
import { describePlayed } from "../../tools/simulate/report";
import type { Command, Declaration, Edit, Program, Step } from "../../tools/simulate/schedule";

/* Schedules that once broke a guarantee, each run with many latencies. */

const up: Command = { stack: 0, kind: "up without preview", begins: 0, faults: [], crash: undefined };

function campaigns(...names: string[]): Declaration[] {
  return names.map((campaignName, index) => ({
    resource: `campaign-${String(index + 1)}`,
    appId: "app-1",
    campaignName,
    dailyBudgetMicros: (index + 1) * 1_000_000,
  }));
}

function edit(change: Edit["change"]): Step {
  return { is: "edit", edit: { stack: 0, which: 0, change } };
}

/** Runs it with many latencies. */
async function assertKept(program: Program, ...steps: Step[]): Promise<Played[]> {
  const draws: Played[] = [];
  for (let chance = 1; chance <= 50; chance++) {
    const schedule = { chance, settleSeconds: 30, quarantineSeconds: 900, programs: [program], steps };
    const played = await play(schedule);
    assert.equal(played.broken, undefined, describePlayed(played));
    draws.push(played);
  }
  return draws;
}

/** The smallest schedules that a run of fresh seeds found, as `npm run simulate -- --save` writes them. */
const cases = join(__dirname, "cases");

describe("A schedule that once broke a guarantee:", () => {
  for (const file of readdirSync(cases)) {
    const { title, schedule } = JSON.parse(readFileSync(join(cases, file), "utf8")) as SavedCase;
    it(title, async () => {
      const played = await play(schedule);
      assert.equal(played.broken, undefined, describePlayed(played));
    });
  }

  it("two campaigns that swap names: neither adopts what the other is deleting", async () => {
    const equal = campaigns("Spring sale", "Summer sale").map((campaign) => ({
      ...campaign,
      dailyBudgetMicros: 50_000,
    }));
    await assertKept(
      { campaigns: equal, isChained: false },
      { is: "run", commands: [up] },
      edit("swap names with the next"),
    );
  });

  it("an unconfirmed launch whose name now belongs to another resource: the old resource can be deleted", async () => {
    const unconfirmed: Fault = {
      operation: "campaign.launch",
      nth: 2,
      times: 1,
      carriedOut: "never",
      then: "409",
    };
    await assertKept(
      { campaigns: campaigns("Spring sale", "Summer sale"), isChained: true },
      { is: "run", commands: [{ ...up, faults: [unconfirmed] }] },
      edit("swap names with the next"),
      { is: "wait", seconds: 901 },
      { is: "run", commands: [up] },
    );
  });

  it("a campaign that another resource adopts by its id is not deleted to make room", async () => {
    const draws = await assertKept(
      { campaigns: campaigns("Spring sale", "Summer sale"), isChained: false },
      { is: "run", commands: [up] },
      edit("swap names with the next"),
      edit("declare its id"),
      edit({ dailyBudgetMicros: 2_000_000 }),
      { is: "run", commands: [up] },
    );
    for (const { entries } of draws) {
      const adopted = entries.find(({ post }) => post?.campaign.includes("Summer"))?.post?.campaignId;
      const changed = entries.filter(({ run }) => run.number === 2).map(({ parameters }) => parameters["campaign_id"]);
      assert.equal(changed.includes(adopted), false);
    }
  });

  it("a campaign that is declared by its own id and changed is not deleted to make room for itself", async () => {
    const draws = await assertKept(
      { campaigns: campaigns("Spring sale"), isChained: false },
      { is: "run", commands: [up] },
      edit("declare its id"),
      edit({ businessName: "Shop" }),
      { is: "run", commands: [up] },
    );
    for (const { entries } of draws)
      assert.deepEqual(
        entries.filter(({ run }) => run.number === 2),
        [],
      );
  });
});
