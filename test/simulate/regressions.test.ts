import assert from "node:assert/strict";
import { play } from "../../tools/simulate/play";
import { describePlayed } from "../../tools/simulate/report";
import type { Command, Declaration, Schedule } from "../../tools/simulate/schedule";

/* Schedules that once broke a promise, each in the order of events that many draws of latency bring about. */

const up: Command = { stack: 0, kind: "up without preview", begins: 0, faults: [], crash: undefined };

function campaigns(...names: string[]): Declaration[] {
  return names.map((campaignName, index) => ({
    resource: `campaign-${String(index + 1)}`,
    appId: "app-1",
    campaignName,
    dailyBudgetMicros: 1_000_000,
  }));
}

async function assertKept(schedule: Omit<Schedule, "chance" | "settleSeconds" | "quarantineSeconds">): Promise<void> {
  for (let chance = 1; chance <= 50; chance++) {
    const played = await play({ chance, settleSeconds: 30, quarantineSeconds: 900, ...schedule });
    assert.equal(played.broken, undefined, describePlayed(played));
  }
}

describe("A schedule that once broke a promise", () => {
  it("two campaigns that swap names: none takes over what the other is just deleting", () =>
    assertKept({
      programs: [{ campaigns: campaigns("Spring sale", "Summer sale"), isChained: false }],
      steps: [
        { is: "run", commands: [up] },
        { is: "edit", edit: { stack: 0, which: 0, change: "swap names with the next" } },
      ],
    }));
});
