import assert from "node:assert/strict";
import type { OperationId } from "../../provider/service/operations";
import { type LoggedRequest, type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, programOf, PulumiProject, type Run } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

const isDynamic = testedForm === "dynamic";

/** One webhook for each option, each with its own agent, and two objects that are adopted again. */
const program = (changed = false): string => `
  const apps = require("pulumi-workspace-apps");
  const hook = (name, options, args) =>
    new apps.Webhook(name, { ...${JSON.stringify(declared)}, agentId: name, ...args }, options);
  const description = "${changed ? "two" : "one"}";
  const moved = (agentId) => (${String(changed)} ? { agentId } : {});
  hook("protected", { protect: true });
  ${changed ? "" : 'hook("retained", { retainOnDelete: true });'}
  hook("ignoring", { ignoreChanges: ["description"] }, { description });
  hook("replacing", { replaceOnChanges: ["description", "events[0]"] }, { description });
  hook("deleted-last", { deleteBeforeReplace: false }, moved("deleted-last-moved"));
  hook("deleted-first", { deleteBeforeReplace: true }, moved("deleted-first-moved"));
  hook("adopted", {}, { webhookId: "wh_adopted", overwrite: true });
  new apps.FolderMembership("membership", { folderId: "f", appId: "a" });`;

describe("Pulumi's resource options, on one stack", () => {
  let simulator: Simulator;
  let stack: PulumiProject;
  let changed: Run;
  before(async () => {
    simulator = await startSimulator();
    simulator.objects.putWebhook("adopted", { id: "wh_adopted" });
    stack = await PulumiProject.create({ program: program(), baseUrl: simulator.url });
    assertDone(await stack.up(), { create: 8 });
    simulator.clearRequests();
    changed = await stack.apply(program(true));
    const replaced = isDynamic ? 2 : 3;
    assertDone(changed, {
      same: 4,
      ...(isDynamic ? { update: 1 } : {}),
      delete: 1,
      "create-replacement": replaced,
      replace: replaced,
      "delete-replaced": replaced,
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

  const effect = isDynamic ? "has no effect in the dynamic host, and a warning says so" : "replaces the webhook";
  it(`replaceOnChanges ${effect}`, () => {
    assert.deepEqual(descriptions("replacing"), ["two"]);
    const sent = simulator.requests.filter(({ parameters }) => parameters["agent_id"] === "replacing");
    assert.deepEqual(
      sent.map(({ operation }) => operation),
      isDynamic ? ["webhook.update"] : ["webhook.list", "webhook.create", "webhook.update", "webhook.delete"],
    );
    assert.equal(changed.output.includes("replaceOnChanges has no effect"), isDynamic);
    assert.equal(changed.output.includes("replaceOnChanges of events[0] has no effect"), !isDynamic);
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

  it("--replace does not remove what it has just added or adopted again", async () => {
    const urns = (await stack.stored()).map(({ urn }) => urn).filter((urn) => /::(adopted|membership)$/.test(urn));
    assertDone(await stack.up(...urns.flatMap((urn) => ["--replace", urn])));
    const ids = simulator.objects.webhooks("adopted").map(({ id }) => id);
    assert.deepEqual([simulator.objects.folderItems("f"), ids], [["a"], ["wh_adopted"]]);
  });

  it("protect prevents the destruction of a webhook", async () => {
    assertFailed(await stack.destroy(), /protect/);
    assert.equal(descriptions("protected").length, 1);
    assert.ok((await names()).includes("protected"));
  });

  // The packaged form imports: see packaged.test.ts.
  if (isDynamic)
    it("import is refused, with instructions for adopting instead", async () => {
      await stack.write(programOf("Webhook", declared, { import: "wh_1" }));
      assertFailed(await stack.preview(), /cannot import or read dynamic resources.*Give webhookId .* to adopt/);
    });
});
