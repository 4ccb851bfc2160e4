import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../provider/pulumi/registration";
import { kinds } from "../../provider/registry";
import { serializationProblem, unknownValue } from "../../provider/serializable";

describe("A value", () => {
  const circular: Record<string, unknown> = {};
  circular["inner"] = [circular];
  const refused: [what: string, value: unknown, problem: RegExp][] = [
    ["a Date", new Date(0), /^x is a Date, .*, for a Date its toISOString\(\)\.$/],
    ["a function", (): void => undefined, /^x is a function, which Pulumi cannot serialize\./],
    ["a symbol", Symbol("x"), /^x is a symbol, /],
    ["a bigint", 1n, /^x is a bigint, /],
    ["a Map", new Map(), /^x is a Map, /],
    ["a URL", new URL("https://example.com"), /^x is a URL, /],
    ["circular", circular, /^x\.inner\[0\] is a circular reference, /],
    ["not valid Unicode", "\ud800", /^x is a text that Pulumi cannot serialize\.$/],
    ["Pulumi's placeholder for an unknown value", unknownValue, /^x is a text that /],
    ["named toString", { toString: 1 }, /^x\.toString has a name that Pulumi cannot serialize\./],
    ["named __proto__", JSON.parse('{"__proto__":1}'), /^x\.__proto__ has a name /],
    ["named by no valid Unicode", { "\ud800": 1 }, /^x\.\ud800 has a name /],
  ];
  for (const [what, value, problem] of refused)
    it(`that is ${what} is refused where it is, at any depth`, () => {
      assert.match(serializationProblem({ x: value }) ?? "", problem);
      const nested = serializationProblem({ fields: { list: [1, { x: value }] } }) ?? "";
      assert.match(nested.replace(/^fields\.list\[1\]\./, ""), problem);
    });

  it("may have JavaScript's other names, no prototype, and what Pulumi serializes itself", () => {
    const names = { constructor: 1, hasOwnProperty: 1, valueOf: 1, isPrototypeOf: 1, toJSON: 1, then: 1 };
    const values = [null, undefined, true, 1, "x", {}, Object.create(null), names];
    assert.equal(serializationProblem(values), undefined);
    const handled = [pulumi.output(1), Promise.resolve(1), new pulumi.asset.StringAsset("x")];
    const args = { values, handled };
    assert.doesNotThrow(() => registration("dynamic", kinds.EntityRecord, "vat", args));
    assert.throws(
      () => registration("dynamic", kinds.EntityRecord, "vat", { ...args, fields: { when: new Date(0) } }),
      (error) =>
        pulumi.RunError.isInstance(error) && error.message.startsWith('EntityRecord "vat": fields.when is a Date'),
    );
  });
});
