import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import { onSimulator } from "./support";

const definition = { name: "Checkout", steps: ["Buy a mug", { expect: null }] };

describe("The simulator's tests", () => {
  const { simulator, clock, restart, get, post, put, remove } = onSimulator();

  const flows = "/api/apps/a/testing-agent/flows";
  const first = `${flows}/flow_1`;
  const create = (body: unknown = definition) => post(flows, body);
  const list = async () => operations["test.list"].answer.parse((await get(flows)).json).rows;

  it("are created, and returned with the definition and an id", async () => {
    const { json } = await create();
    const time = "2026-11-01T12:00:00.000";
    assert.deepEqual(json, { ...definition, id: "flow_1", created_date: `${time}Z`, updated_date: `${time}Z` });
    const read = { ...definition, id: "flow_1", created_date: time, updated_date: time };
    assert.deepEqual((await get(first)).json, read);
    assert.deepEqual((await get(flows)).json, { flows: [read] });
    assert.deepEqual(await list(), [{ ...read, created_date: `${time}Z` }]);
  });

  it("are returned with a flow_id, and without dates, when configured so", async () => {
    await restart({ testAnswers: { idField: "flow_id", dates: false } });
    const { json } = await create({ ...definition, id: "mine", flow_id: "mine" });
    assert.deepEqual(json, { ...definition, flow_id: "flow_1" });
    assert.equal(operations["test.create"].answer.parse(json).id, "flow_1");
    assert.deepEqual((await get(first)).json, json);
  });

  it("are replaced by an update", async () => {
    await create();
    clock.advance(1000);
    const { status, json } = await put(first, { name: "Other" });
    assert.equal(status, 200);
    const dates = { created_date: "2026-11-01T12:00:00.000", updated_date: "2026-11-01T12:00:01.000" };
    assert.deepEqual(json, { name: "Other", id: "flow_1", ...dates });
    assert.deepEqual(simulator.objects.test("a", "flow_1")?.definition, { name: "Other" });
  });

  it("are deleted permanently", async () => {
    await create();
    const removed = await remove(first);
    assert.deepEqual([removed.status, removed.json], [200, { success: true }]);
    for (const reply of [await remove(first), await get(first), await put(first, {})])
      assert.deepEqual([reply.status, reply.json.code], [404, "test_not_found"]);
    assert.deepEqual(await list(), []);
    assert.deepEqual(simulator.objects.cancelledRuns("a"), []);
  });

  it("that run are cancelled by their deletion, and by nothing else", async () => {
    await create();
    await create();
    const run = simulator.objects.startRun("a", "flow_1");
    assert.deepEqual(simulator.objects.test("a", "flow_1")?.running, [run]);
    await put(first, {});
    assert.deepEqual(simulator.objects.test("a", "flow_1")?.running, [run]);
    await remove(`${flows}/flow_2`);
    assert.deepEqual(simulator.objects.cancelledRuns(), []);
    clock.advance(1000);
    await remove(first);
    const cancelled = [{ id: run, flow_id: "flow_1", cancelled_at: "2026-11-01T12:00:01.000Z" }];
    assert.deepEqual(simulator.objects.cancelledRuns("a"), cancelled);
    assert.deepEqual(simulator.objects.cancelledRuns("b"), []);
    assert.throws(() => simulator.objects.startRun("a", "flow_1"), /App a has no test flow_1/);
  });

  it("need a definition that is an object, or return 422", async () => {
    await create();
    for (const body of ["[]", "null", "{", ""]) {
      assert.equal((await create(body)).status, 422, body);
      assert.equal((await put(first, body)).status, 422, body);
    }
    assert.equal(simulator.objects.tests("a").length, 1);
  });

  it("can be changed outside the API", async () => {
    const { objects } = simulator;
    const test = objects.putTest("a", { id: "flow_1", definition: { steps: [] } });
    (test.definition["steps"] as string[]).push("more");
    assert.deepEqual(objects.test("a", "flow_1")?.definition, { steps: [] }, "returned objects are copies");
    await create();
    const ids = objects.tests().map(({ id }) => id);
    assert.deepEqual(ids, ["flow_1", "flow_2"]);
    assert.deepEqual(objects.all().tests, { a: objects.tests("a") });
  });
});
