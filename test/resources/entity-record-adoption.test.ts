import assert from "node:assert/strict";
import { creationProblems, problemsOf } from "../../provider/pulumi/check-step";
import { unknownValue } from "../../provider/serializable";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { type Bench, startBench, unchanged } from "../support/deployment";
import { at, change, declared, held, record, requests } from "../support/records";

describe("EntityRecord", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  describe("adopting", () => {
    const adopted = (id: string, fields: object) => ({ ...at, recordId: id, fields });

    it("names every field that differs, shows no value, and changes nothing", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", percent: 16, other: 1 });
      const before = held(bench);
      const fields = { country: "DE", percent: 19, note: "canary", since: null };
      await assert.rejects(record.create(adopted(id, fields), bench), (error: Error) => {
        assert.deepEqual(error.message.split("\n"), [
          `The TaxRate record ${id} of app app-1 was not adopted: it differs from what is declared (found → declared). Nothing was changed. [WA1302]`,
          "  fields.percent: (hidden) → (hidden)",
          "  fields.note: none → (hidden)",
          "  - Declare the values that it has in the service.",
          "  - Or set overwrite: true, and `pulumi up` changes it to what is declared.",
        ]);
        return true;
      });
      assert.deepEqual([requests(bench), held(bench)], [["record.get"], before]);
    });

    it("sends the fields that differ with overwrite, and retains on destroy", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", percent: 16 });
      const inputs = { ...adopted(id, { country: "DE", percent: 19 }), overwrite: true };
      const state = await record.create(inputs, bench);
      assert.deepEqual(requests(bench), ["record.get", `record.update {"percent":19}`]);
      for (const overwrite of [true, false, undefined])
        assert.deepEqual(await record.preview(state, { ...inputs, overwrite }, bench.later()), unchanged);
      const later = bench.later();
      await record.delete(state, later);
      assert.deepEqual([requests(bench), held(bench).length], [[], 1]);
      assert.match(later.said.join(), new RegExp(`TaxRate record ${id} of app app-1 is retained`));
    });

    it("writes nothing when everything is as declared", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      await record.create(adopted(id, { country: "DE", note: null }), bench);
      assert.deepEqual(requests(bench), ["record.get"]);
    });

    it("fails clearly when the record does not exist, and when a refusal leaves it unchanged", async () => {
      const proven = "GET /your/path/{app_id}/{entity_name}/{entity_id}";
      await assert.rejects(
        record.create(adopted("rec_none", { country: "DE" }), bench),
        new RegExp(`record\\.get .*404.*"${proven.replaceAll(/[{}]/g, "\\$&")}"`, "s"),
      );
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      bench.simulator.objects.setEntity("app-1", "TaxRate", { readOnlyFields: ["country"] });
      const overwriting = { ...adopted(id, { country: "AT" }), overwrite: true };
      await assert.rejects(record.create(overwriting, bench.later()), /refuses writing country/);
      assert.equal(held(bench)[0]?.["country"], "DE");
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
      const inputs = { ...at, recordId: id, fields, overwrite: true, deletionPolicy: "restore" };
      return { id, inputs, state: await record.create(inputs, bench) };
    }
    const now = () => ({ country: held(bench)[0]?.["country"], percent: held(bench)[0]?.["percent"] });

    it("writes back the managed fields, and only those", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT" });
      change(bench, id, { percent: 10 });
      requests(bench);
      await record.delete(state, bench.later());
      assert.deepEqual(requests(bench), ["record.get", `record.update {"country":"DE"}`]);
      assert.deepEqual(now(), { country: "DE", percent: 10 });
    });

    it("writes back the value found at adoption also when a later up changed it", async () => {
      const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
      const inputs = { ...at, recordId: id, fields: { country: "DE" }, deletionPolicy: "restore" };
      const state = await record.create(inputs, bench);
      assert.deepEqual(state.valuesFound, { country: "DE" });
      const changed = await record.update(state, { ...inputs, fields: { country: "AT" } }, bench.later());
      await record.delete(changed, bench.later());
      assert.equal(now().country, "DE");
    });

    it("leaves fields that somebody changed since, and says so", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(bench, id, { percent: 10 });
      const later = bench.later();
      await record.delete(state, later);
      assert.deepEqual(now(), { country: "DE", percent: 10 });
      assert.match(later.said.join(), /Others changed percent of .* since/);
    });

    it("leaves a field also when a refresh saw the change first", async () => {
      const { id, state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(bench, id, { percent: 10 });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      await record.delete((await record.read(refreshed, bench.later())) ?? refreshed, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 10 });
    });

    it("writes the other fields back at once, and names those that others changed, seen by a refresh or not", async () => {
      const found = { country: "DE", percent: 16, label: "same", owner: "ann" };
      const declared = { country: "AT", percent: 19, label: "same", owner: "bob", note: "added" };
      const { id, state } = await adopt({ ...found, unmanaged: true }, declared);
      change(bench, id, { percent: 10 });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      change(bench, id, { owner: "cleo" });
      requests(bench);
      const later = bench.later();
      await record.delete(refreshed, later);
      assert.match(
        later.said.join(),
        new RegExp(`Others changed percent, owner of the TaxRate record ${id} of app app-1`),
      );
      assert.deepEqual(requests(bench), ["record.get", `record.update {"country":"DE","note":null}`]);
      const restored = { ...found, percent: 10, owner: "cleo", note: null, unmanaged: true };
      const [now] = held(bench);
      assert.deepEqual({ ...now, ...restored }, now);
    });

    it("writes a field back after an up wrote it again", async () => {
      const { id, state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      change(bench, id, { percent: 10 });
      const refreshed = await record.read(state, bench.later());
      assert.ok(refreshed);
      const repaired = await record.update(refreshed, inputs, bench.later());
      await record.delete(repaired, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 16 });
    });

    it("writes back the value from when a field became managed, or null if it was absent", async () => {
      const { state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT" });
      const more = { ...inputs, fields: { country: "AT", percent: 19, note: "ours" } };
      const next = await record.update(state, more, bench.later());
      assert.deepEqual(next.valuesFound, { country: "DE", percent: 16, note: null });
      await record.delete(next, bench.later());
      assert.deepEqual([now(), held(bench)[0]?.["note"]], [{ country: "DE", percent: 16 }, null]);
    });

    it("does not write back fields that were removed from the program", async () => {
      const { state, inputs } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      const next = await record.update(state, { ...inputs, fields: { country: "AT" } }, bench.later());
      await record.delete(next, bench.later());
      assert.deepEqual(now(), { country: "DE", percent: 19 });
    });

    it("writes back the original value also when a refresh twice saw the field gone", async () => {
      const { id, state, inputs } = await adopt({ country: "DE" }, { country: "AT" });
      const gone = held(bench)[0] as Record<string, unknown>;
      const { country: _, ...rest } = gone;
      const hide = (): void => {
        bench.simulator.fault({ operation: "record.get", then: { status: 200, body: { ...rest, id } } });
      };
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

    it("does not blame others for a change that a write with a lost response may have made", async () => {
      const { id, state } = await adopt({ percent: 16 }, { percent: 19 });
      change(bench, id, { percent: 20 });
      const later = bench.later();
      await record.delete({ ...state, unconfirmed: true }, later);
      assert.match(later.said.join(), /Others, or a write whose response was lost, changed percent/);
      assert.equal(now().percent, 20);
    });

    it("says what was written back, and what to do when records must not be read", async () => {
      const { state } = await adopt({ country: "DE" }, { country: "AT" });
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(record.delete(state, documented), /record\.get is not called.*deletionPolicy/s);
      const later = bench.later();
      await record.delete(state, later);
      assert.match(later.said.join(), /values found at adoption again in country/);
    });

    it("does not mistake its own restore for somebody else's change when it runs again after a crash", async () => {
      const { state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      await record.delete(state, bench.later());
      requests(bench);
      const later = bench.later();
      await record.delete(state, later);
      assert.deepEqual([now(), later.said], [{ country: "DE", percent: 16 }, []]);
      assert.deepEqual(requests(bench), ["record.get"]);
    });

    it("says to run again when the outcome of the write is unknown", async () => {
      const { state } = await adopt({ country: "DE", percent: 16 }, { country: "AT", percent: 19 });
      bench.simulator.fault({ operation: "record.update", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "record.get", skip: 1, times: 9, then: { status: 500 } });
      await assert.rejects(record.delete(state, bench.later()), /Run the command again\. It reads before it writes\./);
    });

    it("fails when the service does not accept the values", async () => {
      const { state } = await adopt({ country: "DE" }, { country: "AT" });
      bench.simulator.fault({ operation: "record.update", then: { status: 200, body: held(bench)[0] ?? {} } });
      await assert.rejects(record.delete(state, bench.later()), /did not take back .* country .*deletionPolicy/s);
    });

    it("succeeds when the record is gone, and is refused for a record that was not adopted", async () => {
      const { id, state } = await adopt({ country: "DE" }, { country: "AT" });
      bench.simulator.objects.removeRecord("app-1", "TaxRate", id);
      await record.delete(state, bench.later());
      const created = await record.create(declared, bench);
      await assert.rejects(record.delete({ ...created, deletionPolicy: "restore" }, bench), /had before are not known/);
    });
  });

  describe("deleting", () => {
    it("is detected on refresh after a manual removal, and deleting then succeeds", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.objects.removeRecord("app-1", "TaxRate", state.recordId);
      assert.equal(await record.read(state, bench.later()), undefined);
      await record.delete(state, bench.later());
    });

    it("succeeds when the response was lost", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.fault({ operation: "record.delete", commit: true, then: "reset" });
      await record.delete(state, bench.later());
      assert.equal(held(bench).length, 0);
    });

    it("does not succeed when only the path is missing", async () => {
      const state = await record.create(declared, bench);
      bench.simulator.fault({ operation: "record.delete", times: 9, then: { status: 404 } });
      await assert.rejects(record.delete(state, bench.later()), /path of record\.delete is assumed/);
    });

    it("is refused, with an alternative, when it must not be called", async () => {
      const state = await record.create(declared, bench);
      const documented = bench.later({ documentedOnly: "true" });
      await assert.rejects(
        record.delete(state, documented),
        /record\.delete is not called.*deletionPolicy to "retain"/s,
      );
    });
  });

  describe("its arguments", () => {
    const problems = (inputs: object): string[] =>
      problemsOf(entityRecordLifecycle, inputs as never).map(({ property, reason }) => `${property}: ${reason}`);

    it("refuse the entity User and fields that the service assigns", () => {
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

    it("refuse an assigned name with any value, also unknown, and the entity User also with a space after it", () => {
      assert.match(problems({ ...at, fields: { id: unknownValue } }).join(), /^fields\.id: is assigned/);
      assert.match(problems({ ...declared, entityName: "User " }).join(), /^entityName: must not be User/);
    });

    it("refuse values that would be sent as something else", () => {
      const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "a" };
      const hostile = JSON.parse('{"a": {"__proto__": 1}}') as object;
      assert.deepEqual(problems({ ...at, fields: { n: [1, NaN], i: -Infinity, asset, ...hostile } }), [
        "fields.n[1]: must be a finite number",
        "fields.i: must be a finite number",
        "fields.asset: must be JSON, not an asset or archive",
        "fields.a.__proto__: cannot be the name of a field",
      ]);
    });

    it("allow restore only for adopted records, and may be unknown at any depth", () => {
      assert.match(
        problems({ ...declared, deletionPolicy: "restore" }).join(),
        /^deletionPolicy: "restore" is for adopted records/,
      );
      assert.deepEqual(problems({ ...declared, deletionPolicy: "restore", recordId: unknownValue }), []);
      assert.deepEqual(problems({ ...at, entityName: unknownValue, fields: unknownValue }), []);
      assert.deepEqual(problems({ ...at, fields: { a: [{ b: unknownValue }] } }), []);
    });

    it("are refused at preview when the operation that they need must not be called", () => {
      const documented = bench.later({ documentedOnly: "true" });
      const needs = (inputs: object): string =>
        creationProblems(entityRecordLifecycle, inputs as never, documented)
          .map(({ reason }) => reason)
          .join();
      assert.match(needs(declared), /record\.create is not called.*adopt an existing record/s);
      assert.match(needs({ ...declared, recordId: "rec_1" }), /record\.get is not called.*Set the path/s);
    });
  });
});
