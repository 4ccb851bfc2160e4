import assert from "node:assert/strict";
import type { StoredRecord } from "../../simulator";
import { assertDone, assertFailed, programOf, type PulumiProject } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

const app = "app-1";
const entity = "Task";

/** A JavaScript program with these records. */
const program = (declarations: string): string => `
  const { secret } = require("@pulumi/pulumi");
  const { EntityRecord } = require("pulumi-workspace-apps");
  const at = { appId: "${app}", entityName: "${entity}" };
  ${declarations}`;

/** A program with these records, by name. */
const records = (declared: Record<string, object>): string =>
  program(
    Object.entries(declared)
      .map(([name, args]) => `new EntityRecord("${name}", { ...at, ...${JSON.stringify(args)} });`)
      .join("\n"),
  );

describe("EntityRecord on the real engine", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => newRequests(simulator);
  const live = (entityName = entity): StoredRecord[] => simulator.objects.records(app, entityName);
  /** The fields of a record, without those that the service assigns. */
  const held = (recordId: string): Record<string, unknown> => {
    const record: Partial<StoredRecord> = simulator.objects.record(app, entity, recordId) ?? {};
    const { id, created_date, updated_date, created_by, created_by_id, is_sample, ...fields } = record;
    return fields;
  };
  const change = (id: string, fields: Partial<StoredRecord>): void => {
    simulator.objects.changeRecord(app, entity, id, fields);
  };

  /** The managed fields in state, by the resource's name. */
  async function stored(stack: PulumiProject): Promise<Record<string, unknown>> {
    const resources = await stack.stored();
    return Object.fromEntries(
      resources.map(({ urn, inputs, outputs }): [string, unknown] => {
        const fields = outputs?.["fields"];
        assert.deepEqual(inputs?.["fields"], fields, "inputs and outputs are equal");
        return [urn.split("::").at(-1) ?? "", fields];
      }),
    );
  }

  it("keeps any values through its lifecycle, and sends only differences", async () => {
    const values = {
      nothing: null,
      no: false,
      zero: 0,
      empty: "",
      list: [],
      object: {},
      nested: { items: [null, { deep: [false, 0, "", [], {}] }], nothing: null, due: "2026-11-15T10:00:00Z" },
      day: "2026-11-15",
      at: "2026-11-15T10:00:00Z",
      elsewhere: "2026-11-15T12:00:00.250+02:00",
    };
    const note = { entityName: "Note", fields: { title: "One", label: "kept" } };
    const stack = await project(records({ values: { fields: values }, note }));
    assertDone(await stack.up(), { create: 2 });
    const { id } = live()[0] ?? { id: "" };
    assert.deepEqual(held(id), values);
    assert.deepEqual(await stored(stack), { values, note: note.fields });
    requests();

    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(requests(), [], "a preview sends no request");
    assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
    assert.deepEqual(requests(), ["record.get", "record.get"]);

    change(id, { zero: 1, at: "2026-11-15T10:00:00", unmanaged: "theirs" });
    assertDone(await stack.refresh());
    assert.deepEqual(await stored(stack), { values: { ...values, zero: 1 }, note: note.fields });
    requests();
    const shorter = { ...note, fields: { title: "One" } };
    assertDone(await stack.apply(records({ values: { fields: values }, note: shorter })), { update: 2 });
    assert.deepEqual(requests(), [`record.update {"zero":0}`]);
    assert.deepEqual([held(id)["zero"], held(id)["unmanaged"], live("Note")[0]?.["label"]], [0, "theirs", "kept"]);
    assert.deepEqual(await stored(stack), { values, note: shorter.fields });

    simulator.objects.setEntity(app, entity, { readOnlyFields: ["no"] });
    simulator.objects.setEntity(app, "Note", { readOnlyFields: ["title"], refusalStatus: 418 });
    const changed = { values: { fields: { ...values, no: true } }, note: { ...note, fields: { title: "Two" } } };
    await stack.write(records(changed));
    const refused = await stack.up("--continue-on-error");
    assertFailed(refused, /record\.update failed: the service answered 403\..*Request: PUT \S*Task/);
    assertFailed(
      refused,
      /record\.update failed: the service answered 418\..*Request: PUT \S*Note.*does not have what was sent/,
    );
    assert.deepEqual(await stored(stack), { values, note: shorter.fields });
    simulator.objects.setEntity(app, entity, {});
    simulator.objects.setEntity(app, "Note", {});
    requests();
    assertDone(await stack.up(), { update: 2 });
    assert.deepEqual(requests().toSorted(), [`record.update {"no":true}`, `record.update {"title":"Two"}`]);

    assertDone(await stack.destroy(), { delete: 2 });
    assert.deepEqual([live(), live("Note")], [[], []]);
  });

  it("keeps a dropped field as a secret, and sends it again only after its declaration has changed", async () => {
    const secretEntity = "Account";
    simulator.objects.setEntity(app, secretEntity, { fields: ["title"] });
    const account = (fields: string): string =>
      program(`new EntityRecord("account", { ...at, entityName: "${secretEntity}", fields: ${fields} });`);
    const stack = await project(account(`{ title: "t", pni: secret("canary-dropped") }`));
    assertFailed(await stack.up(), /Dropped: pni/);
    assert.doesNotMatch(await stack.rawState(), /canary-dropped/);
    requests();
    assertFailed(await stack.up(), /was not written.*Dropped: pni/);
    await stack.refresh();
    assertFailed(await stack.up(), /was not written.*Dropped: pni/);
    assert.doesNotMatch(await stack.rawState(), /canary-dropped/);
    assert.deepEqual(
      requests().filter((request) => !request.startsWith("record.get")),
      [],
    );
    assertDone(await stack.apply(account(`{ title: "t" }`)), { update: 1 });
    assertDone(await stack.preview("--expect-no-changes"), {});
    assertDone(await stack.destroy(), { delete: 1 });
  });

  it("reports problems with the name of the argument at preview, and accepts unknown values", async () => {
    const wrong = { appId: app, entityName: "User", fields: { id: "1", created_date: "2026-11-15", title: "t" } };
    const stack = await project(programOf("EntityRecord", wrong));
    const preview = () => stack.pulumi("preview", "--non-interactive");
    const run = await preview();
    assertFailed(run, /'tested' has a problem: entityName must not be User/);
    assertFailed(run, /'tested' has a problem: fields\.id is assigned by the service/);
    assertFailed(run, /'tested' has a problem: fields\.created_date is assigned by the service/);
    assert.doesNotMatch(run.output, /<nil>/, "the engine shows no value for the path of a nested argument");
    await stack.write(program(`new EntityRecord("tested", { ...at, fields: [secret("canary")] });`));
    const hiding = await preview();
    assertFailed(hiding, /'tested' has a problem: fields must be an object: the entity's fields/);
    assert.doesNotMatch(hiding.output, /canary/);

    await stack.write(
      program(`
        const parent = new EntityRecord("parent", { ...at, entityName: "List", fields: {} });
        new EntityRecord("child", { ...at, fields: { title: "t", of: parent.recordId, all: [{ id: parent.recordId }] } });
        new EntityRecord("whole", { ...at, entityName: "Note", fields: parent.recordId.apply((of) => ({ of })) });`),
    );
    assertDone(await stack.preview(), { create: 3 });
    assert.deepEqual(requests(), []);
    assertDone(await stack.up(), { create: 3 });
    const of = live("List")[0]?.id;
    assert.deepEqual(
      [live()[0]?.["title"], live()[0]?.["of"], live()[0]?.["all"], live("Note")[0]?.["of"]],
      ["t", of, [{ id: of }], of],
    );
  });
});
