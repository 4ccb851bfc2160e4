import assert from "node:assert/strict";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import type { OperationId } from "../../provider/service/operations";
import type { ScriptedAnswer } from "../../simulator";
import { Canaries } from "../support/canaries";
import { type Bench, driven, startBench } from "../support/deployment";

/*
 * Whatever the service repeats of the secrets that an object has, in whatever answer of whatever operation: none is in
 * an error or in what is said meanwhile.
 */

const canaries = new Canaries();
const awkward = ` "ü\\/+%&=`;
const token = canaries.make("token", "+/=");
const field = canaries.make("field", awkward);
const nested = canaries.make("nested field", awkward);
const found = canaries.make("field found at adoption", awkward);
const password = canaries.make("definition", awkward);
const prompt = canaries.make("prompt", awkward);
const targetUrl = `https://hooks.example.com/${canaries.make("URL", "ü")}`;

const record = driven(entityRecordLifecycle);
const test = driven(testFlowLifecycle);
const webhook = driven(webhookLifecycle);
const session = driven(codingSessionLifecycle);

const ofRecord = { appId: "app", entityName: "Account", fields: { pin: field, login: { codes: [nested] } } };
const ofTest = { appId: "app", definition: { steps: [{ password }] } };
const ofWebhook = { agentId: "agent", targetUrl, events: ["message.created"], signed: true };

interface Path {
  operation: OperationId;
  /** The step that sends it, after what must be there was made; `fail` arms the fault. */
  step: (bench: Bench, fail: (...known: string[]) => void) => Promise<unknown>;
  /** A failure of another operation on the way. */
  after?: OperationId;
}

const paths: Path[] = [
  { operation: "webhook.create", step: (bench, fail) => (fail(), webhook.create(ofWebhook, bench)) },
  {
    operation: "webhook.list",
    after: "webhook.create",
    step: (bench, fail) => (fail(), webhook.create(ofWebhook, bench)),
  },
  {
    operation: "webhook.get",
    step: async (bench, fail) => {
      const state = await webhook.create(ofWebhook, bench);
      fail(String(state.secret));
      await webhook.read(state, bench);
    },
  },
  {
    operation: "webhook.update",
    step: async (bench, fail) => {
      const state = await webhook.create(ofWebhook, bench);
      fail(String(state.secret));
      await webhook.update(state, { ...ofWebhook, rotateSecret: "again" }, bench);
    },
  },
  {
    operation: "webhook.delete",
    step: async (bench, fail) => {
      const state = await webhook.create(ofWebhook, bench);
      fail(String(state.secret));
      await webhook.delete(state, bench);
    },
  },
  { operation: "record.create", step: (bench, fail) => (fail(), record.create(ofRecord, bench)) },
  { operation: "record.list", after: "record.create", step: (bench, fail) => (fail(), record.create(ofRecord, bench)) },
  {
    operation: "record.get",
    step: async (bench, fail) => {
      const state = await record.create(ofRecord, bench);
      fail();
      await record.read(state, bench);
    },
  },
  {
    operation: "record.update",
    step: async (bench, fail) => {
      bench.simulator.objects.putRecord("app", "Account", { id: "r", pin: found });
      const state = await record.create({ ...ofRecord, recordId: "r", deletionPolicy: "restore" }, bench);
      fail(found);
      // Puts back what was found.
      await record.delete(state, bench.later());
    },
  },
  {
    operation: "record.delete",
    step: async (bench, fail) => {
      const state = await record.create(ofRecord, bench);
      fail();
      await record.delete(state, bench);
    },
  },
  { operation: "test.create", step: (bench, fail) => (fail(), test.create(ofTest, bench)) },
  { operation: "test.list", after: "test.create", step: (bench, fail) => (fail(), test.create(ofTest, bench)) },
  {
    operation: "test.get",
    step: async (bench, fail) => {
      const state = await test.create(ofTest, bench);
      fail();
      await test.read(state, bench);
    },
  },
  {
    operation: "test.update",
    step: async (bench, fail) => {
      const state = await test.create(ofTest, bench);
      fail();
      await test.update(state, { ...ofTest, definition: { ...ofTest.definition, more: 1 } }, bench);
    },
  },
  {
    operation: "test.delete",
    step: async (bench, fail) => {
      const state = await test.create(ofTest, bench);
      fail();
      await test.delete(state, bench);
    },
  },
  {
    operation: "codingSession.launch",
    step: (bench, fail) => (fail(), session.create({ appId: "app", title: "Task", prompt }, bench)),
  },
];

/** What the service may know and say of an object. */
const told: Record<string, string[]> = {
  webhook: [targetUrl, new URL(targetUrl).href],
  record: [field, nested],
  test: [password],
  codingSession: [prompt],
};

const answers = (texts: string[]): ScriptedAnswer[] => {
  const all = texts.join(" | ");
  return [
    { status: 400, body: { detail: all } },
    { status: 403, body: { error: { message: all } } },
    { status: 422, body: { detail: texts.map((msg) => ({ loc: ["body", msg], msg, type: "x" })) } },
    { status: 409, body: { existing: texts } },
    { status: 500, body: `<html>${all}</html>` },
    { status: 200, body: { [all]: texts } },
  ];
};

describe("A secret that the service repeats", () => {
  for (const { operation, step, after } of paths)
    it(`in an answer of ${operation} is not shown`, async () => {
      const own = told[operation.split(".")[0] ?? ""] ?? [];
      for (const number of answers([]).keys()) {
        const bench = await startBench(
          { accessToken: token },
          { credentials: [{ value: token, kind: "personal-token" }] },
        );
        const fail = (...known: string[]): void => {
          const texts = [token, encodeURIComponent(token), ...own, ...own.map(encodeURIComponent), ...known];
          for (const secret of known) canaries.add("known", secret);
          const then = answers(texts)[number];
          assert.ok(then);
          if (after !== undefined) bench.simulator.fault({ operation: after, commit: true, then: "reset" });
          bench.simulator.fault({ operation, times: "always", then });
        };
        const error = await step(bench, fail).then(
          () => undefined,
          (failure: unknown) => failure as Error,
        );
        await bench.close();
        // Any 200 will do for a deletion.
        const isDone = operation.endsWith(".delete") && answers([])[number]?.status === 200;
        assert.equal(error === undefined, isDone, `${operation} did not fail`);
        const shown = [error?.message, ...bench.said].join("\n");
        assert.deepEqual(canaries.foundIn(shown), [], shown);
      }
    });
});
