import assert from "node:assert/strict";
import { changedArguments } from "../../provider/pulumi/changed-arguments";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import type { State } from "../../provider/resources/entity-record/record";
import { type Bench, leftBy, startBench, unchanged } from "../support/deployment";
import { at, change, declared, held, record, requests } from "../support/records";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

describe("EntityRecord", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  describe("creating", () => {
    it("is created, read back once, and shows no difference although the service stores dates without a zone", async () => {
      const state = await record.create(declared, bench);
      assert.deepEqual(requests(bench), [`record.create ${JSON.stringify(declared.fields)}`, "record.get"]);
      assert.deepEqual(state.fields, declared.fields);
      assert.deepEqual([state.recordId, state.isSample], [held(bench)[0]?.id, false]);
      assert.deepEqual(await record.read(state, bench.later()), state);
    });

    it("keeps null, false, 0, empty text, empty lists and nested values unchanged", async () => {
      const fields = {
        nothing: null,
        off: false,
        zero: 0,
        empty: "",
        list: [],
        object: {},
        nested: { list: [{ a: null, b: [0, false, ""] }], at: "2026-02-01T10:00:00.250Z" },
      };
      const state = await record.create({ ...at, fields }, bench);
      assert.deepEqual(state.fields, fields);
      const read = await record.read(state, bench.later());
      assert.deepEqual(read?.fields, fields);
      assert.deepEqual(changedArguments(entityRecordLifecycle, state, { ...at, fields }), []);
    });

    it("returns its author, unless the app hides that", async () => {
      const state = await record.create(declared, bench);
      assert.match(state.createdBy ?? "", /@/);
      assert.ok(state.createdById);
      assert.match(state.createdDate ?? "", /Z$/);
      await bench.close();
      bench = await startBench({}, { appsHidingAuthorship: ["app-1"] });
      assert.equal(Object.hasOwn(await record.create(declared, bench), "createdBy"), false);
    });

    it("fails when the service drops a field, names the field and the entity, and keeps the rest", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
      const { state, message } = await leftBy(record.create({ ...at, fields: { country: "DE", percnt: 19 } }, bench));
      assert.match(message, /Dropped: percnt \(not in the schema of TaxRate/);
      assert.deepEqual(state.fields, { country: "DE" });
      requests(bench);
      const mended = await record.update(state, { ...at, fields: { country: "DE", percent: 19 } }, bench.later());
      assert.deepEqual(requests(bench), [`record.update {"percent":19}`]);
      assert.deepEqual(mended.fields, { country: "DE", percent: 19 });
    });

    it("sends no request when a dropped field is removed from the program, created or adopted", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country"] });
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "AT" });
      for (const which of [at, { ...at, recordId: id, overwrite: true }]) {
        const misspelled = { ...which, fields: { country: "DE", percnt: 19 } };
        const { state, message } = await leftBy(record.create(misspelled, bench.later()));
        assert.match(message, /Dropped: percnt \(not in the schema of TaxRate/);
        assert.deepEqual(state.fields, { country: "DE" });
        requests(bench);
        const corrected = { ...which, fields: { country: "DE" } };
        const fixed = await record.update(state, corrected, bench.later());
        assert.deepEqual(await record.preview(fixed, corrected, bench.later()), unchanged);
        assert.deepEqual(requests(bench), []);
      }
      assert.equal(held(bench).length, 2);
    });

    for (const percnt of [19, null])
      it(`fails again without sending the dropped field again, sent as ${String(percnt)}`, async () => {
        bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country"] });
        const misspelled = { ...at, fields: { country: "DE", percnt } };
        const { state, message } = await leftBy(record.create(misspelled, bench));
        assert.match(message, /Dropped: percnt \(not in the schema of TaxRate/);
        assert.deepEqual([state.fields, state.dropped], [{ country: "DE" }, { percnt }]);
        const refreshed = await record.read(state, bench.later());
        assert.deepEqual(refreshed, state);
        requests(bench);
        assert.equal((await record.preview(state, misspelled, bench.later()))?.changes, true);
        const more = { ...at, fields: { country: "AT", percnt }, deletionPolicy: "retain" };
        const again = await leftBy(record.update(state, more, bench.later()));
        assert.match(again.message, /was not written.*Dropped: percnt.*Correct the name, or remove the field/s);
        assert.deepEqual(requests(bench), []);
        assert.deepEqual(again.state, { ...state, deletionPolicy: "retain" });
      });

    it("sends a dropped field again with another value or under another name, or after it was left out", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country"] });
      const misspelled = { ...at, fields: { country: "DE", percnt: null } };
      const { state } = await leftBy(record.create(misspelled, bench));
      requests(bench);
      const { state: other } = await leftBy(
        record.update(state, { ...at, fields: { country: "DE", percnt: 1 } }, bench.later()),
      );
      assert.deepEqual([requests(bench), other.dropped], [[`record.update {"percnt":1}`], { percnt: 1 }]);
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percnt", "percent"] });
      const renamed = await record.update(other, { ...at, fields: { country: "DE", percent: null } }, bench.later());
      assert.deepEqual([requests(bench), renamed.dropped], [[`record.update {"percent":null}`], undefined]);
      const without = { ...at, fields: { country: "DE" } };
      const leftOut = await record.update(state, without, bench.later());
      assert.deepEqual(await record.preview(leftOut, without, bench.later()), unchanged);
      await record.update(leftOut, misspelled, bench.later());
      assert.deepEqual(requests(bench), [`record.update {"percnt":null}`]);
    });

    it("sends a dropped field again once the record shows it", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country"] });
      const misspelled = { ...at, fields: { country: "DE", percnt: 19 } };
      const { state } = await leftBy(record.create(misspelled, bench));
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percnt"] });
      change(bench, state.recordId, { percnt: null });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      requests(bench);
      await record.update(refreshed, misspelled, bench.later());
      assert.deepEqual(requests(bench), [`record.update {"percnt":19}`]);
    });

    it("says how to go on where the service shows no field that is null", async () => {
      const sparse = (fields: object) => {
        const body = { id: "rec_sparse", created_date: "2026-01-01T00:00:00Z", ...fields };
        bench.simulator.fault({ operation: "record.create", then: { status: 200, body } });
        bench.simulator.fault({ operation: "record.get", then: { status: 200, body } });
      };
      sparse({ country: "DE" });
      const { message } = await leftBy(record.create({ ...at, fields: { country: "DE", note: null } }, bench));
      assert.match(
        message,
        /- Sent as null: note\. If the schema has it, the service does not show fields that are null: remove it/,
      );
    });

    it("finds the record in the list after a lost response, and does not create it twice", async () => {
      bench.simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      const state = await record.create(declared, bench);
      assert.deepEqual([held(bench).length, state.recordId], [1, held(bench)[0]?.id]);
      assert.match(
        bench.said.join(),
        /The TaxRate record rec_\S+ of app app-1 was found by its values.*counts as adopted/,
      );
    });

    it("creates the record once more when a complete list does not show it", async () => {
      bench.simulator.fault({ operation: "record.create", then: "reset" });
      await record.create(declared, bench);
      assert.equal(held(bench).length, 1);
    });

    it("asks the user to decide when nothing links a new record to the sent values", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: [] });
      bench.simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      await assert.rejects(
        record.create(declared, bench),
        /This object may or may not be it: .*give its id as recordId/s,
      );
      assert.equal(held(bench).length, 1);
    });

    it("keeps the record in state when it cannot be read back", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const { state } = await leftBy(record.create(declared, bench));
      assert.deepEqual([state.recordId, state.fields], [held(bench)[0]?.id, declared.fields]);
    });

    it("reads the record at the next up when it could not be read back, so that its absence can be recognized later", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const { state } = await leftBy(record.create(declared, bench));
      assert.equal(entityRecordLifecycle.hasMoreToDo?.(state), true);
      bench.simulator.clearFaults();
      const read = await record.update(state, declared, bench.later());
      bench.simulator.objects.removeRecord("app-1", "TaxRate", read.recordId);
      assert.equal(await record.read(read, bench.later()), undefined);
    });

    it("says that a copy may exist, and not to run again, when neither response nor list can be read", async () => {
      bench.simulator.fault({ operation: "record.create", commit: true, then: { status: 500 } });
      bench.simulator.fault({ operation: "record.list", times: 9, then: { status: 500 } });
      await assert.rejects(
        record.create(declared, bench),
        (error: Error) => /a copy .* may exist/.test(error.message) && !/run the command again/i.test(error.message),
      );
    });

    it("shares a mutex with an equal record whose fields come in another order", async () => {
      bench.simulator.fault({ operation: "record.create", then: "reset" });
      bench.simulator.fault({ operation: "record.create", delayMilliseconds: 50, then: "pass" });
      const turned = { ...at, fields: Object.fromEntries(Object.entries(declared.fields).reverse()) };
      await Promise.all([record.create(declared, bench), record.create(turned, bench)]);
      assert.equal(held(bench).length, 2);
    });

    it("stores no evidence when the service has no read, and then never reports the record as gone", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 404 } });
      const state = await record.create(declared, bench);
      assert.match(
        bench.said.join(),
        /can be managed but not refreshed: record\.get .*path of record\.get is assumed/s,
      );
      await assert.rejects(record.read(state, bench.later()), /path of record\.get is assumed/);
    });
  });

  describe("changing", () => {
    let state: State;
    beforeEach(async () => {
      state = await record.create(declared, bench);
      requests(bench);
    });
    const changed = { ...at, fields: { ...declared.fields, percent: 7 } };

    it("sends only changes, and leaves a removed field unchanged", async () => {
      change(bench, state.recordId, { note: "theirs" });
      const { note: _, ...rest } = declared.fields;
      const next = await record.update(state, { ...at, fields: { ...rest, percent: 20 } }, bench);
      assert.deepEqual(requests(bench), [`record.update {"percent":20}`]);
      assert.deepEqual(next.fields, { ...rest, percent: 20 });
      assert.equal(held(bench)[0]?.["note"], "theirs");
    });

    it("sends no request for a field that is removed from the program, nor for another deletionPolicy", async () => {
      const { note: _, ...rest } = declared.fields;
      const next = await record.update(state, { ...at, fields: rest, deletionPolicy: "retain" }, bench);
      assert.deepEqual([requests(bench), next.fields, next.deletionPolicy], [[], rest, "retain"]);
    });

    it("sends null for a field that was not managed, because its value is unknown", async () => {
      change(bench, state.recordId, { label: "theirs" });
      const next = await record.update(state, { ...at, fields: { ...declared.fields, label: null } }, bench);
      assert.deepEqual(requests(bench), [`record.update {"label":null}`]);
      assert.deepEqual([next.fields["label"], held(bench)[0]?.["label"]], [null, null]);
    });

    it("empties a field that had a value even where the service shows no field that is null", async () => {
      const stored: Record<string, unknown> = { ...held(bench)[0] };
      const { country: _, ...body } = stored;
      bench.simulator.fault({ operation: "record.update", commit: true, then: { status: 200, body } });
      const emptied = { ...at, fields: { ...declared.fields, country: null } };
      const next = await record.update(state, emptied, bench);
      assert.deepEqual([next.fields["country"], next.dropped], [null, undefined]);
    });

    it("does not take a null for stored that a lost request may not have brought", async () => {
      bench.simulator.fault({ operation: "record.update", then: "reset" });
      const more = { ...at, fields: { ...declared.fields, label: null } };
      await record.update(state, more, bench);
      assert.deepEqual(requests(bench), [`record.update {"label":null}`, "record.get", `record.update {"label":null}`]);
      const next = await record.update({ ...state, unconfirmed: true }, { ...at, fields: { extra: null } }, bench);
      assert.deepEqual(requests(bench), ["record.get", `record.update {"extra":null}`]);
      assert.deepEqual(next.fields, { extra: null });
    });

    it("never reads by writing: a refresh sends one GET", async () => {
      await record.read(state, bench.later());
      assert.deepEqual(requests(bench), ["record.get"]);
      assert.equal(bench.simulator.objects.recordWrites().length, 1);
    });

    it("reads after a lost response, and does not repeat a write that succeeded", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      const next = await record.update(state, changed, bench);
      assert.deepEqual(requests(bench), [`record.update {"percent":7}`, "record.get"]);
      assert.equal(next.fields["percent"], 7);
    });

    it("writes once more when the read shows the old values", async () => {
      bench.simulator.fault({ operation: "record.update", then: "reset" });
      await record.update(state, changed, bench);
      assert.deepEqual(requests(bench), [`record.update {"percent":7}`, "record.get", `record.update {"percent":7}`]);
    });

    it("records that the outcome is unknown when the record cannot be read either, and reads first the next time", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const left = await leftBy(record.update(state, changed, bench));
      assert.deepEqual([left.state.unconfirmed, left.state.fields], [true, state.fields]);
      assert.equal(entityRecordLifecycle.hasMoreToDo?.(left.state), true);
      bench.simulator.clearFaults();
      requests(bench);
      const next = await record.update(left.state, changed, bench.later());
      assert.deepEqual(requests(bench), ["record.get"]);
      assert.deepEqual([next.unconfirmed, next.fields], [undefined, changed.fields]);
    });

    for (const status of [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 418, 421, 422, 423, 451, 499])
      it(`reports a refusal with ${String(status)} and the service's message, and does not write again`, async () => {
        const detail = "The rule of managers refuses it.";
        bench.simulator.fault({ operation: "record.update", times: 9, then: { status, body: { detail } } });
        await assert.rejects(
          record.update(state, changed, bench),
          (error: Error) => !(error instanceof PartialFailure) && error.message.includes(detail),
        );
        assert.equal(requests(bench).filter((request) => request.startsWith("record.update")).length, 1);
        assert.equal(held(bench)[0]?.["percent"], 19);
      });

    it("reports a refusal also when a sent field already has its value", async () => {
      const detail = "The rule of managers refuses it.";
      bench.simulator.fault({ operation: "record.update", then: { status: 409, body: { detail } } });
      const more = { ...at, fields: { ...changed.fields, label: null } };
      await assert.rejects(
        record.update(state, more, bench),
        (error: Error) => !(error instanceof PartialFailure) && error.message.includes(detail),
      );
    });

    it("writes once more when only somebody else's change set one field to its sent value", async () => {
      change(bench, state.recordId, { percent: 7 });
      bench.simulator.fault({ operation: "record.update", then: "reset" });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      const next = await record.update(state, both, bench);
      assert.deepEqual([next.fields["country"], held(bench)[0]?.["country"]], ["AT", "AT"]);
    });

    it("keeps a new deletionPolicy when the write stays uncertain", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const left = await leftBy(record.update(state, { ...changed, deletionPolicy: "retain" }, bench));
      assert.equal(left.state.deletionPolicy, "retain");
    });

    it("sends everything after an uncertain write when records cannot be read", async () => {
      const unread = bench.later({ endpoints: JSON.stringify({ "record.get": "none" }) });
      const next = await record.update({ ...state, unconfirmed: true }, changed, unread);
      assert.deepEqual(requests(bench), [`record.update ${JSON.stringify(changed.fields)}`]);
      assert.equal(next.unconfirmed, undefined);
    });

    it("shows no stored value, sent or not, when the service repeats it", async () => {
      const own = await record.create({ ...at, fields: { key: "canary-held", nested: { pin: 48_213 }, n: 1 } }, bench);
      const detail = "canary-held and 48213 are no good.";
      for (const operation of ["record.update", "record.get", "record.delete"] as const)
        bench.simulator.fault({ operation, times: 9, then: { status: 403, body: { detail } } });
      const quiet = (error: Error): boolean => error.message.includes("403") && !/canary|48213/.test(error.message);
      await assert.rejects(record.update(own, { ...at, fields: { ...own.fields, n: 2 } }, bench.later()), quiet);
      await assert.rejects(record.read(own, bench.later()), quiet);
      await assert.rejects(record.delete(own, bench.later()), quiet);
      bench.simulator.clearFaults();
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      const body = { detail: "canary-new is locked." };
      bench.simulator.fault({ operation: "record.get", times: "always", then: { status: 403, body } });
      const next = { ...at, fields: { key: "canary-new" } };
      const { state: unread, message } = await leftBy(record.update(own, next, bench.later()));
      assert.ok(quiet(new Error(message)), message);
      await assert.rejects(record.update(unread, next, bench.later()), quiet);
      await assert.rejects(record.create({ ...next, recordId: own.recordId }, bench.later()), quiet);
    });

    it("is refused completely by a rule for one of the fields, and both keep their values", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { readOnlyFields: ["percent"], refusalStatus: 403 });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      await assert.rejects(
        record.update(state, both, bench.later({ apiKey: "personal-api-key" })),
        /answered 403\..*A rule refuses writing percent.*\n {2}- A row or field rule of the entity may refuse this\. .* Without workspace-apps:apiKey/s,
      );
      assert.deepEqual([held(bench)[0]?.["country"], held(bench)[0]?.["percent"]], ["DE", 19]);
    });

    it("is refused when the row-level rule does not cover it", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { updateRule: { country: "FR" } });
      await assert.rejects(record.update(state, changed, bench), /does not cover this record/);
    });

    it("fails when the service stores another value, names the field, and keeps the stored value", async () => {
      const altered = { ...held(bench)[0], percent: 7.5, country: "AT" };
      bench.simulator.fault({ operation: "record.update", commit: true, then: { status: 200, body: altered } });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      const left = await leftBy(record.update(state, both, bench));
      assert.match(left.message, /Stored with another value: percent\./);
      assert.ok(!left.message.includes("7.5"), "no value of a record is shown");
      assert.deepEqual([left.state.fields["percent"], left.state.fields["country"]], [7.5, "AT"]);
    });

    it("reports which part was written after a lost response", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      const misspelled = { ...at, fields: { ...changed.fields, percnt: 7 } };
      const left = await leftBy(record.update(state, misspelled, bench));
      assert.match(left.message, /Dropped: percnt/);
      assert.equal(left.state.fields["percent"], 7);
    });

    it("succeeds when the record already has the same values", async () => {
      change(bench, state.recordId, { percent: 7 });
      const read = await record.read(state, bench.later());
      assert.equal(read?.fields["percent"], 7);
      requests(bench);
      await record.update(read, changed, bench);
      assert.deepEqual(requests(bench), []);
    });
  });
});
