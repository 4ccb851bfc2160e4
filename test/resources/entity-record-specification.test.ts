import assert from "node:assert/strict";
import { problemsOf } from "../../provider/pulumi/check-step";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { type Bench, driven, seen, startBench } from "../support/deployment";

const record = driven(entityRecordLifecycle);
const at = { appId: "app-1", entityName: "TaxRate" };
const problems = (given: object): string[] =>
  problemsOf(entityRecordLifecycle, { ...at, fields: { country: "DE" }, ...given }).map(({ property }) => property);

describe("EntityRecord, by the specification", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({}, { appsHidingAuthorship: ["shy"] });
  });
  afterEach(() => bench.close());

  const { create, update } = record;
  const held = () => bench.simulator.objects.records("app-1", "TaxRate")[0];
  const bodies = (): string[] => {
    const all = seen(bench.simulator).filter((request) => request.startsWith("record.update"));
    bench.simulator.clearRequests();
    return all;
  };

  it("is not of the entity User, which would be a separate record set (rule 6)", () => {
    assert.deepEqual(problems({ entityName: "User" }), ["entityName"]);
    assert.deepEqual(problems({ entityName: "UserGroup" }), []);
  });

  it("refuses fields that the service assigns (rule 3)", () => {
    for (const name of ["id", "created_date", "updated_date", "created_by", "created_by_id"])
      assert.deepEqual(problems({ fields: { country: "DE", [name]: "x" } }), [`fields.${name}`]);
  });

  it("returns what the service assigned, times with a zone, and no author when the app hides it", async () => {
    const state = await create({ ...at, fields: { country: "DE" } }, bench);
    const { id, created_date, created_by } = held() ?? {};
    assert.deepEqual(
      [state.recordId, state.createdDate, state.createdBy, state.createdById, state.isSample],
      [id, created_date, created_by, "user", false],
    );
    assert.match(state.createdDate ?? "", /Z$/);
    const hidden = await create({ ...at, appId: "shy", fields: { country: "DE" } }, bench);
    assert.deepEqual([hidden.createdBy, hidden.createdById], [undefined, "user"]);
    assert.deepEqual(await record.read(hidden, bench.later()), hidden);
  });

  it("returns anonymous as the author of a record that nobody signed in created", async () => {
    const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE" });
    const state = await create({ ...at, recordId: id, fields: { country: "DE" } }, bench);
    assert.deepEqual([state.createdBy, state.createdById], ["anonymous", "anonymous"]);
  });

  it("distinguishes a record of sample data from one that was created", async () => {
    const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", is_sample: true });
    assert.equal((await create({ ...at, recordId: id, fields: { country: "DE" } }, bench)).isSample, true);
  });

  it("sends one flat object under the names of the schema, and does not change the other fields (rule 1)", async () => {
    const { id } = bench.simulator.objects.putRecord("app-1", "TaxRate", { country: "DE", percent: 19 });
    const adopted = await create({ ...at, recordId: id, overwrite: true, fields: { country: "AT" } }, bench);
    assert.deepEqual(bodies(), [`record.update {"country":"AT"}`]);
    assert.equal(held()?.["percent"], 19);
    await update(adopted, { ...at, recordId: id, fields: { country: "CH", Tax_Code: "x" } }, bench);
    assert.deepEqual(bodies(), [`record.update {"country":"CH","Tax_Code":"x"}`]);
  });

  it("does not report a change as done when the service dropped its field (rule 2)", async () => {
    bench.simulator.objects.setEntity("app-1", "TaxRate", { fields: ["country"] });
    const state = await create({ ...at, fields: { country: "DE" } }, bench);
    await assert.rejects(update(state, { ...at, fields: { country: "DE", percnt: 19 } }, bench), /percnt/);
  });

  for (const refusalStatus of [400, 403, 404, 409, 422])
    for (const [rule, schema] of Object.entries({
      "row-level": { updateRule: { country: "FR" } },
      "field-level": { readOnlyFields: ["percent"] },
    }))
      it(`fails without any change when the ${rule} rule refuses with ${String(refusalStatus)} (rule 4)`, async () => {
        const state = await create({ ...at, fields: { country: "DE", percent: 16 } }, bench);
        bench.simulator.objects.setEntity("app-1", "TaxRate", { ...schema, refusalStatus });
        await assert.rejects(update(state, { ...at, fields: { country: "AT", percent: 19 } }, bench.later()), {
          message: new RegExp(String(refusalStatus)),
        });
        assert.deepEqual([held()?.["country"], held()?.["percent"]], ["DE", 16]);
        assert.equal(bodies().length, 1, "a refused request is not sent again");
      });

  it("is written once for one change, because every write triggers automations (rule 5)", async () => {
    const state = await create({ ...at, fields: { country: "DE" } }, bench);
    await update(state, { ...at, fields: { country: "DE" } }, bench);
    bench.simulator.fault({ operation: "record.update", commit: true, then: { status: 502 } });
    await update(state, { ...at, fields: { country: "AT" } }, bench);
    const writes = bench.simulator.objects.recordWrites("app-1", "TaxRate").map(({ action }) => action);
    assert.deepEqual(writes, ["create", "update"]);
  });
});
