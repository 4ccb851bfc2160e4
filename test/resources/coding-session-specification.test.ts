import assert from "node:assert/strict";
import { problemsOf } from "../../provider/pulumi/check-step";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { type Bench, driven, startBench, unchanged } from "../support/deployment";

const session = driven(codingSessionLifecycle);
const declared = { appId: "app-1", title: "Add a limit", prompt: "Limit the API." };
const problems = (given: object): string[] =>
  problemsOf(codingSessionLifecycle, { ...declared, idempotencyKey: "key", ...given }).map(({ property }) => property);

describe("CodingSession, by the specification", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({}, { repositories: { "app-1": "team/app" } });
  });
  afterEach(() => bench.close());

  it("sends every field under its wire name, omits fields that are not given, and sends the key as a header", async () => {
    await session.create({ ...declared, idempotencyKey: "key-1" }, bench);
    const given = {
      ...declared,
      existingBranch: "fix",
      sourceRef: "main",
      pullRequestBody: "Closes 1.",
      commitMessage: "Limit",
      clientReference: "ticket-1",
      expectedRepositoryFullName: "team/app",
      idempotencyKey: "key-2",
    };
    await session.create(given, bench);
    assert.deepEqual(
      bench.simulator.requests.map(({ body, idempotencyKey }) => [idempotencyKey, body]),
      [
        ["key-1", { prompt: "Limit the API.", title: "Add a limit" }],
        [
          "key-2",
          {
            prompt: "Limit the API.",
            title: "Add a limit",
            existing_branch: "fix",
            source_ref: "main",
            pull_request_body: "Closes 1.",
            commit_message: "Limit",
            client_reference: "ticket-1",
            expected_repository_full_name: "team/app",
          },
        ],
      ],
    );
  });

  it("stays the same session when its client reference is left out under the same key", async () => {
    const keyed = { ...declared, idempotencyKey: "key-1" };
    const state = await session.create({ ...keyed, clientReference: "ticket-1" }, bench);
    const later = bench.later();
    assert.deepEqual(await session.preview(state, keyed, later), unchanged);
    for (const other of [{ clientReference: "ticket-2" }, { title: "Another" }])
      await assert.rejects(session.preview(state, { ...keyed, ...other }, later), ({ message }: Error) =>
        message.includes("idempotencyKey did not change"),
      );
    // After a crash the state does not know the session.
    assert.equal((await session.create(keyed, bench.later())).sessionId, state.sessionId);
    assert.equal(bench.simulator.objects.codingSessions("app-1").length, 1);
  });

  it("is another session when its client reference is left out and its key is derived", async () => {
    const state = await session.create({ ...declared, clientReference: "ticket-1" }, bench);
    assert.deepEqual(await session.preview(state, declared, bench.later()), {
      changes: true,
      replaces: ["clientReference", "idempotencyKey"],
    });
  });

  it("returns the id, the connected repository and the key from the response", async () => {
    const state = await session.create({ ...declared, idempotencyKey: "key-1" }, bench);
    const [launched] = bench.simulator.objects.codingSessions("app-1");
    assert.deepEqual([state.sessionId, state.repositoryFullName, state.launchKey], [launched?.id, "team/app", "key-1"]);
  });

  it("needs a prompt and a title", () => {
    assert.deepEqual(problems({ prompt: undefined, title: undefined }), ["prompt", "title"]);
  });

  it("accepts a pull request body of up to 20000 characters", () => {
    assert.deepEqual(problems({ pullRequestBody: "b".repeat(20_000) }), []);
    assert.deepEqual(problems({ pullRequestBody: "b".repeat(20_001) }), ["pullRequestBody"]);
  });

  it("accepts only keys and references of 1 to 200 letters, digits and _.:-", () => {
    for (const property of ["idempotencyKey", "clientReference"]) {
      for (const good of ["a", "AZaz09_.:-", "k".repeat(200)]) assert.deepEqual(problems({ [property]: good }), []);
      for (const bad of ["", "a b", "a/b", "é", "a\n", "k".repeat(201)])
        assert.deepEqual(problems({ [property]: bad }), [property], JSON.stringify(bad));
    }
  });

  it("accepts a repository of the form owner/name, of up to 201 characters", () => {
    const isTaken = (name: string): boolean => problems({ expectedRepositoryFullName: name }).length === 0;
    assert.deepEqual(
      ["team/app", "A_.-9/b", `o/${"n".repeat(199)}`, "team", "team/", "/app", "a/b/c", "a b/c"].map(isTaken),
      [true, true, true, false, false, false, false, false],
    );
    assert.equal(isTaken(`o/${"n".repeat(200)}`), false);
  });

  it("is refused before work starts when another repository is connected, with the service's message", async () => {
    await assert.rejects(
      session.create({ ...declared, expectedRepositoryFullName: "team/other" }, bench),
      /connected repository is not team\/other/,
    );
    assert.deepEqual(bench.simulator.objects.codingSessions("app-1"), []);
  });

  it("stores no live values: no state, branch, pull request or summary", async () => {
    const state = await session.create(declared, bench);
    bench.simulator.objects.changeCodingSession("app-1", state.sessionId, {
      state: "completed",
      branch_name: "fix",
      pull_request: { number: 1 },
      outcome: "pull_request",
      summary: "s".repeat(10_000),
    });
    assert.deepEqual(await session.read(state, bench.later()), state);
    assert.deepEqual(Object.keys(state).sort(), [
      "appId",
      "idempotencyKey",
      "launchKey",
      "prompt",
      "readBy",
      "repositoryFullName",
      "sessionId",
      "title",
    ]);
  });
});
