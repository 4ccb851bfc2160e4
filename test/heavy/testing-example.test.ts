import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { scripts } from "../../examples/testing/package.json";
import { exampleProject } from "../support/examples";

describe("The tests of examples/testing", () => {
  const tests = { "test:mocks": 3, "test:simulator": 4 } as const;
  for (const [script, count] of Object.entries(tests) as [keyof typeof tests, number][])
    it(`pass with the packed package: ${script}`, async () => {
      // Nothing listens at this address: the tests must use their own simulator, or none.
      const project = await exampleProject("testing", "http://127.0.0.1:9", {
        settings: ["tsconfig.json", "tsconfig.run.json", "mocks.test.ts", "simulator.test.ts"],
      });
      // Without npm, which would put the downloading `pulumi` of node_modules first on PATH.
      const command = `exec ${scripts[script].replace("--test ", "--test --test-reporter=tap ")}`;
      const { stdout } = await promisify(execFile)("sh", ["-c", command], {
        cwd: project.folder,
        // `npm run check` checks their types.
        env: { ...project.environment, TS_NODE_TRANSPILE_ONLY: "true" },
      });
      assert.match(stdout, new RegExp(`^# pass ${String(count)}$`, "m"));
      assert.match(stdout, /^# fail 0$/m);
    });
});
