import assert from "node:assert/strict";
import type { CodingSession } from "../../simulator";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const app = "app-1";
const declared = { appId: app, title: "Add a rate limit", prompt: "Limit the public API, and test it." };
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("CodingSession on the real engine", () => {
  const { simulator, project } = onSimulator();
  const sessions = (): CodingSession[] => simulator.objects.codingSessions(app);
  /** The keys of all launches that were sent since the requests were cleared. */
  const keys = (): Set<string | undefined> => new Set(simulator.requests.map(({ idempotencyKey }) => idempotencyKey));

  it("is launched once even if the request is repeated, never by refresh, and again when it changes", async () => {
    const stack = await project(programOf("CodingSession", declared));
    simulator.fault({ operation: "codingSession.launch", then: { status: 404, body: { detail: "Not Found" } } });
    assertFailed(
      await stack.up(),
      /The path of codingSession\.launch is assumed.*set it in workspace-apps:endpoints.*"codingSession\.launch": "POST /s,
    );
    simulator.fault({ operation: "codingSession.launch", commit: true, times: 5, then: "reset" });
    assertFailed(
      await stack.up(),
      /A coding session may be running under the key pulumi-[0-9a-f]{40}\..*- Run `pulumi up` again/,
    );
    assert.deepEqual([await stack.stored(), sessions().length], [[], 1]);
    assertDone(await stack.up(), { create: 1 });
    assert.equal(sessions().length, 1);
    const [session] = sessions();
    assert.deepEqual([...keys()], [session?.launch_key], "every attempt used one key");
    const [stored] = await stack.stored();
    assert.equal(stored?.id, session?.id);
    assert.deepEqual(
      [stored?.outputs?.["launchKey"], stored?.outputs?.["sessionId"], stored?.outputs?.["repositoryFullName"]],
      [session?.launch_key, session?.id, "example/app"],
    );

    simulator.clearRequests();
    simulator.objects.changeCodingSession(app, session?.id ?? "", { state: "completed", outcome: "pull_request" });
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assert.deepEqual(simulator.requests, []);

    assertDone(await stack.apply(programOf("CodingSession", { ...declared, title: "Limit the rate" })), {
      "create-replacement": 1,
      replace: 1,
      "delete-replaced": 1,
    });
    assert.equal(sessions().length, 2);
    assert.notEqual(sessions()[1]?.launch_key, session?.launch_key);
    assert.equal((await stack.stored())[0]?.outputs?.["launchKey"], sessions()[1]?.launch_key);
    simulator.clearRequests();
    const destroyed = await stack.destroy();
    assertDone(destroyed, { delete: 1 });
    assert.match(destroyed.output, /coding session .* leaves the stack\. The service cannot undo what it did/);
    assert.deepEqual([simulator.requests.length, sessions().length], [0, 2]);
  });

  it("has no key before its arguments are known, and is launched once when the host dies before the state is saved", async () => {
    const stack = await project(`
      const apps = require("pulumi-workspace-apps");
      const record = new apps.EntityRecord("task", { appId: "${app}", entityName: "Task", fields: {} });
      new apps.CodingSession("session", { appId: "${app}", title: "Task", prompt: record.recordId });`);
    const preview = await stack.preview();
    assertDone(preview, { create: 2 });
    assert.match(preview.output, new RegExp(`"idempotencyKey": "${unknownValue}"`));
    assert.doesNotMatch(preview.output, /pulumi-[0-9a-f]{40}/);

    await killDuring({ stack, simulator }, "up", "host", {
      operation: "codingSession.launch",
      commit: true,
      then: "hold",
    });
    assert.equal(sessions().length, 1);
    assertDone(await stack.up(), { create: 1, same: 1 });
    assert.equal(sessions().length, 1);
    const stored = (await stack.stored()).find(({ type }) => type.endsWith(":CodingSession"));
    assert.deepEqual(
      [stored?.id, stored?.inputs?.["idempotencyKey"], stored?.outputs?.["launchKey"]],
      [sessions()[0]?.id, sessions()[0]?.launch_key, sessions()[0]?.launch_key],
    );
  });
});
