import assert from "node:assert/strict";
import type { StoredRecord } from "../../simulator";
import { operations } from "../../provider/service/operations";
import { onSimulator, type Reply } from "./support";

describe("The simulator's records", () => {
  const service = onSimulator();
  const { simulator, clock, restart } = service;

  const at = (id?: string, entity = "Task", app = "a") =>
    `/api/apps/${app}/entities/${entity}${id === undefined ? "" : `/${id}`}`;
  const recordIn = async (reply: Promise<Reply>) => (await reply).json as unknown as StoredRecord;
  const create = (body: unknown, entity?: string, app?: string) =>
    recordIn(service.post(at(undefined, entity, app), body));
  const put = (id: string, body: unknown, entity?: string) => service.put(at(id, entity), body);
  const get = (id: string, entity?: string) => recordIn(service.get(at(id, entity)));
  const list = async (entity?: string) =>
    (await service.get(at(undefined, entity))).json.items as unknown as StoredRecord[];
  const writes = () => simulator.objects.recordWrites("a", "Task").map(({ action, id }) => [action, id]);

  it("are created with the assigned fields, and not as sample data", async () => {
    const created = await create({ title: "Write", is_sample: true });
    assert.deepEqual(created, {
      title: "Write",
      id: "rec_1",
      created_date: "2026-11-01T12:00:00.000Z",
      updated_date: "2026-11-01T12:00:00.000Z",
      created_by: "user@example.com",
      created_by_id: "user",
      is_sample: false,
    });
    assert.equal(operations["record.create"].answer.parse(created).id, "rec_1");
  });

  it("are read and listed without the Z, in the shape that the provider expects", async () => {
    const created = await create({ title: "Write" });
    const read = { ...created, created_date: "2026-11-01T12:00:00.000", updated_date: "2026-11-01T12:00:00.000" };
    assert.deepEqual(await get(created.id), read);
    assert.deepEqual(await list(), [read]);
    const { json } = await service.get(at());
    const [row] = operations["record.list"].answer.parse(json).rows;
    assert.equal(row?.created_date, "2026-11-01T12:00:00.000Z");
  });

  it("keep a field that an update omits (rule 1)", async () => {
    const { id } = await create({ title: "Write", done: false });
    clock.advance(1000);
    const { status, json } = await put(id, { done: true });
    const answer = json as unknown as StoredRecord;
    assert.equal(status, 200);
    assert.deepEqual([answer["title"], answer["done"]], ["Write", true]);
    assert.equal(answer.updated_date, "2026-11-01T12:00:01.000");
    assert.equal(answer.created_date, "2026-11-01T12:00:00.000");
    assert.deepEqual(await get(id), answer);
  });

  it("drop names that the schema does not declare, without error (rule 2)", async () => {
    await restart({ entities: { a: { Task: { fields: ["title"] } } } });
    const { id, ...created } = await create({ title: "Write", titel: "Misspelled" });
    assert.deepEqual([created["title"], "titel" in created], ["Write", false]);
    assert.equal((await put(id, { titel: "Again", title: "Read" })).status, 200);
    assert.deepEqual([(await get(id))["title"], "titel" in (await get(id))], ["Read", false]);
    assert.equal((await create({ anything: 1 }, "constructor"))["anything"], 1, "another entity has no schema");
    simulator.objects.setEntity("a", "Task", { fields: ["titel"] });
    await put(id, { titel: "Declared since" });
    assert.equal((await get(id))["titel"], "Declared since");
  });

  it("ignore assigned fields in a request (rule 3)", async () => {
    const { id } = await create({});
    const before = await get(id);
    const [time, user] = ["2000-01-01T00:00:00Z", "somebody"];
    const assigned = { created_date: time, updated_date: time, created_by: user, created_by_id: user };
    const sent = { id: "other", ...assigned, is_sample: true };
    assert.equal((await put(id, sent)).status, 200);
    assert.deepEqual(await get(id), before);
    assert.equal((await create(sent)).id, "rec_2");
  });

  it("refuse an update that the row-level rule does not cover (rule 4)", async () => {
    await restart({ entities: { a: { Task: { updateRule: { tags: ["open"] } } } } });
    const { id } = await create({ title: "Write", tags: ["open"] });
    assert.equal((await put(id, { tags: [] })).status, 200);
    const refused = await put(id, { title: "Read" });
    assert.deepEqual([refused.status, refused.json.code], [403, "row_level_rule"]);
    assert.equal((await get(id))["title"], "Write");
    simulator.objects.setEntity("a", "Task", { updateRule: { created_by_id: "user" } });
    assert.equal((await put(id, { title: "Read" })).status, 200);
  });

  it("refuse an update in full when the field-level rule refuses one field (rule 4)", async () => {
    await restart({ entities: { a: { Task: { readOnlyFields: ["price"], refusalStatus: 422 } } } });
    const { id } = await create({ title: "Write", price: 1 });
    const before = await get(id);
    const refused = await put(id, { title: "Read", price: 1 });
    assert.deepEqual([refused.status, refused.json.code], [422, "field_level_rule"]);
    assert.deepEqual(await get(id), before);
    assert.equal((await put(id, { title: "Read" })).status, 200);
  });

  it("count each successful write, because it triggers automations (rule 5)", async () => {
    const { id } = await create({ title: "Write" });
    await put(id, { title: "Write" });
    simulator.objects.setEntity("a", "Task", { readOnlyFields: ["title"] });
    await put(id, { title: "Refused" });
    await put("none", {});
    simulator.fault({ operation: "record.update", commit: true, then: { status: 500 } });
    await put(id, {});
    await get(id);
    await list();
    simulator.objects.changeRecord("a", "Task", id, { title: "By hand" });
    await service.remove(at(id));
    assert.deepEqual(writes(), [
      ["create", id],
      ["update", id],
      ["update", id],
      ["delete", id],
    ]);
    assert.equal(simulator.objects.recordWrites().length, 4);
    assert.deepEqual(simulator.objects.recordWrites("a", "User"), []);
  });

  it("of User do not fail, and are a separate set (rule 6)", async () => {
    const { id } = await create({ email: "ann@example.com" }, "User");
    assert.equal((await put(id, { role: "admin" }, "User")).status, 200);
    assert.equal((await get(id, "User"))["role"], "admin");
    assert.deepEqual(await list(), []);
  });

  it("keep every value exactly", async () => {
    const values = {
      nothing: null,
      no: false,
      zero: 0,
      empty: "",
      none: [],
      nested: { list: [{ deep: null }, [0, false, ""]], object: {} },
      tiny: 1e-300,
      text: "é 💾 \u0000 \\ %2F",
      constructor: "own",
    };
    const sent = JSON.stringify(values).replace("{", '{"__proto__": {"own": true}, ');
    const { id } = await create(sent);
    const { text } = await service.get(at(id));
    for (const [name, value] of Object.entries(JSON.parse(sent) as object))
      assert.deepEqual(Object.getOwnPropertyDescriptor(JSON.parse(text), name)?.value, value, name);
    await put(id, { zero: null, nested: [] });
    const { zero, nested } = (await get(id)) as Record<string, unknown>;
    assert.deepEqual([zero, nested], [null, []]);
  });

  it("lose the Z of date-times when stored, at any depth, and of nothing else", async () => {
    const due = "2026-12-01T10:00:00Z";
    const others = { day: "2026-12-01", offset: "2026-12-01T10:00:00+01:00", grade: "Z" };
    const created = await create({ due, steps: [{ due: "2026-12-01T10:00:00.000Z" }], ...others });
    assert.equal(created["due"], due);
    const stored = { due: "2026-12-01T10:00:00", steps: [{ due: "2026-12-01T10:00:00.000" }], ...others };
    for (const read of [await get(created.id), (await list())[0], (await put(created.id, {})).json])
      assert.deepEqual({ ...(read as StoredRecord), ...stored }, read);
    assert.equal(simulator.objects.record("a", "Task", created.id)?.["due"], due);
    await restart({ datesLoseTheirZone: false });
    const kept = await get((await create({ due })).id);
    assert.deepEqual([kept["due"], kept.created_date], [due, "2026-11-01T12:00:00.000"]);
  });

  it("have no created_by in apps that hide authorship", async () => {
    await restart({ appsHidingAuthorship: ["a"] });
    const created = await create({});
    for (const record of [created, await get(created.id), (await list())[0], (await put(created.id, {})).json])
      assert.deepEqual(["created_by" in (record ?? {}), (record as StoredRecord).created_by_id], [false, "user"]);
    assert.equal((await create({}, "Task", "b")).created_by, "user@example.com");
  });

  it("are gone after a deletion, and return 404 from then on", async () => {
    const { id } = await create({});
    const removed = await service.remove(at(id));
    assert.deepEqual([removed.status, removed.json], [200, { success: true }]);
    const calls = [service.remove(at(id)), service.get(at(id)), put(id, {}), service.get(at("rec_1", "Other"))];
    for (const { status, json } of await Promise.all(calls))
      assert.deepEqual([status, json.code], [404, "record_not_found"]);
    assert.equal((await create({})).id, "rec_2", "an id is not reused");
  });

  it("must be JSON objects, or return 422", async () => {
    const { id } = await create({});
    for (const body of ["[]", "7", "null", "{", ""]) {
      assert.equal((await service.post(at(), body)).status, 422, body);
      assert.equal((await put(id, body)).status, 422, body);
    }
    assert.equal(simulator.objects.records("a", "Task").length, 1);
  });

  it("name the user who created them", async () => {
    await restart({ credentials: [{ value: "full-access-token", kind: "personal-token", user: "ann@example.com" }] });
    assert.equal((await create({})).created_by, "ann@example.com");
  });

  it("can be changed outside the API", async () => {
    const { objects } = simulator;
    const record = objects.putRecord("a", "Task", { id: "rec_1", tags: ["x"], is_sample: true });
    (record["tags"] as string[]).push("y");
    assert.deepEqual((await get("rec_1"))["tags"], ["x"], "returned objects are copies");
    objects.changeRecord("a", "Task", "rec_1", { tags: [] });
    const read = await get("rec_1");
    assert.deepEqual([read["tags"], read.is_sample, read.created_by_id], [[], true, "anonymous"]);
    assert.throws(() => objects.changeRecord("a", "Task", "none", {}), /App a has no Task record none/);
    assert.equal((await create({})).id, "rec_2");
  });
});
