import assert from "node:assert/strict";
import { assertDone, assertFailed, onSimulator, programOf } from "../../tools/harness/engine";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

describe("Pulumi's resource options", () => {
  const { simulator, project } = onSimulator();
  const ids = (): string[] => simulator.objects.webhooks("agent-1").map(({ id }) => id);

  it("protect keeps a webhook from being destroyed", async () => {
    const stack = await project(programOf("Webhook", declared, { protect: true }));
    assertDone(await stack.up());
    assertFailed(await stack.destroy(), /protect/);
    assert.equal(ids().length, 1);
  });

  it("retainOnDelete leaves the webhook in the service", async () => {
    const stack = await project(programOf("Webhook", declared, { retainOnDelete: true }));
    assertDone(await stack.up());
    assertDone(await stack.destroy());
    assert.equal(ids().length, 1);
    assert.deepEqual(await stack.stored(), []);
  });

  it("ignoreChanges leaves a property as it is", async () => {
    const options = { ignoreChanges: ["description"] };
    const stack = await project(programOf("Webhook", { ...declared, description: "one" }, options));
    assertDone(await stack.up());
    assertDone(await stack.apply(programOf("Webhook", { ...declared, description: "two" }, options)), { same: 1 });
    assert.equal(simulator.objects.webhooks("agent-1")[0]?.description, "one");
  });

  it("replaceOnChanges has no effect in the dynamic host, and a warning says so", async () => {
    const options = { replaceOnChanges: ["description"] };
    const stack = await project(programOf("Webhook", declared, options));
    assertDone(await stack.up());
    const run = await stack.apply(programOf("Webhook", { ...declared, description: "new" }, options));
    assertDone(run, { update: 1 });
    assert.match(run.output, /replaceOnChanges has no effect/);
  });

  for (const deleteBeforeReplace of [false, true])
    it(`deleteBeforeReplace ${String(deleteBeforeReplace)} decides which goes first when the agent changes`, async () => {
      const stack = await project(programOf("Webhook", declared, { deleteBeforeReplace }));
      assertDone(await stack.up());
      simulator.clearRequests();
      assertDone(await stack.apply(programOf("Webhook", { ...declared, agentId: "agent-2" }, { deleteBeforeReplace })));
      const order = simulator.requests.map(({ operation }) => operation);
      assert.equal(
        order.indexOf("webhook.delete") < order.indexOf("webhook.create"),
        deleteBeforeReplace,
        order.join(),
      );
    });

  it("a forced replacement does not take away what it has just added or adopted again", async () => {
    const { id } = simulator.objects.putWebhook("agent-1");
    const adopted = { ...declared, webhookId: id };
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

  it("import is refused with the way to adopt instead", async () => {
    const stack = await project(programOf("Webhook", declared, { import: "wh_1" }));
    assertFailed(await stack.preview(), /cannot import dynamic resources.*adopt/);
  });
});
