import assert from "node:assert/strict";
import * as apps from "../../provider";
import { companions, kindNames, kinds, lookups } from "../../provider/registry";
import runtime from "../../provider/runtime";

describe("The registry", () => {
  it("names every kind like its class, its lifecycle and the runtime", () => {
    assert.deepEqual(
      kindNames.map((name) => [kinds[name].kind, typeof apps[name], typeof runtime[name].create]),
      kindNames.map((name) => [name, "function", "function"]),
    );
    assert.deepEqual(Object.keys(runtime).sort(), [...kindNames, ...Object.keys(companions)].sort());
  });

  it("contains every look-up that programs can call, in both forms", () => {
    const functions = Object.keys(apps).filter((name) => /^[a-z]/.test(name) && name !== "micros");
    assert.deepEqual(functions.sort(), lookups.flatMap(({ name }) => [name, `${name}Output`]).sort());
  });
});
