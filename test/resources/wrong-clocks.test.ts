import assert from "node:assert/strict";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import {
  asStored,
  campaign,
  declared,
  held,
  intend,
  type Intent,
  quarantine,
  refusal,
  requests,
  type State,
  unconfirmedLaunch,
} from "../support/campaigns";
import { type Bench, driven, leftBy, startBench } from "../support/deployment";
import { declared as declaredWebhook, live, webhook } from "../support/webhooks";

const intent = driven(launchIntentLifecycle);
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
  const put = (id: string, age: number): void => {
    const created_date = new Date(bench.clock.now() - age).toISOString();
    bench.simulator.objects.putCampaign("app-1", { ...asStored, id, created_date });
  };

  /** The intent that an interrupted command wrote, after it had heard from the service. */
  const writtenOn = async (machine: Bench): Promise<Intent> => {
    await machine.service.call("campaign.list", { parameters: { app_id: "app-1" } });
    const written = await intend(declared, machine);
    requests(bench);
    return written;
  };

  describe("counts the quarantine of an unconfirmed launch by the service's clock too", () => {
    const stays = async (state: State, next: Bench): Promise<string> => {
      const { message } = await leftBy(campaign.update(state, declared, next));
      assert.deepEqual([requests(bench), launches()], [["list"], 0]);
      return message;
    };

    for (const [attempted, read] of [
      [-2, 0],
      [0, 2],
      [-2, 2],
      [-24 * 300, 0],
    ] as const)
      it(`when the launch was attempted ${String(attempted)} h and the next command runs ${String(read)} h from the right time`, async () => {
        const state = await unconfirmedLaunch(bench, declared, onMachine(attempted));
        await bench.clock.sleep(quarantine - minute);
        const message = await stays(state, onMachine(read));
        assert.match(message, /Nothing is launched again before /);
        assert.doesNotMatch(message, /The quarantine ended/);
        await refusal(campaign.delete(state, onMachine(read)));
        await refusal(campaign.read(state, onMachine(read)));
        requests(bench);
        await bench.clock.sleep(minute);
        await campaign.update(state, declared, onMachine(read));
        assert.equal(launches(), 1);
      });

    it("and by its own, so that a clock that was ahead only makes it longer", async () => {
      const state = await unconfirmedLaunch(bench, declared, onMachine(2));
      await bench.clock.sleep(quarantine);
      assert.match(await stays(state, onMachine(0)), /Nothing is launched again before 2026-01-01T02:15:\d\dZ/);
      await bench.clock.sleep(2 * hour);
      await campaign.update(state, declared, onMachine(0));
      assert.equal(launches(), 1);
    });

    it("and says at preview when it ends by the later of the two", async () => {
      const state = await unconfirmedLaunch(bench, declared, onMachine(-2));
      const next = onMachine(0);
      await campaign.preview(state, declared, next);
      assert.match(next.said.join(), /launches nothing until 2026-01-01T00:14:59Z/);
    });

    it("keeps both times in state", async () => {
      const { launchAttemptedAt, launchServiceTime } = await unconfirmedLaunch(bench, declared, onMachine(-2));
      assert.match(launchAttemptedAt ?? "", /^2025-12-31T22:00/);
      assert.match(launchServiceTime ?? "", /^2026-01-01T00:00/);
    });

    it("by its own alone where an earlier version stored only that, or the service sends no usable date", async () => {
      const { launchServiceTime: _, ...state } = await unconfirmedLaunch(bench);
      await bench.clock.sleep(quarantine - minute);
      await stays(state, onMachine(0));
      await bench.clock.sleep(minute);
      for (const date of ["", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"]) {
        const [headers, next] = [{ date }, onMachine(0)];
        bench.simulator.fault({ operation: "campaign.list", times: 9, then: { status: 200, body: [], headers } });
        bench.simulator.fault({ operation: "campaign.launch", then: { status: 400 } });
        await assert.rejects(campaign.update(state, declared, next), /the service answered 400/, date);
        bench.simulator.clearFaults();
      }
    });
  });

  describe("takes no campaign for its own that is older than its launch intent", () => {
    for (const [wrote, read] of [
      [-2, 0],
      [-2, -2],
      [0, -2],
      [-2, 2],
    ] as const)
      it(`when it was written ${String(wrote)} h and the next command runs ${String(read)} h from the right time`, async () => {
        const written = await writtenOn(onMachine(wrote));
        put("theirs", hour);
        const next = onMachine(read);
        await intend(declared, next, written);
        assert.match(await refusal(campaign.create(declared, next)), /theirs \(ENABLED, created .*, before this/);
        assert.match(await refusal(intent.delete(written, onMachine(read))), /cannot tell whether that is theirs/);
        assert.deepEqual([held(bench), launches()], [["theirs ENABLED"], 0]);
      });

    it("also by the clock of this command where the intent has only the machine's time", async () => {
      const { writtenServiceTime: _, ...written } = await writtenOn(onMachine(-2));
      put("theirs", hour);
      const next = onMachine(-2);
      await intend(declared, next, written);
      assert.match(await refusal(campaign.create(declared, next)), /theirs \(ENABLED, created .*, before this/);
    });

    it("and still finds its own", async () => {
      const written = await writtenOn(onMachine(-2));
      put("own", 0);
      const next = onMachine(0);
      await intend(declared, next, written);
      assert.equal((await campaign.create(declared, next)).campaignId, "own");
    });
  });

  it("does not end a campaign that is more than a day old by the service's clock", async () => {
    const written = await writtenOn(bench);
    put("theirs", 0);
    await bench.clock.sleep(25 * hour);
    assert.match(await refusal(intent.delete(written, onMachine(-2))), /theirs \(ENABLED, .*more than a day ago/);
    assert.deepEqual(held(bench), ["theirs ENABLED"]);
  });

  describe("after a lost create response", () => {
    const lose = (commit: boolean): void => {
      bench.simulator.fault({ operation: "webhook.create", commit, then: "reset" });
    };
    const older = (): void => {
      bench.simulator.objects.putWebhook("agent-1", {
        ...{ id: "wh_old", target_url: declaredWebhook.targetUrl, events: declaredWebhook.events },
        created_date: new Date(bench.clock.now() - hour).toISOString(),
      });
    };

    for (const ahead of [-2, 2])
      it(`uses its own webhook and no older one, ${String(ahead)} h from the right time`, async () => {
        older();
        lose(true);
        const { webhookId } = await webhook.create(declaredWebhook, onMachine(ahead));
        assert.notEqual(webhookId, "wh_old");
        assert.equal(live(bench).length, 2);
      });

    it("uses none where the service sends no date: its clock proves nothing then", async () => {
      older();
      lose(false);
      const rows = bench.simulator.objects.webhooks("agent-1");
      bench.simulator.fault({
        ...{ operation: "webhook.list", times: "always" },
        then: { status: 200, body: rows, headers: { date: "" } },
      });
      await assert.rejects(
        webhook.create(declaredWebhook, onMachine(-2)),
        /a copy of this webhook may exist\.[^]*This object may or may not be it: wh_old\./,
      );
    });
  });
});
