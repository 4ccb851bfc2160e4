import assert from "node:assert/strict";
import { type Kind, kinds } from "../../provider/registry";

describe("The review's knowledge of the resources", () => {
  for (const [name, { lifecycle, review }] of Object.entries<Kind>(kinds))
    it(`includes what deleting ${name} calls, if destroy can do more than forget it`, () => {
      assert.equal(review.calls?.delete !== undefined, "deletionPolicy" in lifecycle.inputs.shape);
    });
});
