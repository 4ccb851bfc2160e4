import assert from "node:assert/strict";
import { Unfinished } from "../../provider/engine/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record";
import type { State } from "../../provider/resources/entity-record-state";
import { type Bench, driven, seen, startBench } from "../support/deployment";

const record = driven(entityRecordLifecycle);
const at = { appId: "app-1", entityName: "TaxRate" };
const declared = { ...at, fields: { country: "DE", percent: 19, since: "2026-01-01T00:00:00Z", note: null } };

describe("EntityRecord", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => {
    const all = seen(bench.simulator);
    bench.simulator.clearRequests();
    return all;
  };
  const held = () => bench.simulator.objects.records("app-1", "TaxRate");

  it("is created, read back once, and shows no difference although the service keeps dates without their zone", async () => {
    const state = await record.create(declared, bench);
    assert.deepEqual(requests(), [`record.create ${JSON.stringify(declared.fields)}`, "record.get"]);
    assert.deepEqual(state.fields, declared.fields);
    assert.deepEqual([state.recordId, state.isSample], [held()[0]?.id, false]);
    assert.deepEqual(await record.read(state, bench.later()), state);
  });

  it("sends only what changes, and leaves a field that left the program as it is", async () => {
    const state = await record.create(declared, bench);
    requests();
    const { note, ...rest } = declared.fields;
    const next = await record.update(state, { ...at, fields: { ...rest, percent: 20 } }, bench);
    assert.deepEqual(requests(), [`record.update {"percent":20}`]);
    assert.deepEqual(next.fields, { ...rest, percent: 20 });
    assert.equal(held()[0]?.["note"], note);
  });

  it("fails when the service drops a field, names it and the entity, and keeps the rest", async () => {
    bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
    const error = await record.create({ ...at, fields: { country: "DE", percnt: 19 } }, bench).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    assert.ok(error instanceof Unfinished);
    assert.match(error.message, /dropped percnt \(is it in the schema of TaxRate/);
    assert.deepEqual((error.state as State).fields, { country: "DE" });
  });

  it("reads after a lost answer, and does not write again what was written", async () => {
    const state = await record.create(declared, bench);
    requests();
    bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
    await record.update(state, { ...at, fields: { ...declared.fields, percent: 7 } }, bench);
    assert.deepEqual(requests(), [`record.update {"percent":7}`, "record.get"]);
  });

  it("restores an adopted record where nobody changed it since", async () => {
    const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", percent: 16 });
    const inputs = { ...at, recordId: id, fields: { country: "AT", percent: 19 }, deletionPolicy: "restore" };
    const state = await record.create(inputs, bench);
    assert.deepEqual(state.valuesFound, { country: "DE", percent: 16 });
    bench.simulator.objects.changeRecord("app-1", "TaxRate", id, { percent: 10 });
    await record.delete(state, bench.later());
    assert.deepEqual([held()[0]?.["country"], held()[0]?.["percent"]], ["DE", 10]);
  });

  it("is gone on refresh when it was removed, and deleting it then is done", async () => {
    const state = await record.create(declared, bench);
    bench.simulator.objects.removeRecord("app-1", "TaxRate", state.recordId);
    assert.equal(await record.read(state, bench.later()), undefined);
    await record.delete(state, bench.later());
  });
});
