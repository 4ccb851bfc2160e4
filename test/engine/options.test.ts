import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, programOf, PulumiProject } from "../support/engine";

const declared = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };

describe("Pulumi's resource options", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const project = (program: string): Promise<PulumiProject> =>
    PulumiProject.create({ program, baseUrl: simulator.url });
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

  it("replaceOnChanges makes a new webhook before it deletes the old one", async () => {
    const options = { replaceOnChanges: ["description"] };
    const stack = await project(programOf("Webhook", declared, options));
    assertDone(await stack.up());
    const before = ids();
    simulator.clearRequests();
    assertDone(await stack.apply(programOf("Webhook", { ...declared, description: "new" }, options)));
    assert.notDeepEqual(ids(), before);
    assert.equal(ids().length, 1);
    const order = simulator.requests.map(({ operation }) => operation);
    assert.ok(order.indexOf("webhook.create") < order.indexOf("webhook.delete"), order.join());
  });

  it("deleteBeforeReplace deletes the old webhook first", async () => {
    const options = { replaceOnChanges: ["description"], deleteBeforeReplace: true };
    const stack = await project(programOf("Webhook", declared, options));
    assertDone(await stack.up());
    simulator.clearRequests();
    assertDone(await stack.apply(programOf("Webhook", { ...declared, description: "new" }, options)));
    const order = simulator.requests.map(({ operation }) => operation);
    assert.ok(order.indexOf("webhook.delete") < order.indexOf("webhook.create"), order.join());
  });

  it("a forced replacement of a folder membership does not leave the app outside", async () => {
    const stack = await project(programOf("FolderMembership", { folderId: "f", appId: "a" }));
    assertDone(await stack.up());
    const [stored] = await stack.stored();
    assertDone(await stack.up("--replace", stored?.urn ?? ""));
    assert.deepEqual(simulator.objects.folderItems("f"), ["a"]);
  });

  it("import is refused with the way to adopt instead", async () => {
    const stack = await project(programOf("Webhook", declared, { import: "wh_1" }));
    assertFailed(await stack.preview(), /cannot import dynamic resources.*adopt/);
  });
});
