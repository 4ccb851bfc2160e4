import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { hasUnknown } from "../../provider/pulumi/unknown";
import { unknownValue } from "../../provider/serializable";

describe("The placeholder for an unknown value", () => {
  it("is the one of the SDK", () => {
    assert.equal(unknownValue, pulumi.runtime.unknownValue);
  });

  it("is found at any depth", () => {
    assert.deepEqual([unknownValue, [1, { a: [unknownValue] }], { a: "x" }, null, "x"].map(hasUnknown), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
