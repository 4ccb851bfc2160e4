import assert from "node:assert/strict";
import path from "node:path";
import {
  cycles,
  forbiddenImports,
  type Import,
  importFaults,
  type Imports,
  importsOf,
  loadingTheSdk,
} from "../../tools/check/imports";

/** Files that import each other eagerly: each file with its targets. */
function eagerly(files: Record<string, string[]>): Imports {
  return new Map(
    Object.entries(files).map(([file, targets]) => [
      file,
      targets.map((target): Import => ({ target, loaded: "eagerly" })),
    ]),
  );
}

describe("The import check of npm run check", () => {
  it("finds nothing wrong in this checkout", async () => {
    assert.deepEqual(await importFaults(path.resolve(__dirname, "../..")), []);
  });

  it("reads every form of an import, and when it is loaded", () => {
    const text = `
      import "../setup";
      import one, { type Two } from "./one";
      import { three } from "../three.js";
      import type { Four } from "./four";
      import { type Five, type Six } from "./five";
      import * as pulumi from "@pulumi/pulumi";
      export * from "./seven";
      export type { Eight } from "./eight";
      type Nine = typeof import("./nine");
      const ten = require("./ten");
      const eleven = () => require("./eleven") as Nine;
      async function later() { await import("./twelve"); }
      const program = \`import "./text"; require("./text");\`; // import "./comment"`;
    assert.deepEqual(
      importsOf("provider/pulumi/file.ts", text).map(({ target, loaded }) => `${target} ${loaded}`),
      [
        "provider/setup eagerly",
        "provider/pulumi/one eagerly",
        "provider/three eagerly",
        "provider/pulumi/four never",
        "provider/pulumi/five never",
        "@pulumi/pulumi eagerly",
        "provider/pulumi/seven eagerly",
        "provider/pulumi/eight never",
        "provider/pulumi/nine never",
        "provider/pulumi/ten eagerly",
        "provider/pulumi/eleven lazily",
        "provider/pulumi/twelve lazily",
      ],
    );
  });

  it("names the files of a cycle, also through types and other files", () => {
    assert.deepEqual(cycles(eagerly({ "cli/a": ["cli/b", "cli/c"], "cli/b": ["cli/c"], "cli/c": ["zod"] })), []);
    assert.deepEqual(cycles(eagerly({ "cli/a": ["cli/b"], "cli/b": ["cli/c"], "cli/c": ["cli/b"] })), [
      "import cycle: cli/b -> cli/c -> cli/b",
    ]);
    const typed: Import = { target: "cli/a", loaded: "never" };
    assert.deepEqual(cycles(new Map([["cli/a", [typed]]])), ["import cycle: cli/a -> cli/a"]);
  });

  it("finds imports in the wrong direction", () => {
    const fine = {
      "tools/soak/index": ["tools/harness/engine", "provider/index", "test-support"],
      "provider/service/client": ["provider/service/errors", "undici"],
      "provider/pulumi/check": ["@pulumi/pulumi", "provider/service/errors"],
      "provider/resources/webhook/index": ["@pulumi/pulumi", "provider/pulumi/registration"],
      "simulator/faults": ["provider/service/operations"],
    };
    assert.deepEqual(forbiddenImports(eagerly(fine)), []);
    const wrong = {
      "tools/soak/index": ["test/support/clock"],
      "bench/index": ["test/support/clock"],
      "provider/service/client": ["provider/settings", "@pulumi/pulumi"],
      "provider/resources/webhook/lifecycle": ["provider/pulumi/check"],
      "provider/arguments": ["provider/pulumi/unknown"],
      "simulator/faults": ["provider/service/client"],
      "cli/main": ["@pulumi/pulumi"],
    };
    assert.deepEqual(forbiddenImports(eagerly(wrong)), [
      "tools/soak/index imports test/support/clock: tools/ and bench/ import nothing from test/",
      "bench/index imports test/support/clock: tools/ and bench/ import nothing from test/",
      "provider/service/client imports provider/settings: provider/service/ imports nothing else of provider/",
      "provider/service/client imports @pulumi/pulumi: provider/service/ does not know Pulumi",
      "provider/resources/webhook/lifecycle imports provider/pulumi/check: of a resource, only index.ts knows Pulumi",
      "provider/arguments imports provider/pulumi/unknown: arguments, settings and the like do not know Pulumi",
      "simulator/faults imports provider/service/client: the simulator does not use the client",
      "cli/main imports @pulumi/pulumi: the command does not use the SDK",
    ]);
  });

  it("finds how a lifecycle would load the SDK, unless lazily or as types", () => {
    const files = eagerly({
      "provider/registry": ["provider/resources/webhook/lifecycle", "provider/lookups/webhook"],
      "provider/resources/webhook/lifecycle": ["zod"],
      "provider/resources/webhook/index": ["@pulumi/pulumi"],
    });
    const lookup = (loaded: Import["loaded"]): Imports =>
      new Map([...files, ["provider/lookups/webhook", [{ target: "@pulumi/pulumi/runtime", loaded }]]]);
    assert.deepEqual(loadingTheSdk(lookup("lazily")), []);
    assert.deepEqual(loadingTheSdk(lookup("never")), []);
    assert.deepEqual(loadingTheSdk(lookup("eagerly")), [
      "provider/registry loads the SDK: provider/registry -> provider/lookups/webhook -> @pulumi/pulumi/runtime",
    ]);
  });
});
