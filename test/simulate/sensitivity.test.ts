import assert from "node:assert/strict";
import { PartialFailure } from "../../provider/resources/shared/lifecycle";
import type { Deployment } from "../../provider/resources/shared/deployment";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { objectName } from "../../provider/resources/ad-campaign/campaign";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { SharedReads } from "../../provider/service/shared-reads";
import type { Crash, Fault } from "../../tools/simulate/faults";
import { play } from "../../tools/simulate/play";
import type { Command, Schedule, Step } from "../../tools/simulate/schedule";
import { describePlayed, describeSchedule } from "../../tools/simulate/report";
import type { CampaignLifecycle, Lifecycles } from "../../tools/simulate/world";
import { firstFailure } from "./support";

/** Every list is empty, and none is read. */
class BlindReads extends SharedReads {
  override fresh<T>(): Promise<T> {
    return Promise.resolve([] as T);
  }
}

/** The lifecycle, with a changed deployment during `up`. */
function upWith(change: (deployment: Deployment) => Deployment): CampaignLifecycle {
  return {
    ...adCampaignLifecycle,
    create: (inputs, deployment) => adCampaignLifecycle.create(inputs, change(deployment)),
    update: (state, inputs, deployment) => adCampaignLifecycle.update(state, inputs, change(deployment)),
  };
}

/** Each breaks one rule of the protocol, as other clients have done. */
const broken: ({ fault: string; reported: RegExp } & Partial<Lifecycles>)[] = [
  {
    fault: "launches again after an uncertain response",
    campaign: {
      ...adCampaignLifecycle,
      create: (inputs, deployment) =>
        adCampaignLifecycle.create(inputs, deployment).catch((error: unknown) => {
          if (error instanceof PartialFailure) return adCampaignLifecycle.create(inputs, deployment);
          throw error;
        }),
    },
    reported: /^[13]\. /,
  },
  {
    fault: "launches without reading the list",
    campaign: upWith((deployment) => ({ ...deployment, reads: new BlindReads(deployment.clock) })),
    reported: /^2\. .* without a complete list/,
  },
  {
    fault: "has no quarantine",
    campaign: upWith((deployment) => ({
      ...deployment,
      settings: { ...deployment.settings, launchQuarantineSeconds: 0 },
    })),
    reported: /^3\. .* within the quarantine/,
  },
  {
    fault: "fails without saving an unconfirmed launch",
    campaign: {
      ...adCampaignLifecycle,
      create: (inputs, deployment) =>
        adCampaignLifecycle.create(inputs, deployment).catch((error: unknown) => {
          throw new Error(String(error));
        }),
    },
    reported: /^4\. /,
  },
  {
    fault: "destroys nothing",
    campaign: { ...adCampaignLifecycle, delete: () => Promise.resolve() },
    reported: /^[145]\. /,
  },
  {
    fault: "does not look for what a dead command launched",
    intent: { ...launchIntentLifecycle, delete: () => Promise.resolve() },
    reported: /^4\. /,
  },
  {
    fault: "hangs",
    campaign: { ...adCampaignLifecycle, read: () => new Promise(() => undefined) },
    reported: /Hangs/,
  },
];

const up: Command = { stack: 0, kind: "up without preview", begins: 0, faults: [], crash: undefined };

/** A launch is carried out, and its host killed before it is saved. */
function afterKilledLaunch(...steps: Step[]): Schedule {
  const crash: Crash = { operation: "campaign.launch", nth: 1, point: "committed", what: "host" };
  const campaign = { resource: "spring", appId: "app-1", campaignName: "Spring sale", dailyBudgetMicros: 5_000_000 };
  return {
    chance: 1,
    settleSeconds: 30,
    quarantineSeconds: 900,
    programs: [{ campaigns: [campaign], isChained: false }],
    steps: [{ is: "run", commands: [{ ...up, crash }] }, ...steps],
  };
}

describe("The simulation", () => {
  for (const { fault, reported, ...changed } of broken)
    it(`reports a lifecycle that ${fault}, with a schedule that shows it`, async () => {
      const failure = await firstFailure(200, changed);
      assert.ok(failure !== undefined, "No schedule showed it.");
      const { drawn, shrunk } = failure;
      assert.match(drawn.played.broken?.rule ?? "", reported);
      assert.match(describePlayed(shrunk.played), /^Broken in step \d+: /);
      assert.ok(shrunk.schedule.steps.length <= drawn.schedule.steps.length);
      assert.match(describeSchedule(shrunk.schedule), /^1\. .*\n(.*\n)*\d+\. faults end/m);
    });

  describe("after a killed launch, reports a command that fails and does not name the campaign:", () => {
    const nameless = (error: unknown): never => {
      throw String(error).includes("could not be read") ? new Error("The list could not be read.") : error;
    };
    const create: CampaignLifecycle["create"] = (...given) => adCampaignLifecycle.create(...given).catch(nameless);
    const deleteIntent: Lifecycles["intent"]["delete"] = (...given) =>
      launchIntentLifecycle.delete(...given).catch(nameless);
    const unreadable: Fault = { operation: "campaign.list", nth: 1, times: 20, carriedOut: "never", then: "400" };
    const next: { command: string; steps: Step[]; changed: Partial<Lifecycles> }[] = [
      {
        command: "up",
        steps: [{ is: "run", commands: [{ ...up, faults: [unreadable] }] }],
        changed: { campaign: { ...adCampaignLifecycle, create } },
      },
      {
        command: "up without the campaign",
        steps: [
          { is: "edit", edit: { stack: 0, which: 0, change: "remove" } },
          { is: "run", commands: [{ ...up, faults: [unreadable] }] },
        ],
        changed: { intent: { ...launchIntentLifecycle, delete: deleteIntent } },
      },
      {
        command: "destroy",
        steps: [{ is: "run", commands: [{ ...up, kind: "destroy", faults: [unreadable] }] }],
        changed: { intent: { ...launchIntentLifecycle, delete: deleteIntent } },
      },
    ];
    for (const { command, steps, changed } of next)
      it(command, async () => {
        const schedule = afterKilledLaunch(...steps);
        assert.match((await play(schedule, changed)).broken?.rule ?? "", /^4\. cmp_1, .* nor named in the last error/);
        assert.equal((await play(schedule)).broken, undefined);
        // A refresh does not come to the launch, so the intent is enough.
        const refreshed = afterKilledLaunch({
          is: "run",
          commands: [{ ...up, kind: "refresh", faults: [unreadable] }],
        });
        assert.equal((await play(refreshed, changed)).broken, undefined);
      });
  });

  it("reports a lifecycle that launches at once after a dead command, while the list lags", async () => {
    const hasty: CampaignLifecycle = {
      ...adCampaignLifecycle,
      create: (inputs, deployment) => {
        deployment.intents.markWritten(deployment.intents.linkOf(objectName(inputs))?.nonce ?? "");
        return adCampaignLifecycle.create(inputs, deployment);
      },
    };
    const { steps, ...others } = afterKilledLaunch({ is: "run", commands: [up] });
    const schedule: Schedule = { ...others, steps: [{ is: "lag", milliseconds: 20_000 }, ...steps] };
    assert.match((await play(schedule, { campaign: hasty })).broken?.rule ?? "", /^1\. Two live campaigns/);
    assert.equal((await play(schedule)).broken, undefined);
  });
});
