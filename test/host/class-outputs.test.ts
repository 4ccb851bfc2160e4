import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as apps from "../../provider";
import { kindNames } from "../../provider/registry";
import { kindFixtures } from "../support/kind-fixtures";

type Class = new (name: string, args: object) => Record<string, unknown>;

describe("The class of a resource", () => {
  before(() =>
    pulumi.runtime.setMocks({
      newResource: ({ inputs }) => ({ id: "id", state: inputs as object }),
      call: () => ({}),
    }),
  );

  for (const kind of kindNames)
    it(`has every argument of ${kind} as an output, given or not`, () => {
      const { args, allArgs, adoption } = kindFixtures[kind];
      const resource = new (apps[kind] as unknown as Class)("named", args);
      const names = Object.keys({ ...allArgs, ...adoption?.by });
      assert.deepEqual(
        names.filter((name) => !pulumi.Output.isInstance(resource[name])),
        [],
      );
    });
});
