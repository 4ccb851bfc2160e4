import assert from "node:assert/strict";
import { type CodingSession, type Simulator, startSimulator } from "../../simulator";
import { Service } from "../../simulator/service";
import { operations } from "../../provider/service/operations";
import { bearer, send } from "./support";

const body = { prompt: "Limit the API to 100 requests a minute.", title: "Add a rate limit" };

describe("The simulator's coding sessions", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({
      repositories: { connected: "team/app" },
      credentials: [
        { value: "full-access-token", kind: "personal-token" },
        { value: "read-only", kind: "personal-token", permission: "read_only" },
        { value: "viewer", kind: "personal-token", role: "viewer" },
        { value: "limited", kind: "personal-token", apps: ["other"] },
      ],
    });
  });
  afterEach(() => simulator.close());

  const sessions = (app = "a") => `/api/apps/${app}/coding-sessions`;
  const post = (fields: unknown, key: string | undefined = "key", app?: string, token = "full-access-token") =>
    send(simulator, "POST", sessions(app), {
      body: fields,
      headers: { "content-type": "application/json", ...bearer(token), "idempotency-key": key },
    });
  const launch = async (fields = {}, key?: string, app?: string) =>
    (await post({ ...body, ...fields }, key, app)).json as unknown as CodingSession;
  const count = () => simulator.objects.codingSessions().length;

  it("are launched as queued, with the key and the connected repository", async () => {
    const session = await launch({ client_reference: "ticket-1" }, "key-1", "connected");
    assert.deepEqual(session, {
      id: "cs_1",
      state: "queued",
      message_id: null,
      repository_full_name: "team/app",
      branch_id: null,
      branch_name: null,
      session_url: null,
      pull_request: null,
      error_code: null,
      launch_key: "key-1",
      client_reference: "ticket-1",
      input_request_id: null,
      outcome: null,
      summary: null,
    });
    assert.equal(operations["codingSession.launch"].answer.parse(session).id, "cs_1");
    const read = await send(simulator, "GET", `${sessions("connected")}/cs_1`);
    assert.deepEqual([read.status, read.json], [200, session]);
    assert.equal((await send(simulator, "GET", `${sessions()}/cs_1`)).status, 404);
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
    const others = [
      { prompt: "Other" },
      { title: "Other" },
      { existing_branch: "b" },
      { source_ref: "main" },
      { pull_request_body: "" },
      { commit_message: "c" },
      { expected_repository_full_name: "example/app" },
      { client_reference: "ticket-2" },
    ];
    for (const fields of others) {
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
    const { status, json } = await send(simulator, "POST", sessions(), { body });
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
  for (const [field, [least, most]] of Object.entries(bounds))
    it(`accept ${field} of ${String(least)} to ${String(most)} characters`, async () => {
      for (const length of [least, most])
        assert.equal((await post({ ...body, [field]: "x".repeat(length) }, `k${String(length)}`)).status, 200);
      for (const wrong of [...(least === 0 ? [] : [""]), "x".repeat(most + 1), 7]) {
        const { status, json } = await post({ ...body, [field]: wrong }, "wrong");
        assert.equal(status, 422);
        assert.deepEqual(json.detail[0]?.loc, ["body", field]);
      }
      assert.equal(count(), 2);
    });

  it("need a prompt and a title, and references that match their pattern", async () => {
    const wrong = [
      { ...body, prompt: undefined },
      { ...body, title: null },
      { ...body, client_reference: "a b" },
      { ...body, expected_repository_full_name: "app" },
      { ...body, expected_repository_full_name: "a/b/c" },
      { ...body, expected_repository_full_name: `a/${"b".repeat(200)}` },
      "[]",
      "",
    ];
    for (const fields of wrong) assert.equal((await post(fields)).status, 422, JSON.stringify(fields));
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

  it("are launched only by editors, and read by everyone with access to the app", async () => {
    const { id } = await launch();
    const statuses = [];
    for (const token of ["read-only", "viewer", "limited"]) {
      const read = await send(simulator, "GET", `${sessions()}/${id}`, { headers: bearer(token) });
      statuses.push([(await post(body, "new", "a", token)).status, read.status]);
    }
    assert.deepEqual(statuses, [
      [403, 200],
      [403, 200],
      [404, 404],
    ]);
    assert.equal(count(), 1);
  });

  it("can be changed outside the API", async () => {
    const { objects } = simulator;
    const { id } = await launch();
    const changed = objects.changeCodingSession("a", id, { state: "completed", pull_request: { number: 1 } });
    if (changed.pull_request) changed.pull_request["number"] = 2;
    const { json } = await send(simulator, "GET", `${sessions()}/${id}`);
    const { state, pull_request } = json as unknown as CodingSession;
    assert.deepEqual([state, pull_request], ["completed", { number: 1 }]);
    assert.throws(() => objects.changeCodingSession("a", "none", {}), /App a has no coding session none/);
    assert.deepEqual(objects.all().codingSessions, { a: objects.codingSessions("a") });
  });

  it("can also be launched without a socket", () => {
    const service = new Service({});
    const presented = { form: "bearer", value: "full-access-token" } as const;
    const request = { operation: "codingSession.launch", parameters: { app_id: "a" }, presented } as const;
    assert.equal(service.answer({ ...request, body: { json: body } }).status, 422);
    assert.equal(service.answer({ ...request, body: { json: body }, idempotencyKey: "key" }).status, 200);
    assert.equal(service.areas.objects.codingSessions("a").length, 1);
  });
});
