import assert from "node:assert/strict";
import { type Bench, leftBy, startBench } from "../support/deployment";
import { at, held, record } from "../support/records";
import { declared, requests, webhook } from "../support/webhooks";

describe("An adoption that the engine repeats after a partial failure", () => {
  let bench: Bench;
  const inputs = { ...at, recordId: "r1", overwrite: true, deletionPolicy: "restore" } as const;
  beforeEach(async () => {
    bench = await startBench();
    bench.simulator.objects.putRecord("app-1", "TaxRate", { id: "r1", country: "DE", percent: 16 });
  });
  afterEach(() => bench.close());

  it("restores the values that the record had before the first attempt", async () => {
    bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
    bench.simulator.fault({ operation: "record.get", skip: 1, times: 5, then: { status: 500 } });
    const adopting = { ...inputs, fields: { percent: 19 } };
    await leftBy(record.create(adopting, bench));
    bench.simulator.clearFaults();
    // An attempt that fails before it changes anything is saved too. Otherwise the engine would forget the record.
    bench.simulator.fault({ operation: "record.get", then: { status: 403 } });
    assert.match((await leftBy(record.create(adopting, bench))).message, /403/);
    const state = await record.create(adopting, bench);
    await record.delete(state, bench.later());
    assert.equal(held(bench)[0]?.["percent"], 16);
  });

  it("does not send a field again that the service dropped", async () => {
    bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
    const adopting = { ...inputs, fields: { percent: 19, precent: 1 } };
    await leftBy(record.create(adopting, bench));
    requests(bench);
    await assert.rejects(record.create(adopting, bench), /the program still declares a field that the service dropped/);
    assert.deepEqual(requests(bench), []);
  });

  it("rotates a webhook's secret once more where the first one was lost with the response", async () => {
    bench.simulator.objects.putWebhook("agent-1", {
      id: "w1",
      target_url: declared.targetUrl,
      events: declared.events,
    });
    bench.simulator.fault({ operation: "webhook.update", commit: true, then: "reset" });
    const adopting = { ...declared, webhookId: "w1", overwrite: true, signed: true };
    await leftBy(webhook.create(adopting, bench));
    assert.match((await webhook.create(adopting, bench)).secret ?? "", /^whsec_/);
  });
});
