import assert from "node:assert/strict";
import { declarationProblems, problemsOf, withDefaults } from "../../provider/pulumi/check-step";
import { unknownValue } from "../../provider/serializable";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { formatReport } from "../../provider/service/errors";
import { type Bench, driven, startBench } from "../support/deployment";

const session = driven(codingSessionLifecycle);
const declared = { appId: "app-1", title: "Add a limit", prompt: "Limit the API." };
const keyOf = (inputs: object, declaredAs = "project/stack/tested", earlier: object = {}): string =>
  withDefaults(codingSessionLifecycle, inputs as never, { place: declaredAs, name: "tested" }, earlier).idempotencyKey;

describe("CodingSession", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const sessions = () => bench.simulator.objects.codingSessions("app-1");

  it("is launched under a key that depends only on project, stack, name and arguments", async () => {
    const state = await session.create(declared, bench);
    assert.equal(state.launchKey, keyOf(declared));
    assert.equal(state.sessionId, sessions()[0]?.id);
    assert.equal(keyOf({ prompt: declared.prompt, title: declared.title, appId: declared.appId }), keyOf(declared));
    assert.notEqual(keyOf({ ...declared, title: "Another" }), keyOf(declared));
    assert.notEqual(keyOf(declared, "project/other/tested"), keyOf(declared));
    assert.match(keyOf(declared), /^[A-Za-z0-9_.:-]{1,200}$/);
  });

  it("keeps its key when only its name or path changes, and gets another one when its arguments change", () => {
    const earlier = { ...declared, idempotencyKey: "pulumi-earlier" };
    assert.equal(keyOf(declared, "project/stack/renamed", earlier), "pulumi-earlier");
    const other = { ...declared, title: "Another" };
    assert.equal(keyOf(other, "project/stack/tested", earlier), keyOf(other));
    assert.equal(
      keyOf({ ...declared, sourceRef: "main" }, "project/stack/tested", earlier).startsWith("pulumi-"),
      true,
    );
    assert.notEqual(keyOf({ ...declared, sourceRef: "main" }, "project/stack/tested", earlier), "pulumi-earlier");
  });

  for (const commit of [true, false])
    it(`is one launch after a lost response (${commit ? "launched" : "not launched"}), and after a crash`, async () => {
      bench.simulator.fault({ operation: "codingSession.launch", commit, then: "reset" });
      const state = await session.create(declared, bench);
      assert.equal(sessions().length, 1);
      assert.equal((await session.create(declared, bench.later())).sessionId, state.sessionId);
      assert.equal(sessions().length, 1);
    });

  it("names the key under which a session may run when the outcome stays uncertain, and continues with it", async () => {
    bench.simulator.fault({ operation: "codingSession.launch", times: 5, commit: true, then: { status: 503 } });
    await assert.rejects(
      session.create(declared, bench),
      new RegExp(`may be running under the key ${keyOf(declared)}\\..*\n {2}- Run \`pulumi up\` again`, "s"),
    );
    await session.create(declared, bench.later());
    assert.equal(sessions().length, 1);
  });

  it("says that a 409 may be a refusal, and what else it may be", async () => {
    await session.create({ ...declared, idempotencyKey: "fixed" }, bench);
    await assert.rejects(
      session.create({ ...declared, prompt: "Another.", idempotencyKey: "fixed" }, bench.later()),
      /may be running under the key fixed\..*answered 409.*If it is a refusal, .*change idempotencyKey.*Otherwise run `pulumi up`/s,
    );
    assert.equal(sessions().length, 1);
  });

  it("shows no prompt when the service repeats it in a refusal", async () => {
    const detail = [{ loc: ["body", "prompt"], msg: "canary-prompt is too short", type: "value_error" }];
    bench.simulator.fault({ operation: "codingSession.launch", then: { status: 422, body: { detail } } });
    await assert.rejects(
      session.create({ ...declared, prompt: "canary-prompt" }, bench),
      (error: Error) => error.message.includes("prompt: (message hidden") && !error.message.includes("canary"),
    );
  });

  it("is never launched by refresh, and is forgotten by destroy", async () => {
    const state = await session.create(declared, bench);
    bench.simulator.clearRequests();
    assert.deepEqual(await session.read(state, bench.later()), state);
    await session.delete(state, bench);
    assert.deepEqual(bench.simulator.requests, []);
    assert.equal(sessions().length, 1);
  });

  it("says how to set its path when the path does not exist", async () => {
    bench.simulator.fault({ operation: "codingSession.launch", then: { status: 404 } });
    await assert.rejects(
      session.create(declared, bench),
      /path of codingSession\.launch is assumed.*"codingSession\.launch": "POST/s,
    );
  });

  it("has an unknown key at preview while an argument is unknown", () => {
    assert.equal(keyOf({ ...declared, prompt: unknownValue }), unknownValue);
  });

  const bounds: [string, unknown, unknown][] = [
    ["prompt", "p".repeat(99_611), "p".repeat(99_612)],
    ["prompt", "p", ""],
    ["title", "t".repeat(200), "t".repeat(201)],
    ["title", "t", ""],
    ["existingBranch", "b".repeat(255), "b".repeat(256)],
    ["existingBranch", "b", ""],
    ["sourceRef", "r".repeat(255), "r".repeat(256)],
    ["sourceRef", "r", ""],
    ["pullRequestBody", "", "b".repeat(20_001)],
    ["commitMessage", "m".repeat(2_000), "m".repeat(2_001)],
    ["commitMessage", "m", ""],
    ["clientReference", "a_.:-9", "with space"],
    ["clientReference", "a".repeat(200), "a".repeat(201)],
    ["expectedRepositoryFullName", "owner/name", "owner"],
    ["expectedRepositoryFullName", `${"o".repeat(100)}/${"n".repeat(100)}`, `${"o".repeat(101)}/${"n".repeat(100)}`],
    ["idempotencyKey", "k".repeat(200), "k".repeat(201)],
    ["idempotencyKey", "k", "ü"],
  ];
  const lengthOf = (value: unknown): string => String(String(value).length);
  for (const [property, good, bad] of bounds)
    it(`accepts ${property} of ${lengthOf(good)} characters, and not one of ${lengthOf(bad)} (${String(bad).slice(0, 8)})`, () => {
      const problems = (value: unknown): string[] =>
        problemsOf(codingSessionLifecycle, { ...declared, idempotencyKey: "key", [property]: value }).map(
          (problem) => problem.property,
        );
      assert.deepEqual([problems(good), [...new Set(problems(bad))]], [[], [property]]);
    });

  for (const [how, second] of [
    ["is refused", { status: 403 }],
    ["is not found", { status: 404 }],
  ] as const)
    it(`names the key under which a session may run when a repeated launch ${how}`, async () => {
      bench.simulator.fault({ operation: "codingSession.launch", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "codingSession.launch", then: second });
      await assert.rejects(
        session.create(declared, bench),
        /may be running under the key pulumi-.*an earlier attempt may have been carried out/s,
      );
      assert.equal(sessions().length, 1);
    });

  it("is refused at preview with a key that was used for other arguments", () => {
    const state = { ...declared, idempotencyKey: "k", launchKey: "k", sessionId: "cs_1", readBy: "" };
    const reason = codingSessionLifecycle.replacementRefusal?.(
      state,
      {
        ...declared,
        title: "Another",
        idempotencyKey: "k",
      },
      bench,
    );
    assert.match(
      formatReport(reason ?? assert.fail("it is not refused")),
      /return the old session.*Change idempotencyKey too/s,
    );
    assert.equal(
      codingSessionLifecycle.replacementRefusal?.(state, { ...declared, idempotencyKey: "other" }, bench),
      undefined,
    );
  });

  it("is refused when two resources of a program have the same key", () => {
    const inputs = { ...declared, idempotencyKey: "k" };
    assert.deepEqual(declarationProblems(codingSessionLifecycle, inputs, bench, "one"), []);
    assert.notDeepEqual(declarationProblems(codingSessionLifecycle, inputs, bench, "two"), []);
  });
});
