import assert from "node:assert/strict";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as apps from "../../provider";
import * as packaged from "../../provider/packaged";
import { resourceDigitsKey, placeKey, resourceDigitsOf } from "../../provider/pulumi/hidden-inputs";
import { registration } from "../../provider/pulumi/registration";
import { type KindName, kindNames, kinds } from "../../provider/registry";
import { adoptingArgs, kindFixtures } from "../support/kind-fixtures";
import { filesOf, tracedBy } from "../support/traces";

type Args = Readonly<Record<string, unknown>>;
type Class = new (name: string, args: Args, options?: pulumi.CustomResourceOptions) => pulumi.CustomResource;

/** The registration of a resource that the engine receives. */
async function inputsOf(kind: KindName, args: Args, options?: pulumi.CustomResourceOptions): Promise<Args> {
  const given: Args[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, inputs }) => {
        if (type.startsWith("pulumi-nodejs:dynamic/")) given.push(inputs as Args);
        return { id: "id", state: inputs as Args };
      },
      call: () => ({}),
    },
    "project",
    "stack",
  );
  const resource = new (apps[kind] as unknown as Class)("named", args, options);
  await new Promise((resolve) => resource.urn.apply(resolve));
  return given.at(-1) ?? {};
}

describe("The registration that a program sends to the engine", () => {
  for (const kind of kindNames)
    it(`includes the location of every ${kind} that could be confused with another resource, or whose location matters`, async () => {
      const fixture = kindFixtures[kind];
      const place = async (args: Args): Promise<unknown> => (await inputsOf(kind, args))[placeKey];
      assert.equal(await place(fixture.args), fixture.placeIsTold === "always" ? "project/stack/named" : undefined);
      const adopting = adoptingArgs(fixture);
      if (adopting !== undefined) assert.equal(await place(adopting), "project/stack/named");
    });

  it("has campaigns deleted before they are replaced, even where the option is given as undefined", () => {
    const given = [
      {},
      { deleteBeforeReplace: undefined },
      { deleteBeforeReplace: false },
    ] as pulumi.CustomResourceOptions[];
    const options = given.map((one) => registration("dynamic", kinds.AdCampaign, "named", {}, one)[3]);
    assert.deepEqual(
      options.map(({ deleteBeforeReplace }) => deleteBeforeReplace),
      [true, true, false],
    );
  });

  it("contains only the arguments and the locator when an object is created", async () => {
    const args = { agentId: "a", targetUrl: "https://a.example", events: ["message.created"] };
    const {
      __provider,
      [resourceDigitsKey]: digits,
      ...rest
    } = await inputsOf("Webhook", { ...args, webhookId: null });
    assert.deepEqual(rest, { ...args, webhookId: null });
    assert.equal(typeof __provider, "string");
    assert.match(String(digits), /^[0-9a-f]{7}$/);
  });

  it("includes digits of a webhook that are the same in every command and of no other resource", async () => {
    const args = { agentId: "a", targetUrl: "https://a.example", events: ["message.created"] };
    const digits = async (options?: pulumi.CustomResourceOptions): Promise<unknown> =>
      (await inputsOf("Webhook", args, options))[resourceDigitsKey];
    const alone = await digits();
    assert.equal(await digits(), alone);
    const urn = "urn:pulumi:stack::project::pulumi-nodejs:dynamic/workspace-apps:Webhook::named";
    assert.equal(alone, resourceDigitsOf(urn));
    const parents = ["one", "two"].map((name) => new pulumi.ComponentResource("tested:Shop", name));
    const children = [];
    for (const parent of parents) children.push(await digits({ parent }));
    assert.notEqual(children[0], alone);
  });

  it("has the type of the other form as an alias, which follows the parent", () => {
    const aliasesOf = (options?: pulumi.CustomResourceOptions): unknown =>
      registration("packaged", kinds.Webhook, "named", {}, options)[3].aliases;
    const type = "pulumi-nodejs:dynamic/workspace-apps:Webhook";
    assert.deepEqual(aliasesOf(), [{ type }]);
    assert.deepEqual(aliasesOf({ aliases: [{ name: "old" }] }), [{ name: "old" }, { type }, { name: "old", type }]);
  });

  it("includes the parent of a child, so that two components may each have one of the same name", async () => {
    await inputsOf("ConversionTracking", { appId: "a" });
    const parent = new pulumi.ComponentResource("tested:Shop", "shop");
    const { [placeKey]: place } = await inputsOf("ConversionTracking", { appId: "a" }, { parent });
    assert.equal(place, "project/stack/shop/named");
  });
});

