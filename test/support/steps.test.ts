import assert from "node:assert/strict";
import type { Run } from "../../tools/harness/engine";
import { assertDoneWith, assertFailedWith } from "./steps";

const urnOf = (type: string, name: string): string => `urn:pulumi:dev::tested::${type}::${name}`;
const stack = urnOf("pulumi:pulumi:Stack", "tested-dev");
const [mine, other] = ["mine", "other"].map((name) =>
  urnOf("pulumi:pulumi:Stack$pulumi-nodejs:dynamic:Resource", name),
);

/** A command that failed and reported an error for these resources. */
function failed(...urns: (string | undefined)[]): Run {
  const events = urns.map((urn) => ({ diagnosticEvent: { severity: "error", message: "it failed", urn } }));
  const output = events.map((event) => JSON.stringify(event)).join("\n");
  return { code: 255, output, stdout: output, changes: {} };
}

describe("The step of a failed command for one of many resources", () => {
  it("counts as done when the command failed for another resource", () => {
    assertDoneWith("mine", failed(other, stack));
  });

  it("does not count as done when the command failed for it", () => {
    assert.throws(() => {
      assertDoneWith("mine", failed(mine, stack));
    }, /it failed/);
    assertFailedWith("mine", failed(mine, stack), /it failed/);
  });

  it("does not count as done when the command failed for the stack, for example in a crashed program, or for nothing", () => {
    for (const run of [failed(stack), failed(undefined), failed()])
      assert.throws(() => {
        assertDoneWith("mine", run);
      });
  });
});
