import assert from "node:assert/strict";
import { reviews } from "../../cli/review/kinds";
import { kindNames, kinds } from "../../provider/registry";

describe("The review's knowledge of the resources", () => {
  for (const name of kindNames)
    it(`includes what deleting ${name} calls, if destroy can do more than forget it`, () => {
      assert.equal(reviews[name].calls?.delete !== undefined, "deletionPolicy" in kinds[name].inputs.shape);
    });
});
