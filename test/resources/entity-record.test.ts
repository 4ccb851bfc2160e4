import assert from "node:assert/strict";
import { creationProblems, problemsOf } from "../../provider/engine/checking";
import { differences } from "../../provider/engine/differences";
import { Unfinished } from "../../provider/engine/lifecycle";
import { unknownValue } from "../../provider/engine/unknown";
import { entityRecordLifecycle } from "../../provider/resources/entity-record";
import type { State } from "../../provider/resources/record/state";
import { type Bench, driven, leftBy, seen, startBench } from "../support/deployment";

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
  const change = (id: string, fields: Record<string, unknown>): void =>
    void bench.simulator.objects.changeRecord("app-1", "TaxRate", id, fields);

  describe("creating", () => {
    it("is created, read back once, and shows no difference although the service keeps dates without their zone", async () => {
      const state = await record.create(declared, bench);
      assert.deepEqual(requests(), [`record.create ${JSON.stringify(declared.fields)}`, "record.get"]);
      assert.deepEqual(state.fields, declared.fields);
      assert.deepEqual([state.recordId, state.isSample], [held()[0]?.id, false]);
      assert.deepEqual(await record.read(state, bench.later()), state);
    });

    it("keeps null, false, 0, empty text, empty lists and nested values as they are", async () => {
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
      assert.deepEqual(differences(entityRecordLifecycle, state, { ...at, fields }), []);
    });

    it("tells who made it, unless the app hides that", async () => {
      const state = await record.create(declared, bench);
      assert.match(state.createdBy ?? "", /@/);
      assert.ok(state.createdById);
      assert.match(state.createdDate ?? "", /Z$/);
      await bench.close();
      bench = await startBench({}, { appsHidingAuthorship: ["app-1"] });
      assert.equal(Object.hasOwn(await record.create(declared, bench), "createdBy"), false);
    });

    it("fails when the service drops a field, names it and the entity, and keeps the rest", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
      const { state, message } = await leftBy(record.create({ ...at, fields: { country: "DE", percnt: 19 } }, bench));
      assert.match(message, /dropped percnt \(not in the schema of TaxRate/);
      assert.deepEqual(state.fields, { country: "DE" });
      requests();
      const mended = await record.update(state, { ...at, fields: { country: "DE", percent: 19 } }, bench.later());
      assert.deepEqual(requests(), [`record.update {"percent":19}`]);
      assert.deepEqual(mended.fields, { country: "DE", percent: 19 });
    });

    it("is found in the list after a lost answer, and not made twice", async () => {
      bench.simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      const state = await record.create(declared, bench);
      assert.deepEqual([held().length, state.recordId], [1, held()[0]?.id]);
      assert.match(bench.said.join(), /was lost; .* is it, and is used/);
    });

    it("is made once more when a complete list does not show it", async () => {
      bench.simulator.fault({ operation: "record.create", then: "reset" });
      await record.create(declared, bench);
      assert.equal(held().length, 1);
    });

    it("leaves it to a person when nothing ties a new record to what was sent", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: [] });
      bench.simulator.fault({ operation: "record.create", commit: true, then: "reset" });
      await assert.rejects(record.create(declared, bench), /It cannot be told whether this is it: .*giving recordId/);
      assert.equal(held().length, 1);
    });

    it("stays in state when it cannot be read back", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const { state } = await leftBy(record.create(declared, bench));
      assert.deepEqual([state.recordId, state.fields], [held()[0]?.id, declared.fields]);
    });

    it("is read by the next up when it could not be read back, so that its absence can be told later", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const { state } = await leftBy(record.create(declared, bench));
      assert.equal(entityRecordLifecycle.isUnfinished?.(state), true);
      bench.simulator.clearFaults();
      const read = await record.update(state, declared, bench.later());
      bench.simulator.objects.removeRecord("app-1", "TaxRate", read.recordId);
      assert.equal(await record.read(read, bench.later()), undefined);
    });

    it("says that a copy may exist, and not to run again, when neither answer nor list can be read", async () => {
      bench.simulator.fault({ operation: "record.create", commit: true, then: { status: 500 } });
      bench.simulator.fault({ operation: "record.list", times: 9, then: { status: 500 } });
      await assert.rejects(
        record.create(declared, bench),
        (error: Error) =>
          /A copy .* may exist/.test(error.message) && !/run the command again later/.test(error.message),
      );
    });

    it("takes turns with an equal one whose fields come in another order", async () => {
      bench.simulator.fault({ operation: "record.create", then: "reset" });
      bench.simulator.fault({ operation: "record.create", delayMilliseconds: 50, then: "pass" });
      const turned = { ...at, fields: Object.fromEntries(Object.entries(declared.fields).reverse()) };
      await Promise.all([record.create(declared, bench), record.create(turned, bench)]);
      assert.equal(held().length, 2);
    });

    it("claims no evidence where the service has no read, and is then never said to be gone", async () => {
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 404 } });
      const state = await record.create(declared, bench);
      assert.equal(state.readBy, undefined);
      assert.match(bench.said.join(), /neither refreshed nor found missing: record\.get .*assumed path/);
      await assert.rejects(record.read(state, bench.later()), /record\.get is an assumed path/);
    });
  });

  describe("changing", () => {
    let state: State;
    beforeEach(async () => {
      state = await record.create(declared, bench);
      requests();
    });
    const changed = { ...at, fields: { ...declared.fields, percent: 7 } };

    it("sends only what changes, and leaves a field that left the program as it is", async () => {
      change(state.recordId, { note: "theirs" });
      const { note: _, ...rest } = declared.fields;
      const next = await record.update(state, { ...at, fields: { ...rest, percent: 20 } }, bench);
      assert.deepEqual(requests(), [`record.update {"percent":20}`]);
      assert.deepEqual(next.fields, { ...rest, percent: 20 });
      assert.equal(held()[0]?.["note"], "theirs");
    });

    it("sends nothing for a field that leaves the program, nor for another deletionPolicy", async () => {
      const { note: _, ...rest } = declared.fields;
      const next = await record.update(state, { ...at, fields: rest, deletionPolicy: "retain" }, bench);
      assert.deepEqual([requests(), next.fields, next.deletionPolicy], [[], rest, "retain"]);
    });

    it("sends a null for a field that was not managed, because its value is not known", async () => {
      change(state.recordId, { label: "theirs" });
      const next = await record.update(state, { ...at, fields: { ...declared.fields, label: null } }, bench);
      assert.deepEqual(requests(), [`record.update {"label":null}`]);
      assert.deepEqual([next.fields["label"], held()[0]?.["label"]], [null, null]);
    });

    it("never reads by writing: a refresh makes one GET", async () => {
      await record.read(state, bench.later());
      assert.deepEqual(requests(), ["record.get"]);
      assert.equal(bench.simulator.objects.recordWrites().length, 1);
    });

    it("reads after a lost answer, and does not write again what was written", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      const next = await record.update(state, changed, bench);
      assert.deepEqual(requests(), [`record.update {"percent":7}`, "record.get"]);
      assert.equal(next.fields["percent"], 7);
    });

    it("writes once more when the read shows the old values", async () => {
      bench.simulator.fault({ operation: "record.update", then: "reset" });
      await record.update(state, changed, bench);
      assert.deepEqual(requests(), [`record.update {"percent":7}`, "record.get", `record.update {"percent":7}`]);
    });

    it("remembers that nothing is known when the record cannot be read either, and reads first the next time", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const left = await leftBy(record.update(state, changed, bench));
      assert.deepEqual([left.state.unconfirmed, left.state.fields], [true, state.fields]);
      assert.equal(entityRecordLifecycle.isUnfinished?.(left.state), true);
      bench.simulator.clearFaults();
      requests();
      const next = await record.update(left.state, changed, bench.later());
      assert.deepEqual(requests(), ["record.get"]);
      assert.deepEqual([next.unconfirmed, next.fields], [undefined, changed.fields]);
    });

    for (const status of [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 418, 421, 422, 423, 451, 499])
      it(`reports a refusal with ${String(status)} in the service's words, and writes no second time`, async () => {
        const detail = "The rule of managers refuses it.";
        bench.simulator.fault({ operation: "record.update", times: 9, then: { status, body: { detail } } });
        await assert.rejects(
          record.update(state, changed, bench),
          (error: Error) => !(error instanceof Unfinished) && error.message.includes(detail),
        );
        assert.equal(requests().filter((request) => request.startsWith("record.update")).length, 1);
        assert.equal(held()[0]?.["percent"], 19);
      });

    it("reports a refusal also where a sent field has its value already", async () => {
      const detail = "The rule of managers refuses it.";
      bench.simulator.fault({ operation: "record.update", then: { status: 409, body: { detail } } });
      const more = { ...at, fields: { ...changed.fields, label: null } };
      await assert.rejects(
        record.update(state, more, bench),
        (error: Error) => !(error instanceof Unfinished) && error.message.includes(detail),
      );
    });

    it("writes once more where only somebody else's change made one field as it was sent", async () => {
      change(state.recordId, { percent: 7 });
      bench.simulator.fault({ operation: "record.update", then: "reset" });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      const next = await record.update(state, both, bench);
      assert.deepEqual([next.fields["country"], held()[0]?.["country"]], ["AT", "AT"]);
    });

    it("keeps a new deletionPolicy when the write stays uncertain", async () => {
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", times: 9, then: { status: 500 } });
      const left = await leftBy(record.update(state, { ...changed, deletionPolicy: "retain" }, bench));
      assert.equal(left.state.deletionPolicy, "retain");
    });

    it("sends everything after an uncertain write where records cannot be read", async () => {
      const unread = bench.later({ endpoints: JSON.stringify({ "record.get": "none" }) });
      const next = await record.update({ ...state, unconfirmed: true }, changed, unread);
      assert.deepEqual(requests(), [`record.update ${JSON.stringify(changed.fields)}`]);
      assert.equal(next.unconfirmed, undefined);
    });

    it("shows no value that is held, sent or not, when the service repeats it", async () => {
      const own = await record.create({ ...at, fields: { key: "canary-held", nested: { pin: 48_213 }, n: 1 } }, bench);
      const detail = "canary-held and 48213 are no good.";
      for (const operation of ["record.update", "record.get", "record.delete"] as const)
        bench.simulator.fault({ operation, times: 9, then: { status: 403, body: { detail } } });
      const quiet = (error: Error): boolean => /403/.test(error.message) && !/canary|48213/.test(error.message);
      await assert.rejects(record.update(own, { ...at, fields: { ...own.fields, n: 2 } }, bench.later()), quiet);
      await assert.rejects(record.read(own, bench.later()), quiet);
      await assert.rejects(record.delete(own, bench.later()), quiet);
    });

    it("is refused in full by a rule for one of the fields, and both keep their values", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { readOnlyFields: ["percent"], refusalStatus: 403 });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      await assert.rejects(record.update(state, both, bench), /answered 403: .*A rule refuses writing percent/);
      assert.deepEqual([held()[0]?.["country"], held()[0]?.["percent"]], ["DE", 19]);
    });

    it("is refused where the row's rule does not cover it", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { updateRule: { country: "FR" } });
      await assert.rejects(record.update(state, changed, bench), /does not cover this record/);
    });

    it("fails when the service stores another value, names the field, and keeps what it stores", async () => {
      const altered = { ...held()[0], percent: 7.5, country: "AT" };
      bench.simulator.fault({ operation: "record.update", commit: true, then: { status: 200, body: altered } });
      const both = { ...at, fields: { ...changed.fields, country: "AT" } };
      const left = await leftBy(record.update(state, both, bench));
      assert.match(left.message, /stored another value than was sent in percent\./);
      assert.ok(!left.message.includes("7.5"), "no value of a record is shown");
      assert.deepEqual([left.state.fields["percent"], left.state.fields["country"]], [7.5, "AT"]);
    });

    it("tells what was taken over in part after a lost answer", async () => {
      bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country", "percent"] });
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      const misspelled = { ...at, fields: { ...changed.fields, percnt: 7 } };
      const left = await leftBy(record.update(state, misspelled, bench));
      assert.match(left.message, /dropped percnt/);
      assert.equal(left.state.fields["percent"], 7);
    });

    it("is done where it was changed to the same already", async () => {
      change(state.recordId, { percent: 7 });
      const read = await record.read(state, bench.later());
      assert.equal(read?.fields["percent"], 7);
      requests();
      await record.update(read, changed, bench);
      assert.deepEqual(requests(), []);
    });
  });

  describe("adopting", () => {
    const adopted = (id: string, fields: object) => ({ ...at, recordId: id, fields });

    it("reads, sends only what differs, and retains on destroy", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", percent: 16 });
      const state = await record.create(adopted(id, { country: "DE", percent: 19 }), bench);
      assert.deepEqual(requests(), ["record.get", `record.update {"percent":19}`]);
      await record.delete(state, bench.later());
      assert.deepEqual([requests(), held().length], [[], 1]);
    });

    it("writes nothing where everything is as declared", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      await record.create(adopted(id, { country: "DE", note: null }), bench);
      assert.deepEqual(requests(), ["record.get"]);
    });

    it("fails clearly when there is no such record, and when a refusal leaves it as it was", async () => {
      const proven = "GET /api/apps/{app_id}/entities/{entity_name}/{entity_id}";
      await assert.rejects(
        record.create(adopted("rec_none", { country: "DE" }), bench),
        new RegExp(`record\\.get .*404.*"${proven.replaceAll(/[{}]/g, "\\$&")}"`),
      );
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      bench.simulator.objects.setEntity("app-1", "TaxRate", { readOnlyFields: ["country"] });
      await assert.rejects(record.create(adopted(id, { country: "AT" }), bench.later()), /refuses writing country/);
      assert.equal(held()[0]?.["country"], "DE");
    });

    it("is refused twice in a deployment", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      await record.create(adopted(id, { country: "DE" }), bench);
      await assert.rejects(record.create(adopted(id, { country: "AT" }), bench), /managed by another resource/);
    });
  });

  describe("restoring", () => {
    async function adopt(found: Record<string, unknown>, fields: Record<string, unknown>) {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", found);
      const inputs = { ...at, recordId: id, fields, deletionPolicy: "restore" };
      return { id, inputs, state: await record.create(inputs, bench) };
    }
    const now = () => ({ country: held()[0]?.["country"], percent: held()[0]?.["percent"] });

    it("puts the managed fields back, and only them", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT" });
      change(id, { percent: 10 });
      requests();
      await record.delete(state, bench.later());
      assert.deepEqual(requests(), ["record.get", `record.update {"country":"DE"}`]);
      assert.deepEqual(now(), { country: "DE", percent: 10 });
    });

    it("leaves alone what somebody changed since, and says so", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(id, { percent: 10 });
      const later = bench.later();
      await record.delete(state, later);
      assert.deepEqual(now(), { country: "DE", percent: 10 });
      assert.match(later.said.join(), /others changed percent since/);
    });

    it("leaves it alone also when a refresh saw the change first", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(id, { percent: 10 });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      await record.delete((await record.read(refreshed, bench.later())) ?? refreshed, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 10 });
    });

    it("puts it back after all when up wrote it again", async () => {
      const { id, state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(id, { percent: 10 });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      const repaired = await record.update(refreshed, inputs, bench.later());
      await record.delete(repaired, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 16 });
    });

    it("puts back what a field was when it began to be managed, and null where there was none", async () => {
      const { state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT" });
      const more = { ...inputs, fields: { country: "AT", percent: 19, note: "ours" } };
      const next = await record.update(state, more, bench.later());
      assert.deepEqual(next.valuesFound, { country: "DE", percent: 16, note: null });
      await record.delete(next, bench.later());
      assert.deepEqual([now(), held()[0]?.["note"]], [{ country: "DE", percent: 16 }, null]);
    });

    it("does not put back what left the program", async () => {
      const { state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      const next = await record.update(state, { ...inputs, fields: { country: "AT" } }, bench.later());
      await record.delete(next, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 19 });
    });

    it("puts back the value found also when a refresh saw the field gone twice", async () => {
      const { id, state, inputs } = await adopt({ country: "DE" }, { country: "AT" });
      const gone = held()[0] as Record<string, unknown>;
      const { country: _, ...rest } = gone;
      const hide = (): void =>
        bench.simulator.fault({ operation: "record.get", then: { status: 200, body: { ...rest, id } } });
      hide();
      const once = await record.read(state, bench.later());
      assert.ok(once);
      hide();
      const twice = await record.read(once, bench.later());
      assert.ok(twice);
      const repaired = await record.update(twice, inputs, bench.later());
      await record.delete(repaired, bench.later());
      assert.equal(now().country, "DE");
    });

    it("does not blame others for what a lost write may have changed", async () => {
      const { id, state } = await adopt({ percent: 16 }, { percent: 19 });
      change(id, { percent: 20 });
      const later = bench.later();
      await record.delete({ ...state, unconfirmed: true }, later);
      assert.match(later.said.join(), /others, or a write whose answer was lost, changed percent/);
      assert.equal(now().percent, 20);
    });

    it("says what was put back, and what to do where records must not be read", async () => {
      const { state } = await adopt({ country: "DE" }, { country: "AT" });
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(record.delete(state, documented), /record\.get is not called.*deletionPolicy/);
      const later = bench.later();
      await record.delete(state, later);
      assert.match(later.said.join(), /values found at adoption again in country/);
    });

    it("takes its own restoring for nobody's change when it runs again after a crash", async () => {
      const { state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      await record.delete(state, bench.later());
      requests();
      const later = bench.later();
      await record.delete(state, later);
      assert.deepEqual([now(), later.said], [{ country: "DE", percent: 16 }, []]);
      assert.deepEqual(requests(), ["record.get"]);
    });

    it("says to run again when nothing is known of the write", async () => {
      const { state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", skip: 1, times: 9, then: { status: 500 } });
      await assert.rejects(record.delete(state, bench.later()), /run the command again, which reads before it writes/);
    });

    it("fails when the service does not take the values back", async () => {
      const { state } = await adopt({ country: "DE" }, { country: "AT" });
      bench.simulator.fault({ operation: "record.update", then: { status: 200, body: held()[0] ?? {} } });
      await assert.rejects(record.delete(state, bench.later()), /did not take back .* country .*deletionPolicy/);
    });

    it("is done when the record is gone, and refused for one that was not adopted", async () => {
      const { id, state } = await adopt({ country: "DE" }, { country: "AT" });
      bench.simulator.objects.removeRecord("app-1", "TaxRate", id);
      await record.delete(state, bench.later());
      const created = await record.create(declared, bench);
      await assert.rejects(record.delete({ ...created, deletionPolicy: "restore" }, bench), /was not adopted/);
    });
  });

  describe("deleting", () => {
    it("is gone on refresh when it was removed, and deleting it then is done", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.objects.removeRecord("app-1", "TaxRate", state.recordId);
      assert.equal(await record.read(state, bench.later()), undefined);
      await record.delete(state, bench.later());
    });

    it("ends well when the answer was lost", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.fault({ operation: "record.delete", commit: true, then: "reset" });
      await record.delete(state, bench.later());
      assert.equal(held().length, 0);
    });

    it("is not done when only the path is missing", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.fault({ operation: "record.delete", times: 9, then: { status: 404 } });
      await assert.rejects(record.delete(state, bench.later()), /record\.delete is an assumed path/);
    });

    it("is refused with the other way where it must not be called", async () => {
      const state = await record.create(declared, bench);
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(
        record.delete(state, documented),
        /record\.delete is not called.*deletionPolicy to "retain"/,
      );
    });
  });

  describe("its arguments", () => {
    const problems = (inputs: object): string[] =>
      problemsOf(entityRecordLifecycle, inputs as never).map(({ property, reason }) => `${property}: ${reason}`);

    it("name neither the accounts of users nor what the service assigns", () => {
      assert.match(problems({ ...declared, entityName: "User" }).join(), /^entityName: must not be User: .*separate/);
      for (const name of ["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"])
        assert.match(
          problems({ ...at, fields: { [name]: "x", country: "DE" } }).join(),
          new RegExp(`^fields\\.${name}: is assigned by the service`),
        );
      assert.deepEqual(problems({ ...declared, entityName: "Users" }), []);
    });

    for (const fields of ["text", 1, [], null, undefined])
      it(`need an object of fields, not ${String(fields)} (${typeof fields})`, () => {
        assert.match(problems({ ...at, fields }).join(), /^fields: /);
      });

    it("refuse an assigned name whatever its value, also unknown, and the accounts however blank", () => {
      assert.match(problems({ ...at, fields: { id: unknownValue } }).join(), /^fields\.id: is assigned/);
      assert.match(problems({ ...declared, entityName: "User " }).join(), /^entityName: must not be User/);
    });

    it("refuse what would be sent as something else", () => {
      const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "a" };
      const hostile = JSON.parse('{"a": {"__proto__": 1}}') as object;
      assert.deepEqual(problems({ ...at, fields: { n: [1, NaN], i: -Infinity, asset, ...hostile } }), [
        "fields.n[1]: must be a finite number",
        "fields.i: must be a finite number",
        "fields.asset: must be JSON, and no asset or archive",
        "fields.a.__proto__: cannot be the name of a field",
      ]);
    });

    it("restore only what is adopted, and may be unknown at any depth", () => {
      assert.match(
        problems({ ...declared, deletionPolicy: "restore" }).join(),
        /^deletionPolicy: restore is for adopted records/,
      );
      assert.deepEqual(problems({ ...declared, deletionPolicy: "restore", recordId: unknownValue }), []);
      assert.deepEqual(problems({ ...at, entityName: unknownValue, fields: unknownValue }), []);
      assert.deepEqual(problems({ ...at, fields: { a: [{ b: unknownValue }] } }), []);
    });

    it("are refused at preview where the operation that they need must not be called", () => {
      const documented = bench.later({ documentedOnly: "true" });
      const needs = (inputs: object): string =>
        creationProblems(entityRecordLifecycle, inputs as never, documented)
          .map(({ reason }) => reason)
          .join();
      assert.match(needs(declared), /record\.create is not called.*adopt an existing record/);
      assert.match(needs({ ...declared, recordId: "rec_1" }), /record\.get is not called.*never done by writing/);
    });
  });
});
