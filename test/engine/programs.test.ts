import assert from "node:assert/strict";
import { assertDone } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { programsWork } from "../support/programs";

/** Every property of the class is an output, given or not. */
const readsOutputs = `
  const apps = require("pulumi-workspace-apps");
  const hook = new apps.Webhook("hook", { agentId: "a", targetUrl: "https://hooks.example.com/", events: ["message.created"] });
  const membership = new apps.FolderMembership("membership", { folderId: "f", appId: "a" });
  exports.read = [
    hook.enabled.apply((enabled) => "enabled " + enabled),
    hook.description.apply((description) => "description " + description),
    hook.signed.apply((signed) => "signed " + signed),
    hook.hasSecret.apply((hasSecret) => "hasSecret " + hasSecret),
    membership.adopt.apply((adopt) => "adopt " + adopt),
  ];`;

describe("A program", () => {
  const { project } = onSimulator();

  it("can read every output, also for arguments that it does not set", async () => {
    const stack = await project(readsOutputs);
    assertDone(await stack.up());
    const { output } = await stack.pulumi("stack", "output", "read", "--json");
    assert.deepEqual(JSON.parse(output), [
      "enabled true",
      "description undefined",
      "signed undefined",
      "hasSecret false",
      "adopt undefined",
    ]);
  });
});

describe("A program", () => {
  programsWork("tarball", "TypeScript");
});
