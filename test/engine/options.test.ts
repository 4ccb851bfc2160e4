import assert from "node:assert/strict";
import type { OperationId } from "../../provider/service/operations";
import { type LoggedRequest, type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, programOf, PulumiProject, type Run } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

/** One webhook for each option, each with its own agent, and the same program with a change. */
const program = (changed = false): string => `
  const apps = require("pulumi-workspace-apps");
  const hook = (name, options, args) =>
    new apps.Webhook(name, { ...${JSON.stringify(declared)}, agentId: name, ...args }, options);
  const description = "${changed ? "two" : "one"}";
  const moved = (agentId) => (${String(changed)} ? { agentId } : {});
  hook("protected", { protect: true });
  ${changed ? "" : 'hook("retained", { retainOnDelete: true });'}
  hook("ignoring", { ignoreChanges: ["description"] }, { description });
  hook("replacing", { replaceOnChanges: ["description"] }, { description });
  hook("deleted-last", { deleteBeforeReplace: false }, moved("deleted-last-moved"));
  hook("deleted-first", { deleteBeforeReplace: true }, moved("deleted-first-moved"));`;

describe("Pulumi's resource options, on one stack", () => {
  let simulator: Simulator;
  let stack: PulumiProject;
  let changed: Run;
  before(async () => {
    simulator = await startSimulator();
    stack = await PulumiProject.create({ program: program(), baseUrl: simulator.url });
    assertDone(await stack.up(), { create: 6 });
    simulator.clearRequests();
    changed = await stack.apply(program(true));
    assertDone(changed, {
      same: 2,
      update: 1,
      delete: 1,
      "create-replacement": 2,
      replace: 2,
      "delete-replaced": 2,
    });
  });
  after(() => simulator.close());

  const descriptions = (agentId: string): unknown[] =>
    simulator.objects.webhooks(agentId).map(({ description }) => description);
  const names = async (): Promise<string[]> => (await stack.stored()).map(({ urn }) => urn.split("::").at(-1) ?? "");

  it("retainOnDelete leaves the webhook in the service", async () => {
    assert.equal(descriptions("retained").length, 1);
    assert.ok(!(await names()).includes("retained"));
  });

  it("ignoreChanges leaves a property unchanged", () => {
    assert.deepEqual(descriptions("ignoring"), ["one"]);
    assert.ok(!simulator.requests.some(({ parameters }) => parameters["agent_id"] === "ignoring"));
  });

  it("replaceOnChanges has no effect in the dynamic host, and a warning says so", () => {
    assert.deepEqual(descriptions("replacing"), ["two"]);
    const sent = simulator.requests.filter(({ parameters }) => parameters["agent_id"] === "replacing");
    assert.deepEqual(
      sent.map(({ operation }) => operation),
      ["webhook.update"],
    );
    assert.match(changed.output, /replaceOnChanges has no effect/);
  });

  it("deleteBeforeReplace decides which webhook is deleted first when the agent changes", () => {
    const sent = (operation: OperationId, agentId: string): number => {
      const isMeant = (request: LoggedRequest): boolean =>
        request.operation === operation && request.parameters["agent_id"] === agentId;
      const found = simulator.requests.filter(isMeant);
      assert.equal(found.length, 1, `${operation} of ${agentId}`);
      return found[0]?.number ?? 0;
    };
    assert.ok(sent("webhook.create", "deleted-last-moved") < sent("webhook.delete", "deleted-last"));
    assert.ok(sent("webhook.delete", "deleted-first") < sent("webhook.create", "deleted-first-moved"));
  });

  // This test is last: it destroys the others.
  it("protect prevents the destruction of a webhook", async () => {
    assertFailed(await stack.destroy(), /protect/);
    assert.equal(descriptions("protected").length, 1);
    assert.ok((await names()).includes("protected"));
  });
});

describe("Pulumi's resource options", () => {
  const { simulator, project } = onSimulator();
  const ids = (): string[] => simulator.objects.webhooks("agent-1").map(({ id }) => id);

  it("a forced replacement does not remove what it has just added or adopted again", async () => {
    const { id } = simulator.objects.putWebhook("agent-1");
    const adopted = { ...declared, webhookId: id, overwrite: true };
    const stack = await project(`
      const apps = require("pulumi-workspace-apps");
      new apps.FolderMembership("membership", { folderId: "f", appId: "a" });
      new apps.Webhook("hook", ${JSON.stringify(adopted)});`);
    assertDone(await stack.up(), { create: 2 });
    const urns = (await stack.stored()).flatMap(({ urn }) => ["--replace", urn]);
    assertDone(await stack.up(...urns));
    assert.deepEqual([simulator.objects.folderItems("f"), ids()], [["a"], [id]]);
    assertDone(await stack.destroy());
    assert.deepEqual([simulator.objects.folderItems("f"), ids()], [[], [id]]);
  });

  it("import is refused, with instructions for adopting instead", async () => {
    const stack = await project(programOf("Webhook", declared, { import: "wh_1" }));
    assertFailed(await stack.preview(), /cannot import or read dynamic resources.*Give webhookId .* to adopt/);
  });
});