describe("While a resource is constructed,", () => {
  const tracking = (name: string, inside: () => void): pulumi.CustomResource =>
    new apps.ConversionTracking(
      name,
      { appId: "a" },
      {
        transformations: [
          () => {
            inside();
            return undefined;
          },
        ],
      },
    );
  before(() => inputsOf("ConversionTracking", { appId: "a" }));

  it("the SDK's stack traces have one line, and are complete again afterwards", () => {
    const limit = Error.stackTraceLimit;
    let inside: number | undefined;
    tracking("brief", () => (inside = Error.stackTraceLimit));
    assert.deepEqual([inside, Error.stackTraceLimit], [1, limit]);
  });

  it("the stored stack trace ends with the program, whatever started it", () =>
    tracedBy(filesOf, () => {
      const files = (): string[] => (new Error().stack ?? "").split("\n").map((file) => path.relative(".", file));
      let kept: string[] = [];
      tracking("located", () => {
        // As the SDK does for it.
        Error.stackTraceLimit = Infinity;
        kept = files();
      });
      const [test] = files();
      assert.ok(kept.includes("provider/resources/conversion-tracking/index.ts"), kept.join());
      assert.equal(kept.at(-1), test);
      assert.notEqual(files().at(-1), test, "afterwards traces include the test runner");
    }));

  it("the SDK's traces of one line are not mapped to sources, and name the error alone", () => {
    const mapped: string[][] = [];
    const hook = (error: Error, frames: NodeJS.CallSite[]): string => {
      mapped.push(frames.map((frame) => path.relative(".", frame.getFileName() ?? "")));
      return filesOf(error, frames);
    };
    return tracedBy(hook, () => {
      tracking("unmapped", () => undefined);
      assert.deepEqual(
        mapped.filter((files) => files.every((file) => file.startsWith("node_modules"))),
        [],
      );
      assert.notEqual(mapped.length, 0);
    });
  });

  for (const none of [undefined, null])
    it(`nothing is added when the hook for traces is ${String(none)}`, () =>
      tracedBy(none, () => {
        let inside: unknown;
        tracking(`hook ${String(none)}`, () => (inside = Reflect.get(Error, "prepareStackTrace")));
        assert.deepEqual([inside, Reflect.get(Error, "prepareStackTrace")], [none, none]);
      }));

  it("an error names the line that throws, and later traces stay complete", () => {
    const limit = Error.stackTraceLimit;
    const fail = (): void => {
      throw new Error("of a transformation");
    };
    assert.throws(
      () => tracking("failing", fail),
      ({ stack = "" }: Error) => /^Error: of a transformation\n\s+at fail /.test(stack),
    );
    assert.equal(Error.stackTraceLimit, limit);
  });

  it("traces stay complete for users who debug promise leaks", () => {
    process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "true";
    try {
      const limit = Error.stackTraceLimit;
      let inside: number | undefined;
      tracking("debugged", () => (inside = Error.stackTraceLimit));
      assert.equal(inside, limit);
    } finally {
      delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
    }
  });

  it("a missing name is reported with the line of the program", () => {
    for (const name of [undefined, "", { appId: "a" }])
      assert.throws(
        () => new apps.ConversionTracking(name as string, { appId: "a" }),
        ({ message, stack = "" }: Error) =>
          message ===
            "ConversionTracking: the first argument must be the resource's name in the program, a string. [WA1101]" &&
          stack.includes("registration.test.ts"),
      );
  });

  it("arguments that are not an object are refused", () => {
    for (const args of ["folder", ["folder"], 7])
      assert.throws(() => new apps.ConversionTracking("odd", args as unknown as apps.ConversionTrackingArgs), {
        message: 'ConversionTracking "odd": the second argument must be an object. [WA1101]',
      });
  });

  it("a Provider reports all wrong arguments at once", () => {
    const args = { baseUrl: "https://eu.example.com", acessToken: "t", region: "eu", documentedOnly: "canary" };
    for (const Provider of [apps.Provider, packaged.Provider])
      assert.throws(() => new Provider("eu", args as never), {
        message:
          'Provider "eu": unknown argument "acessToken". Did you mean "accessToken"? unknown argument "region". accessToken is not set; documentedOnly must be true or false. [WA1002]',
      });
  });

  it("a Provider of the other form is refused, because Pulumi would ignore it", () => {
    const args = { baseUrl: "https://eu.example.com", accessToken: "t" };
    const provider = new packaged.Provider("eu", args);
    assert.throws(() => new apps.ConversionTracking("odd", { appId: "a" }, { provider }), {
      message:
        'ConversionTracking "odd": the option provider is not a Provider of the dynamic form. Import Provider and ConversionTracking from the same module. [WA1602]',
    });
    const dynamic = new apps.Provider("dynamic", args);
    assert.throws(
      () => new packaged.ConversionTracking("odd", { appId: "a" }, { provider: dynamic }),
      /is not a Provider of the packaged form/,
    );
  });
});
