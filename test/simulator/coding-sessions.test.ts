import assert from "node:assert/strict";
import type { CodingSession } from "../../simulator";
import { operations } from "../../provider/service/operations";
import { bearer, onSimulator } from "./support";

const body = { prompt: "Limit the API to 100 requests a minute.", title: "Add a rate limit" };

describe("The simulator's coding sessions", () => {
  const { simulator, get, ...service } = onSimulator({ repositories: { connected: "team/app" } });

  const sessions = (app = "a") => `/api/apps/${app}/coding-sessions`;
  const post = (fields: unknown, key = "key", app?: string) =>
    service.post(sessions(app), fields, { ...bearer("full-access-token"), "idempotency-key": key });
  const launch = async (fields = {}, key?: string, app?: string) =>
    (await post({ ...body, ...fields }, key, app)).json as unknown as CodingSession;
  const count = () => simulator.objects.codingSessions().length;

  it("are launched as queued, with the key and the connected repository", async () => {
    const session = await launch({ client_reference: "ticket-1" }, "key-1", "connected");
    assert.deepEqual(session, {
      ...{ id: "cs_1", state: "queued", repository_full_name: "team/app", launch_key: "key-1" },
      ...{ client_reference: "ticket-1", branch_id: null, branch_name: null, pull_request: null, error_code: null },
      ...{ session_url: null, message_id: null, input_request_id: null, outcome: null, summary: null },
    });
    assert.equal(operations["codingSession.launch"].answer.parse(session).id, "cs_1");
    const read = await get(`${sessions("connected")}/cs_1`);
    assert.deepEqual([read.status, read.json], [200, session]);
    assert.equal((await get(`${sessions()}/cs_1`)).status, 404);
  });

  it("are the same session for the same key and inputs, and null equals omitted", async () => {
    const first = await launch({ source_ref: null });
    assert.deepEqual(await launch({ commit_message: null }), first);
    assert.notEqual((await launch({}, "other-key")).id, first.id);
    assert.notEqual((await launch({}, "key", "b")).id, first.id, "a key belongs to the app");
    assert.equal(count(), 3);
  });

  it("return the current session for a retry", async () => {
    const { id } = await launch();
    simulator.objects.changeCodingSession("a", id, { state: "running", branch_name: "fix" });
    simulator.objects.setRepository("a", "team/moved");
    const again = await launch();
    assert.deepEqual(
      [again.id, again.state, again.branch_name, again.repository_full_name],
      [id, "running", "fix", "example/app"],
    );
  });

  it("refuse a used key with other inputs, and launch nothing", async () => {
    await launch({ client_reference: "ticket-1" });
    for (const fields of [
      { prompt: "Other" },
      { title: "Other" },
      { existing_branch: "b" },
      { source_ref: "main" },
      { pull_request_body: "" },
      { commit_message: "c" },
      { expected_repository_full_name: "example/app" },
      { client_reference: "ticket-2" },
    ]) {
      const { status, json } = await post({ ...body, ...fields });
      assert.deepEqual([status, json.code], [409, "idempotency_key_reused"], JSON.stringify(fields));
    }
    assert.equal(count(), 1);
  });

  it("may be retried without the known client reference, and not with a new one", async () => {
    const first = await launch({ client_reference: "ticket-1" });
    assert.deepEqual(await launch(), first);
    assert.deepEqual(await launch({ client_reference: null }), first);
    await launch({}, "without");
    assert.equal((await post({ ...body, client_reference: "ticket-1" }, "without")).status, 409);
  });

  it("are launched once although the response was lost, and the log shows the key", async () => {
    simulator.fault({ operation: "codingSession.launch", commit: true, then: "reset" });
    await assert.rejects(post(body));
    await launch();
    assert.equal(count(), 1);
    assert.deepEqual(
      simulator.requests.map((entry) => [entry.idempotencyKey, entry.status]),
      [
        ["key", "reset"],
        ["key", 200],
      ],
    );
  });

  it("need an Idempotency-Key of 1 to 200 plain characters", async () => {
    for (const key of ["", "x".repeat(201), "a b", "a/b", "é"]) {
      const { status, json } = await post(body, key);
      assert.equal(status, 422, key);
      assert.deepEqual(json.detail[0]?.loc, ["header", "Idempotency-Key"]);
    }
    const { status, json } = await service.post(sessions(), body);
    assert.equal(status, 422);
    assert.deepEqual(json.detail, [{ loc: ["header", "Idempotency-Key"], msg: "Field required", type: "missing" }]);
    assert.equal((await post(body, "AZaz09_.:-".repeat(20))).status, 200);
    assert.equal(count(), 1);
  });

  const bounds = {
    prompt: [1, 99_611],
    title: [1, 200],
    existing_branch: [1, 255],
    source_ref: [1, 255],
    pull_request_body: [0, 20_000],
    commit_message: [1, 2000],
    client_reference: [1, 200],
  } as const;
  for (const [field, [min, max]] of Object.entries(bounds))
    it(`accept ${field} of ${String(min)} to ${String(max)} characters`, async () => {
      for (const length of [min, max])
        assert.equal((await post({ ...body, [field]: "x".repeat(length) }, `k${String(length)}`)).status, 200);
      for (const wrong of [...(min === 0 ? [] : [""]), "x".repeat(max + 1), 7]) {
        const { status, json } = await post({ ...body, [field]: wrong }, "wrong");
        assert.equal(status, 422);
        assert.deepEqual(json.detail[0]?.loc, ["body", field]);
      }
      assert.equal(count(), 2);
    });

  it("need a prompt and a title, and references that match their pattern", async () => {
    const repositories = ["app", "a/b/c", `a/${"b".repeat(200)}`];
    for (const fields of [
      { ...body, prompt: undefined },
      { ...body, title: null },
      { ...body, client_reference: "a b" },
      ...repositories.map((expected_repository_full_name) => ({ ...body, expected_repository_full_name })),
      "[]",
      "",
    ])
      assert.equal((await post(fields)).status, 422, JSON.stringify(fields));
    assert.equal(count(), 0);
  });

  it("are refused before work starts when another repository is expected", async () => {
    const fields = { ...body, expected_repository_full_name: "team/app" };
    const { status, json } = await post(fields);
    assert.deepEqual([status, json.code, count()], [409, "repository_mismatch", 0]);
    simulator.objects.setRepository("a", "team/app");
    assert.equal((await post(fields)).status, 200, "the key was not used up");
    assert.equal(simulator.objects.codingSessions("a")[0]?.repository_full_name, "team/app");
  });

  it("can be changed outside the API", async () => {
    const { objects } = simulator;
    const { id } = await launch();
    const changed = objects.changeCodingSession("a", id, { state: "completed", pull_request: { number: 1 } });
    if (changed.pull_request) changed.pull_request["number"] = 2;
    const { json } = await get(`${sessions()}/${id}`);
    const { state, pull_request } = json as unknown as CodingSession;
    assert.deepEqual([state, pull_request], ["completed", { number: 1 }]);
    assert.throws(() => objects.changeCodingSession("a", "none", {}), /App a has no coding session none/);
  });
});
