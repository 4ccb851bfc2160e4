import assert from "node:assert/strict";
import { dynamicProvider } from "../../provider/pulumi/dynamic-host";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import {
  campaign,
  declared,
  held,
  intend,
  type Intent,
  quarantine,
  refusal,
  requests,
  type State,
} from "../support/campaigns";
import { type Bench, leftBy, startBench } from "../support/deployment";
import { putLaunch } from "../support/launches";
import { record } from "../support/records";
import { declared as declaredWebhook, webhook } from "../support/webhooks";

const [minute, hour] = [60_000, 3_600_000];

describe("A machine whose clock is wrong", () => {
  let bench: Bench;
  const open: Bench[] = [];
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(async () => {
    for (const { service } of open.splice(0)) await service.close();
    await bench.close();
  });

  /** The next command, on a machine whose clock is so many hours ahead. */
  const onMachine = (hoursAhead: number): Bench => {
    const next = bench.onMachineAhead(hoursAhead * hour);
    open.push(next);
    return next;
  };
  const launches = (): number => bench.simulator.objects.launches().length;

  describe("counts the quarantine of an unconfirmed launch by the service's clock", () => {
    let intent: Intent;
    const unconfirmedOn = async (machine: Bench): Promise<State> => {
      intent = await intend(declared, machine);
      bench.simulator.fault({ operation: "campaign.launch", then: { status: 409 } });
      const { state } = await leftBy(campaign.create(declared, machine, intent));
      requests(bench);
      return state;
    };
    const up = async (state: State, machine: Bench): Promise<State> => {
      await intend(declared, machine, intent);
      return campaign.update(state, declared, machine);
    };

    for (const [attempted, read] of [
      [-2, 0],
      [0, 2],
      [2, 0],
      [0, -2],
      [-2, 2],
      [-24 * 300, 0],
    ] as const)
      it(`when the launch was attempted ${String(attempted)} h and the next command runs ${String(read)} h from the right time`, async () => {
        const state = await unconfirmedOn(onMachine(attempted));
        assert.match(state.launchAttemptedAt ?? "", /^2026-01-01T00:00/);
        await bench.clock.sleep(quarantine - minute);
        const { message } = await leftBy(up(state, onMachine(read)));
        assert.deepEqual([requests(bench), launches()], [["list"], 0]);
        assert.match(message, /Nothing is launched again before 2026-01-01T00:15:0\dZ/);
        await refusal(campaign.delete(state, onMachine(read)));
        await bench.clock.sleep(minute);
        await up(state, onMachine(read));
        assert.equal(launches(), 1);
      });

    for (const read of [-2, 2])
      it(`before a changed launch replaces it, on a machine that is ${String(read)} h from the right time`, async () => {
        const state = await unconfirmedOn(bench);
        const next = onMachine(read);
        const changed = { ...declared, dailyBudgetMicros: 6_000_000 };
        await intend(changed, next, intent);
        await dynamicProvider(adCampaignLifecycle, () => next).check?.(
          { ...state },
          { ...changed, launchIntent: intent.key },
        );
        await refusal(campaign.delete(state, next));
        assert.equal(launches(), 0);
      });

    it("and by the machine's alone where the service sends no usable date", async () => {
      for (const date of ["", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"]) {
        const rows = { status: 200, body: [], headers: { date } };
        bench.simulator.fault({ operation: "campaign.list", times: "always", then: rows });
        bench.simulator.fault({ operation: "campaign.readiness", times: "always", then: { ...rows, status: 404 } });
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 409, headers: { date } } });
        const next = bench.later();
        const written = await intend(declared, next);
        const { state } = await leftBy(campaign.create(declared, next, written));
        assert.ok(Date.parse(state.launchAttemptedAt ?? "") <= bench.clock.now(), date);
        await bench.clock.sleep(quarantine - minute);
        const later = bench.later();
        await intend(declared, later, written);
        await leftBy(campaign.update(state, declared, later));
        await bench.clock.sleep(minute);
        const last = bench.later();
        await intend(declared, last, written);
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 400, headers: { date } } });
        await assert.rejects(campaign.update(state, declared, last), /the service answered 400/, date);
        bench.simulator.clearFaults();
      }
    });
  });

  for (const ahead of [-2, 2])
    it(`finds the campaign of a killed launch all the same, ${String(ahead)} h from the right time`, async () => {
      const intent = await intend(declared, onMachine(-ahead));
      putLaunch(bench, intent);
      const next = onMachine(ahead);
      assert.equal((await campaign.create(declared, next, intent)).campaignId, "cmp_1");
      assert.deepEqual([held(bench), launches()], [["cmp_1 ENABLED"], 0]);
    });

  describe("after a lost create response", () => {
    const args = { appId: "app-1", entityName: "TaxRate", fields: { country: "DE" } };
    const lose = (commit: boolean): void => {
      bench.simulator.fault({ operation: "record.create", commit, then: "reset" });
    };
    const older = (): void => {
      const created_date = new Date(bench.clock.now() - hour).toISOString();
      bench.simulator.objects.putRecord("app-1", "TaxRate", { id: "rec_old", ...args.fields, created_date });
    };

    for (const ahead of [-2, 2])
      it(`finds the new record and no older one, ${String(ahead)} h from the right time`, async () => {
        older();
        lose(true);
        const { recordId } = await record.create(args, onMachine(ahead));
        assert.notEqual(recordId, "rec_old");
        assert.equal(bench.simulator.objects.records("app-1", "TaxRate").length, 2);
      });

    it("finds none where the service sends no date: its clock proves nothing then", async () => {
      older();
      lose(false);
      const rows = bench.simulator.objects.records("app-1", "TaxRate");
      const then = { status: 200, body: rows, headers: { date: "" } };
      bench.simulator.fault({ operation: "record.list", times: "always", then });
      await assert.rejects(
        record.create(args, onMachine(-2)),
        /a copy of this TaxRate record may exist\.[^]*This object may or may not be it: rec_old\./,
      );
    });
  });

  for (const ahead of [-2, 2])
    it(`takes over a webhook that a dead command left, and no younger one, ${String(ahead)} h from the right time`, async () => {
      const { objects } = bench.simulator;
      const mark = { target_url: declaredWebhook.targetUrl, description: "[pulumi:1f0c9a2-0000]" };
      objects.putWebhook("agent-1", {
        ...mark,
        id: "wh_dead",
        created_date: new Date(bench.clock.now() - minute).toISOString(),
      });
      assert.equal((await webhook.create(declaredWebhook, onMachine(ahead))).webhookId, "wh_dead");
      objects.putWebhook("agent-1", {
        ...mark,
        id: "wh_young",
        created_date: new Date(bench.clock.now()).toISOString(),
      });
      await assert.rejects(webhook.create(declaredWebhook, onMachine(ahead)), /run `pulumi up` again in a minute/i);
    });
});
