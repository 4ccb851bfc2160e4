import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { type Kind, kinds } from "../../provider/registry";
import { unknownValue } from "../../provider/pulumi/unknown";

describe("The review's knowledge of the resources", () => {
  it("includes the placeholder for unknown values", () => {
    assert.equal(unknownValue, runtime.unknownValue);
  });

  for (const [name, { lifecycle, review }] of Object.entries<Kind>(kinds))
    it(`includes what deleting ${name} calls, if destroy can do more than forget it`, () => {
      assert.equal(review.calls?.delete !== undefined, "deletionPolicy" in lifecycle.inputs.shape);
    });
});
