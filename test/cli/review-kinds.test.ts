import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { type Kind, kinds } from "../../provider/registry";
import { unknownValue } from "../../provider/pulumi/unknown";

describe("The review's knowledge of the resources", () => {
  it("includes the placeholder for unknown values", () => {
    assert.equal(unknownValue, runtime.unknownValue);
  });

  for (const [name, { lifecycle, review }] of Object.entries<Kind>(kinds)) {
    const { adoptedBy, inputs } = lifecycle;

    it(`includes what deleting ${name} calls, if destroy can do more than forget it`, () => {
      assert.equal(review.calls.delete !== undefined, "deletionPolicy" in inputs.shape);
    });

    it(`includes which operations creating and adopting ${name} need`, () => {
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
