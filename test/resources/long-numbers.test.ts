import assert from "node:assert/strict";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { LookupRun } from "../../provider/pulumi/lookup-run";
import type { OperationId } from "../../provider/service/operations";
import { type Bench, driven, leftBy, startBench, unchanged } from "../support/deployment";
import { at, record, requests } from "../support/records";

/* JavaScript reads 9007199254740993 as 9007199254740992. */
const long = "9007199254740993";
const rounded = Number(long);

const test = driven(testFlowLifecycle);

describe("A number with more digits than JavaScript keeps", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  /** From now on, the service returns this text. */
  function answering(operation: OperationId, body: string): void {
    bench.simulator.fault({ operation, times: "always", then: { status: 200, body } });
  }
  const stored = (serial: string, more = ""): string => `{"id":"r1","country":"DE","serial":${serial}${more}}`;
  const adopting = (fields: object) => ({ ...at, recordId: "r1", fields, overwrite: true, deletionPolicy: "restore" });

  it("in a managed field of an adopted record is refused before anything is written, because it could not be put back", async () => {
    for (const serial of [long, `[{"a":${long}}]`]) {
      answering("record.get", stored(serial));
      await assert.rejects(record.create(adopting({ country: "FR", serial: 1 }), bench), (error: Error) => {
        assert.match(error.message, /^The TaxRate record r1 of app app-1 was not changed: /);
        assert.match(error.message, /fields\.serial holds a number with more digits than/);
        assert.match(error.message, /- Leave it out of fields/);
        assert.doesNotMatch(error.message, /9007/);
        return true;
      });
      bench.simulator.clearFaults();
    }
    assert.deepEqual(requests(bench), ["record.get", "record.get"]);
  });

  it("in a field that an adopted record begins to manage is refused too", async () => {
    answering("record.get", stored(long));
    const state = await record.create({ ...adopting({ country: "DE" }) }, bench);
    await assert.rejects(
      record.update(state, adopting({ country: "DE", serial: 1 }), bench),
      /fields\.serial holds a number/,
    );
    assert.deepEqual(requests(bench), ["record.get", "record.get"]);
  });

  it("in a field that is not managed does no harm", async () => {
    answering("record.get", stored(long));
    const state = await record.create(adopting({ country: "DE" }), bench);
    assert.deepEqual(await record.preview(state, adopting({ country: "DE" }), bench), unchanged);
    assert.ok(!JSON.stringify(state).includes("9007"));
  });

  it("differs from the number that JavaScript reads it as", async () => {
    answering("record.get", stored(long));
    const inputs = { ...at, recordId: "r1", fields: { serial: rounded } };
    await assert.rejects(record.create(inputs, bench), /it differs from what is declared[^]*fields\.serial/);
  });

  it("is drift with all its digits, and goes away when it is declared as text", async () => {
    const created = await record.create({ ...at, fields: { country: "DE", serial: 7 } }, bench);
    answering("record.get", stored(long));
    const read = await record.read(created, bench.later());
    assert.deepEqual(read?.fields, { country: "DE", serial: long });
    const inputs = { ...at, fields: { country: "DE", serial: long } };
    assert.deepEqual(await record.preview(read, inputs, bench.later()), unchanged);
    assert.deepEqual((await record.read({ ...read, fields: inputs.fields }, bench.later()))?.fields, inputs.fields);
  });

  it("that the service stored for a declared one is reported, and the created record is not lost", async () => {
    answering("record.create", stored(long));
    answering("record.get", stored(long));
    const { state, message } = await leftBy(record.create({ ...at, fields: { serial: rounded } }, bench));
    assert.match(message, /Stored with another value: serial/);
    assert.deepEqual([state.recordId, state.fields], ["r1", { serial: long }]);
  });

  it("is never sent to the service, whatever a record is declared as", async () => {
    bench.simulator.objects.putRecord("app-1", "TaxRate", { id: "r1" });
    for (const exact of ["9007199254740992", "-9007199254740991", "1e21", "0.1", "1.10", "-0", "5e-324"]) {
      bench.simulator.clearFaults();
      answering("record.get", stored(exact));
      const state = await record.create(adopting({ serial: 1 }), bench.later());
      assert.deepEqual(state.valuesFound, { serial: Number(exact) });
    }
    for (const inexact of [long, "-9223372036854775807", "12345678901234.567891", "1e-400", "0.10000000000000000001"]) {
      bench.simulator.clearFaults();
      answering("record.get", stored(inexact));
      await assert.rejects(record.create(adopting({ serial: 1 }), bench.later()), /holds a number/, inexact);
    }
  });

  it("in a test's definition is drift with all its digits", async () => {
    const created = await test.create({ appId: "app-1", definition: { steps: [7] } }, bench);
    answering("test.get", `{"id":"${created.flowId}","steps":[${long}]}`);
    assert.deepEqual((await test.read(created, bench.later()))?.definition, { steps: [long] });
  });

  it("in a look-up's result is text with all its digits", async () => {
    answering("asset.list", `{"library":[{"status":"x","asset_id":${long}}]}`);
    const quiet = { info: () => undefined, warn: () => undefined };
    const lookups = new LookupRun(bench.service, bench.clock);
    const result = await lookups.run(adAssetsLookup, { appId: "app-1" }, quiet);
    assert.match(JSON.stringify(result), new RegExp(`"asset_?[iI]d":"${long}"`));
  });

  it("does not change any text beside it", async () => {
    const texts = [long, `\\"${long}\\"`, "\\\\", `a ${long}, [${long}]`, "\\u0041"];
    answering("record.get", stored("1", `,"second":${long},"texts":["${texts.join('","')}"]`));
    const readBy = bench.service.endpoints.readBy("record.get");
    const created = { recordId: "r1", ...at, fields: { texts: [] }, readBy };
    const read = await record.read(created, bench);
    assert.deepEqual(read?.fields["texts"], JSON.parse(`["${texts.join('","')}"]`));
  });
});

describe("A record's field", () => {
  for (const name of ["constructor", "hasOwnProperty", "valueOf", "isPrototypeOf"])
    it(`may be named ${name}`, async () => {
      const bench = await startBench();
      const inputs = { ...at, fields: { [name]: "x" } };
      const state = await record.create(inputs, bench);
      assert.deepEqual((await record.read(state, bench.later()))?.fields, inputs.fields);
      assert.deepEqual(await record.preview(state, inputs, bench.later()), unchanged);
      await record.update(state, { ...at, fields: { [name]: "y" } }, bench.later());
      assert.equal(bench.simulator.objects.records("app-1", "TaxRate")[0]?.[name], "y");
      await bench.close();
    });
});
