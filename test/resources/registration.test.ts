import assert from "node:assert/strict";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as apps from "../../provider";
import { placeKey } from "../../provider/pulumi/hidden-inputs";
import type { Lifecycle } from "../../provider/resources/shared/lifecycle";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { codingSessionLifecycle } from "../../provider/resources/coding-session/lifecycle";
import { conversionTrackingLifecycle } from "../../provider/resources/conversion-tracking/lifecycle";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import { ignoredFindingLifecycle } from "../../provider/resources/ignored-finding/lifecycle";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import { declared as campaign } from "../support/campaigns";
import { filesOf, tracedBy } from "../support/traces";

type Args = Record<string, unknown>;
type Class = new (name: string, args: Args, options?: pulumi.CustomResourceOptions) => pulumi.CustomResource;

/** Every class, with arguments of an object that is made anew and, where that is possible, of one that is adopted. */
const kinds: [keyof typeof apps, unknown, ...Args[]][] = [
  ["AdCampaign", adCampaignLifecycle, campaign, { ...campaign, campaignId: "cmp_1" }],
  ["CodingSession", codingSessionLifecycle, { appId: "a", prompt: "p", title: "t" }],
  ["ConversionTracking", conversionTrackingLifecycle, { appId: "a" }],
  [
    "EntityRecord",
    entityRecordLifecycle,
    { appId: "a", entityName: "e", fields: {} },
    { appId: "a", entityName: "e", fields: {}, recordId: "r" },
  ],
  ["FolderMembership", folderMembershipLifecycle, { folderId: "f", appId: "a" }],
  ["IgnoredFinding", ignoredFindingLifecycle, { appId: "a", fingerprint: "f" }],
  ["TestFlow", testFlowLifecycle, { appId: "a", definition: {} }, { appId: "a", flowId: "f" }],
  [
    "Webhook",
    webhookLifecycle,
    { agentId: "a", targetUrl: "https://a.example", events: ["message.created"] },
    { agentId: "a", targetUrl: "https://a.example", events: ["message.created"], webhookId: "w" },
  ],
];

/** What the engine is given for a resource. */
async function inputsOf(kind: keyof typeof apps, args: Args, options?: pulumi.CustomResourceOptions): Promise<Args> {
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
  return given[0] ?? {};
}

describe("What a program gives the engine", () => {
  for (const [kind, untyped, ...forms] of kinds) {
    const lifecycle = untyped as Lifecycle<Args, object>;

    it(`tells the place of every ${kind} that could stand for another's object, or whose place counts`, async () => {
      for (const args of forms) {
        const declares = (lifecycle.declares ?? []).some(({ properties }) => properties.every((key) => key in args));
        const usesPlace = kind === "CodingSession";
        const { [placeKey]: place } = await inputsOf(kind, args);
        assert.equal(place, declares || usesPlace ? "project/stack/named" : undefined, JSON.stringify(args));
      }
    });
  }

  it("is no more than the arguments and the shell where an object is made anew", async () => {
    const args = { agentId: "a", targetUrl: "https://a.example", events: ["message.created"] };
    const { __provider, ...rest } = await inputsOf("Webhook", { ...args, webhookId: null });
    assert.deepEqual(rest, { ...args, webhookId: null });
    assert.equal(typeof __provider, "string");
  });

  it("tells the parent of a child, so that two components may each have one of the same name", async () => {
    await inputsOf("ConversionTracking", { appId: "a" });
    const parent = new pulumi.ComponentResource("tested:Shop", "shop");
    const { [placeKey]: place } = await inputsOf("ConversionTracking", { appId: "a" }, { parent });
    assert.equal(place, "project/stack/shop/named");
  });
});

describe("While a resource is built", () => {
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

  it("the SDK's stack traces are of one line, and whole again afterwards", () => {
    const limit = Error.stackTraceLimit;
    let inside: number | undefined;
    tracking("brief", () => (inside = Error.stackTraceLimit));
    assert.deepEqual([inside, Error.stackTraceLimit], [1, limit]);
  });

  it("the trace that is kept with it ends with the program, whatever started that", () =>
    tracedBy(filesOf, () => {
      const files = (): string[] => (new Error().stack ?? "").split("\n").map((file) => path.basename(file));
      let kept: string[] = [];
      tracking("located", () => {
        // As the SDK does for it.
        Error.stackTraceLimit = Infinity;
        kept = files();
      });
      const [test] = files();
      assert.ok(kept.includes("conversion-tracking.ts"), kept.join());
      assert.equal(kept.at(-1), test);
      assert.notEqual(files().at(-1), test, "afterwards traces go on to what runs the tests");
    }));

  for (const none of [undefined, null])
    it(`nothing is put where the hook for traces is ${String(none)}`, () =>
      tracedBy(none, () => {
        let inside: unknown;
        tracking(`hook ${String(none)}`, () => (inside = Reflect.get(Error, "prepareStackTrace")));
        assert.deepEqual([inside, Reflect.get(Error, "prepareStackTrace")], [none, none]);
      }));

  it("an error names the line that throws and those of the program, and leaves later traces whole", () => {
    const limit = Error.stackTraceLimit;
    const fail = (): void => {
      throw new Error("of a transformation");
    };
    assert.throws(
      () => tracking("failing", fail),
      ({ stack = "" }: Error) =>
        /^Error: of a transformation\n\s+at fail .*\n\s+at new ConversionTracking .*\n\s+at tracking /.test(stack),
    );
    assert.equal(Error.stackTraceLimit, limit);
  });

  it("traces stay whole for those who ask for promises that never end", () => {
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

  it("a forgotten name is missed, with the line of the program", () => {
    for (const name of [undefined, "", { appId: "a" }])
      assert.throws(
        () => new apps.ConversionTracking(name as string, { appId: "a" }),
        ({ message, stack = "" }: Error) =>
          message === "ConversionTracking: the first argument must be the resource's name in the program, a text." &&
          stack.includes("registration.test.ts"),
      );
  });

  it("arguments that are no object are refused as such", () => {
    for (const args of ["folder", ["folder"], 7])
      assert.throws(() => new apps.ConversionTracking("odd", args as unknown as apps.ConversionTrackingArgs), {
        message: 'ConversionTracking "odd": the second argument must be an object.',
      });
  });

  it("a parent that is no resource is refused with the name of the resource", () => {
    const parent = "shop" as unknown as pulumi.Resource;
    assert.throws(() => new apps.ConversionTracking("odd", { appId: "a" }, { parent }), {
      message: 'ConversionTracking "odd": the option parent must be a resource.',
    });
  });
});
