import assert from "node:assert/strict";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import { assertDone } from "../../tools/harness/engine";
import { testedForm } from "../../tools/harness/form";
import { onSimulator } from "./on-simulator";

const declare = `
  const hook = new apps.Webhook("hook", {
    agentId: "agent-1",
    targetUrl: "https://hooks.example.com/",
    events: ["message.created"],
    signed: true,
  });
  new apps.FolderMembership("membership", { folderId: "f", appId: hook.webhookId });
`;

/** The same resources in each kind of program. */
const programs = {
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

/** Tests that programs work as the package is installed: from the packed tarball, or from a linked checkout. */
export function programsWork(from: "tarball" | "checkout", ...languages: (keyof typeof programs)[]): void {
  const { simulator, project } = onSimulator();
  const linked = from === "checkout";

  for (const language of languages)
    it(`in ${language} works from ${linked ? "a linked checkout" : "the packed tarball"}`, async () => {
      const { file, program } = programs[language];
      const stack = await project(program, { file, linked });
      assertDone(await stack.up(), { create: 2 });
      const [hook, membership] = await stack.stored();
      assert.deepEqual(
        [hook?.outputs?.["__provider"], membership?.outputs?.["__provider"]],
        testedForm === "dynamic" ? [locatorOf("Webhook"), locatorOf("FolderMembership")] : [undefined, undefined],
        "the same text on every machine, and none in the packaged form",
      );
      assert.deepEqual(simulator.objects.folderItems("f"), [hook?.id]);
      assertDone(await stack.refresh("--expect-no-changes"), { same: 2 });
      assertDone(await stack.destroy(), { delete: 2 });
      assert.deepEqual([simulator.objects.webhooks("agent-1"), simulator.objects.folderItems("f")], [[], []]);
    });
}
