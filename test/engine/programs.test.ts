import assert from "node:assert/strict";
import { storedProvider } from "../../provider/pulumi/stored-provider";
import { assertDone, onSimulator, type ProgramOptions } from "../../tools/harness/engine";

const declare = `
  const hook = new apps.Webhook("hook", {
    agentId: "agent-1",
    targetUrl: "https://hooks.example.com/",
    events: ["message.created"],
    signed: true,
  });
  new apps.FolderMembership("membership", { folderId: "f", appId: hook.webhookId });
`;

const programs: Record<string, Pick<ProgramOptions, "file" | "program">> = {
  "CommonJS JavaScript": { file: "index.js", program: `const apps = require("pulumi-workspace-apps");${declare}` },
  "an ES module": {
    file: "index.mjs",
    program: `import * as apps from "pulumi-workspace-apps";${declare} export const secret = hook.secret;`,
  },
  TypeScript: {
    file: "index.ts",
    program: `
      import * as pulumi from "@pulumi/pulumi";
      import * as apps from "pulumi-workspace-apps";
      ${declare}
      export const secret: pulumi.Output<string | undefined> = hook.secret;`,
  },
};

/** Every property that the class declares is an output, given or not. */
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
  const { simulator, project } = onSimulator();

  it("can read every output, also of arguments that it does not give", async () => {
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

  for (const linked of [false, true])
    for (const [language, program] of Object.entries(programs))
      it(`in ${language} works from ${linked ? "a linked checkout" : "the packed tarball"}`, async () => {
        const stack = await project(program.program, { ...program, linked });
        assertDone(await stack.preview(), { create: 2 });
        assertDone(await stack.up(), { create: 2 });
        const [hook, membership] = await stack.stored();
        assert.equal(hook?.outputs?.["__provider"], storedProvider("Webhook"), "the same text on every machine");
        assert.equal(membership?.outputs?.["__provider"], storedProvider("FolderMembership"));
        assert.deepEqual(simulator.objects.folderItems("f"), [hook.id]);
        assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
        assertDone(await stack.destroy(), { delete: 2 });
        assert.deepEqual([simulator.objects.webhooks("agent-1"), simulator.objects.folderItems("f")], [[], []]);
      });
});
