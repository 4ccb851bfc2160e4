import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { requireSerializable } from "../../provider/pulumi/program-arguments";

describe("An argument", () => {
  const refused = (args: object): string => {
    try {
      requireSerializable('EntityRecord "vat"', args);
      return "";
    } catch (error) {
      assert.ok(pulumi.RunError.isInstance(error));
      return error.message;
    }
  };

  for (const [kind, value] of [
    ["a Date", new Date(0)],
    ["a function", (): void => undefined],
    ["a symbol", Symbol("x")],
    ["a bigint", 1n],
    ["a Map", new Map()],
    ["a URL", new URL("https://example.com")],
  ] as const)
    it(`that is ${kind} is refused at its position, because it would arrive as something else`, () => {
      assert.match(
        refused({ fields: { list: [1, { when: value }] } }),
        new RegExp(`^EntityRecord "vat": fields\\.list\\[1\\]\\.when is ${kind}, `),
      );
      assert.match(refused({ appId: value }), new RegExp(`appId is ${kind}, `));
    });

  it("that is a Date is refused with the form to use", () => {
    assert.match(refused({ when: new Date(0) }), /toISOString\(\)/);
  });

  for (const name of ["toString", "__proto__"])
    it(`that is named ${name} at any depth is refused, because Pulumi fails on it without saying where`, () => {
      const named = JSON.parse(`{"${name}":"x"}`) as object;
      assert.match(
        refused({ fields: { list: [1, named] } }),
        new RegExp(`^EntityRecord "vat": fields\\.list\\[1\\]\\.${name} has a name that Pulumi cannot pass on\\.`),
      );
      assert.match(refused({ fields: named }), new RegExp(`: fields\\.${name} has a name`));
    });

  it("may have other names of JavaScript's own", () => {
    const fields = { constructor: 1, hasOwnProperty: 1, valueOf: 1, isPrototypeOf: 1, toJSON: 1, then: 1 };
    assert.equal(refused({ fields }), "");
  });

  it("that contains itself is refused where it does", () => {
    const circular: Record<string, unknown> = { name: "a" };
    circular["inner"] = [circular];
    assert.match(refused({ fields: circular }), /fields\.inner\[0\] is a part of itself, which Pulumi cannot pass on/);
  });

  it("passes in every form that Pulumi supports", () => {
    const inherited = Object.create(null) as object;
    const fine = { a: [null, undefined, true, 1, "x", {}, inherited], b: pulumi.output(1), c: Promise.resolve(1) };
    assert.equal(refused({ fields: fine, asset: new pulumi.asset.StringAsset("x") }), "");
  });
});
