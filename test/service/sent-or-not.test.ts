import assert from "node:assert/strict";
import { thisMajor } from "../support/node-majors";
import { faults, sentOrNot } from "./sent-or-not";

describe("Whether a request was sent", () => {
  it("is tested with at least thirty faults, each under its own name", () => {
    assert.ok(faults.length >= 30, String(faults.length));
    assert.equal(new Set(faults.map(({ name }) => name)).size, faults.length);
  });
});

sentOrNot([thisMajor]);
