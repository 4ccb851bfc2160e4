import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { type Kind, kinds } from "../../provider/registry";
import { unknownValue } from "../../provider/pulumi/unknown";

describe("What a review knows of the resources", () => {
  it("has the value that stands for an unknown one", () => {
    assert.equal(unknownValue, runtime.unknownValue);
  });

  for (const [name, { lifecycle, review }] of Object.entries<Kind>(kinds)) {
    const { adoptedBy, inputs } = lifecycle;

    it(`says what a ${name} calls when it is deleted, if destroy can do more than forget it`, () => {
      assert.equal(review.calls.delete !== undefined, "deletionPolicy" in inputs.shape);
    });

    it(`names what making and adopting a ${name} needs`, () => {
      const required = (values: Record<string, unknown>): string[] =>
        lifecycle.requiredOperations(values).map(({ operation }) => operation);
      for (const values of [{}, { paused: true }]) {
        const created: readonly string[] = review.calls.create(values);
        assert.deepEqual(
          required(values).filter((operation) => !created.includes(operation)),
          [],
        );
        if (adoptedBy === undefined) continue;
        const adopting = { ...values, [adoptedBy]: adoptedBy === "adopt" ? true : "id" };
        const adopted: readonly string[] = review.calls.adopt?.(adopting) ?? [];
        assert.deepEqual(
          required(adopting).filter((operation) => !adopted.includes(operation)),
          [],
        );
      }
    });
  }
});
