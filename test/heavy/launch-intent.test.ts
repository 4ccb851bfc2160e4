import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { type Simulator, startSimulator } from "../../simulator";
import {
  assertDone,
  assertFailed,
  companionChanges,
  PulumiProject,
  type Run,
  type StoredResource,
} from "../../tools/harness/engine";
import { testedType } from "../../tools/harness/form";
import { asStored, declared } from "../support/campaigns";
import { assertDoneWith, assertFailedWith } from "../support/steps";

const launching = ["campaign.list", "campaign.readiness", "campaign.launch", "campaign.list"];
const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" };
const [campaignType, intentType] = [testedType("AdCampaign"), testedType("LaunchIntent")];
const urnOf = (type: string, name: string): string => `urn:pulumi:dev::tested::${type}::${name}`;
const campaignUrn = (name: string): string => urnOf(campaignType, name);
const intentUrn = (name: string): string => urnOf(intentType, name);

/** A program in which `campaign` declares one of its own app, under that app's name unless it has another one. */
const programOf = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  const campaign = (appId, args, options, name = appId) =>
    new apps.AdCampaign(name, { ...${JSON.stringify(declared)}, appId, ...args }, options);
  ${body}`;

/** The campaigns of each app, as in `cmp_1 ENABLED`. */
const held = ({ objects }: Simulator, app: string): string[] =>
  objects.campaigns(app).map(({ id, status }) => `${id} ${status}`);

/** The operations that the service saw since the last call, by app. */
function newOperations(simulator: Simulator): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const { operation, parameters } of simulator.requests)
    (all[String(parameters["app_id"])] ??= []).push(String(operation));
  simulator.clearRequests();
  return all;
}

function newestId({ objects }: Simulator, app: string): string {
  return objects.campaigns(app).at(-1)?.id ?? assert.fail(`${app} has no campaign`);
}

describe("The launch intent of a campaign, on one stack with an app for each option", () => {
  let simulator: Simulator;
  let stack: PulumiProject;
  /** What the service saw of each app in each step. */
  const seen: Record<string, Record<string, string[]>> = {};
  const runs: Record<string, Run> = {};
  const states: Record<string, StoredResource[]> = {};

  interface Version {
    ordinary?: object;
    isMoved?: boolean;
    /** Its own campaignId, by app. */
    own?: Record<string, string>;
    isProtected?: boolean;
  }

  const program = ({ ordinary = {}, isMoved = false, own = {}, isProtected = true }: Version): string =>
    programOf(`
      const own = ${JSON.stringify(own)};
      const moved = (app) => (${String(isMoved)} ? app + "-moved" : app);
      const aliases = (...all) => (${String(isMoved)} ? { aliases: all } : {});
      pulumi.runtime.registerResourceTransform(({ props, opts }) =>
        props.appId === "stack-transform" ? { props: { ...props, dailyBudgetMicros: 6000000 }, opts } : undefined);
      const group = new pulumi.ComponentResource("tested:index:Group", "group");
      const safe = new pulumi.ComponentResource("tested:index:Group", "safe", {}, { protect: ${String(isProtected)} });
      const eu = new apps.Provider("eu", {
        baseUrl: process.env.WORKSPACE_APPS_BASE_URL,
        accessToken: process.env.WORKSPACE_APPS_ACCESS_TOKEN,
        launchSettleSeconds: 0,
      });

      campaign("ordinary", ${JSON.stringify(ordinary)});
      const child = campaign("parent", {}, { parent: group });
      campaign("alias-name", {}, aliases({ name: "alias-name" }), moved("alias-name"));
      campaign("alias-urn", {}, aliases("${campaignUrn("alias-urn")}"), moved("alias-urn"));
      campaign("alias-output", {}, aliases(pulumi.output("${campaignUrn("alias-output")}")), moved("alias-output"));
      campaign("alias-object", {}, {
        ...aliases({ type: "${campaignType}", name: "alias-object", parent: pulumi.rootStackResource }),
        ...(${String(isMoved)} ? { parent: group } : {}),
      }, moved("alias-object"));
      campaign("alias-parent", {}, ${isMoved ? "{ aliases: [{ parent: group }] }" : "{ parent: group }"});
      campaign("provider", {}, { provider: eu });
      const changed = ${isMoved ? "{ dailyBudgetMicros: 9000000, keywordThemes: ['new'] }" : "{}"};
      campaign("ignoring", { keywordThemes: ["old"], ...changed }, { ignoreChanges: ["dailyBudgetMicros", "keywordThemes"] });
      campaign("ignoring-all", changed, { ignoreChanges: ["*"] });
      campaign("ignoring-item", { geoTargets: ["${isMoved ? "b" : "a"}"] }, { ignoreChanges: ["geoTargets[0]"] });
      campaign("transform", {}, {
        transforms: [({ props, opts }) => ({ props: { ...props, dailyBudgetMicros: 7000000 }, opts })],
      });
      campaign("stack-transform", {});
      campaign("retained", {}, { retainOnDelete: true });
      campaign("retained-later", {}, { retainOnDelete: ${String(isMoved)}, ignoreChanges: ["deletionPolicy"] });
      campaign("retained-later-all", {}, { retainOnDelete: ${String(isMoved)}, ignoreChanges: ["*"] });
      campaign("protected", { campaignId: own["protected"] }, { protect: ${String(isProtected)} });
      campaign("in-protected", { campaignId: own["in-protected"] }, { parent: safe });
      campaign("id-later", { campaignId: child.urn.apply(() => "theirs") });
      campaign("no-id-later", { campaignId: child.urn.apply(() => undefined) });`);
  const all = 20;
  /** The operations of a campaign that is launched, refreshed and destroyed, and which no other step changes. */
  const ordinaryLife = [[], launching, [], [], ["campaign.list"], [], [], ["campaign.delete"]];

  const step = async (name: string, run: Promise<Run>): Promise<Run> => {
    runs[name] = await run;
    seen[name] = newOperations(simulator);
    states[name] = await stack.stored();
    return runs[name];
  };
  const intentsIn = (run: Run | undefined): Record<string, number> => companionChanges(run ?? assert.fail());
  const operationsOf = (app: string): string[][] => Object.values(seen).map((operations) => operations[app] ?? []);
  /** A campaign and its intent in the state after a step. */
  const pair = (name: string, app: string): Record<"campaign" | "intent", StoredResource | undefined> => {
    const found = (type: string): StoredResource | undefined =>
      states[name]?.find((stored) => stored.type === type && stored.outputs?.["appId"] === app);
    return { campaign: found(campaignType), intent: found(intentType) };
  };
  const namesOf = (name: string, app: string): (string | undefined)[] => {
    const { campaign, intent } = pair(name, app);
    return [campaign, intent].map((stored) => stored && partsOfUrn(stored.urn).name);
  };

  before(async () => {
    simulator = await startSimulator();
    stack = await PulumiProject.create({ program: program({}), baseUrl: simulator.url, environment });
    simulator.objects.putCampaign("id-later", { ...asStored, id: "theirs" });
    assertDone(await step("preview", stack.preview()), { create: all });
    assertDone(await step("up", stack.up()), { create: all });
    const own = Object.fromEntries(["protected", "in-protected"].map((app) => [app, newestId(simulator, app)]));
    await stack.write(program({ ordinary: { deletionPolicy: "delete" }, isMoved: true, own }));
    assertDone(await step("moved", stack.up()), { update: 1, same: all - 1 });
    assertDone(await step("no-op", stack.up("--expect-no-changes")), { same: all });
    assertDone(await step("refresh", stack.refresh("--expect-no-changes")), { same: all });
    const ordinary = { deletionPolicy: "delete", dailyBudgetMicros: 8_000_000 };
    await stack.write(program({ ordinary, isMoved: true, own, isProtected: false }));
    assertDone(await step("replacement preview", stack.preview()), { replace: 1, same: 2 });
    assertDone(await step("replacement", stack.up()), {
      same: all - 1,
      "delete-replaced": 1,
      replace: 1,
      "create-replacement": 1,
    });
    assertDone(await step("destroy", stack.destroy()), { delete: all });
  });
  after(() => simulator.close());

  it("shows in previews, and sends no request in an ordinary life", () => {
    assert.deepEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, seen[name]?.["ordinary"] ?? []])), {
      preview: [],
      up: launching,
      moved: [],
      "no-op": [],
      refresh: ["campaign.list"],
      "replacement preview": [],
      replacement: ["campaign.delete", ...launching],
      destroy: ["campaign.delete"],
    });
    assert.deepEqual(intentsIn(runs["preview"]), { create: all });
    assert.deepEqual(intentsIn(runs["up"]), { create: all });
    assert.deepEqual(intentsIn(runs["moved"]), { update: 3, same: all - 5, delete: 2 });
    assert.deepEqual(intentsIn(runs["no-op"]), { same: all - 2 });
    assert.deepEqual(intentsIn(runs["refresh"]), { same: all - 2 });
    assert.deepEqual(intentsIn(runs["replacement preview"]), { replace: 1 });
    assert.deepEqual(intentsIn(runs["replacement"]), {
      "create-replacement": 1,
      replace: 1,
      same: all - 3,
      "delete-replaced": 1,
    });
    assert.deepEqual(intentsIn(runs["destroy"]), { delete: all - 2 });
    assert.deepEqual(states["destroy"], []);
  });

  it("lives where its campaign lives: parent and provider hold for both", () => {
    const { campaign, intent } = pair("up", "parent");
    assert.match(String(campaign?.parent), /::group$/);
    assert.equal(intent?.parent, campaign?.parent);
    const other = pair("up", "provider");
    assert.match(String(other.campaign?.provider), /::eu::/);
    assert.equal(other.intent?.provider, other.campaign?.provider);
  });

  for (const app of ["alias-name", "alias-urn", "alias-output", "alias-object"])
    it(`moves with its campaign: ${app}`, () => {
      assert.deepEqual(namesOf("up", app), [app, app]);
      assert.deepEqual(namesOf("moved", app), [`${app}-moved`, `${app}-moved`]);
      assert.equal(pair("moved", app).intent?.id, pair("up", app).intent?.id);
      assert.deepEqual(operationsOf(app), ordinaryLife);
    });

  it("moves with its campaign to another parent", () => {
    const app = "alias-parent";
    assert.deepEqual(
      ["up", "moved"].map((name) => partsOfUrn(String(pair(name, app).intent?.parent)).name),
      ["group", "tested-dev"],
    );
    assert.equal(pair("moved", app).intent?.id, pair("up", app).intent?.id);
    assert.deepEqual(operationsOf(app), ordinaryLife);
  });

  for (const app of ["ignoring", "ignoring-all", "ignoring-item"])
    it(`ignores the changes that its campaign ignores: ${app}`, () => {
      assert.deepEqual(operationsOf(app), ordinaryLife);
      const { campaign, intent } = pair("moved", app);
      const values = (stored?: StoredResource): unknown[] =>
        ["dailyBudgetMicros", "geoTargets"].map((key) => stored?.inputs?.[key]);
      const before = values(pair("up", app).campaign);
      assert.deepEqual([values(campaign), values(intent)], [before, before]);
    });

  it("is transformed with its campaign, by the resource's transforms and by those of the stack", () => {
    for (const [app, budget] of [
      ["transform", 7_000_000],
      ["stack-transform", 6_000_000],
    ] as const) {
      const { campaign, intent } = pair("up", app);
      assert.deepEqual(
        [campaign, intent].map((stored) => stored?.inputs?.["dailyBudgetMicros"]),
        [budget, budget],
      );
      assert.deepEqual(operationsOf(app)[1], launching);
    }
  });

  for (const [app, since] of [
    ["retained", "up"],
    ["retained-later", "moved"],
    ["retained-later-all", "moved"],
  ] as const)
    it(`has the policy retain where its campaign has retainOnDelete, and names the campaign that it leaves: ${app}`, () => {
      assert.equal(pair(since, app).intent?.outputs?.["deletionPolicy"], "retain");
      const id = newestId(simulator, app);
      assert.deepEqual([seen["destroy"]?.[app], held(simulator, app)], [["campaign.list"], [`${id} ENABLED`]]);
      assert.match(
        String(runs["destroy"]?.output.replaceAll('\\"', '"')),
        new RegExp(`campaign "Spring sale" of app ${app} leaves the stack\\. ${id} of this name may go on spending`),
      );
    });

  for (const app of ["protected", "in-protected"])
    it(`is not protected, and leaves once its campaign is declared by its id: ${app}`, () => {
      const { campaign, intent } = pair("up", app);
      assert.deepEqual([campaign?.protect, intent?.protect ?? false], [true, false]);
      assert.deepEqual(namesOf("moved", app), [app, undefined]);
      assert.deepEqual(operationsOf(app).slice(0, 4), [[], launching, ["campaign.list"], []]);
    });

  it("does nothing where the campaignId is known later", () => {
    assert.equal(pair("up", "id-later").intent?.outputs?.["campaignId"], "theirs");
    assert.deepEqual(operationsOf("id-later"), [[], ["campaign.list"], [], [], ["campaign.list"], [], [], []]);
    assert.deepEqual(held(simulator, "id-later"), ["theirs ENABLED"]);
  });

  it("is one of a launch where the campaignId turns out to be undefined", () => {
    assert.deepEqual(operationsOf("no-id-later").slice(0, 4), [[], launching, [], []]);
  });

  it("lets each campaign be launched once, and twice only where it was replaced", () => {
    assert.equal(simulator.objects.launches().length, all);
    assert.equal(simulator.objects.launches("ordinary").length, 2);
    assert.equal(simulator.objects.launches("id-later").length, 0);
  });
});

describe("A campaign without the intent that launched it", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const project = (body: string): Promise<PulumiProject> =>
    PulumiProject.create({ program: programOf(body), baseUrl: simulator.url, environment });
  /** Older than the clocks of the service and of this machine can differ. */
  const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();
  const age = (app: string): void =>
    void simulator.objects.changeCampaign(app, newestId(simulator, app), { created_date: anHourAgo() });

  it("is found again after `pulumi state delete` of it alone; any other is named and not taken", async () => {
    const stack = await project(`campaign("one"); campaign("both");`);
    assertDone(await stack.up(), { create: 2 });
    const [one, both] = ["one", "both"].map((app) => newestId(simulator, app));
    const urns = [campaignUrn("one"), campaignUrn("both"), intentUrn("both")];
    assertDone(await stack.pulumi("state", "delete", "--yes", ...urns));
    age("both");
    simulator.objects.putCampaign("theirs", { ...asStored, id: "theirs", created_date: anHourAgo() });
    newOperations(simulator);

    await stack.write(programOf(`campaign("one"); campaign("both"); campaign("theirs");`));
    const first = await stack.up("--continue-on-error");
    assertDoneWith("one", first, ["create"]);
    assert.match(first.output, new RegExp(`already runs as ${String(one)} \\(ENABLED\\)\\. It is adopted`));
    const refused = (id: string | undefined, why: string): RegExp =>
      new RegExp(
        `A live campaign has this name: ${String(id)} \\(ENABLED, ${why}\\).*declare its id as campaignId`,
        "s",
      );
    assertFailedWith("both", first, refused(both, "not known to be launched by this resource"));
    assertFailedWith("theirs", first, refused("theirs", "not known to be launched by this resource"));
    const next = await stack.up("--continue-on-error");
    assertDoneWith("one", next, ["same"]);
    assertFailedWith("both", next, refused(both, "created [^,]*, before this resource was declared"));
    assertFailedWith("theirs", next, refused("theirs", "created [^,]*, before this resource was declared"));
    assert.deepEqual(newOperations(simulator), {
      one: ["campaign.list"],
      both: ["campaign.list", "campaign.list"],
      theirs: ["campaign.list", "campaign.list"],
    });
  });

  it("is not taken by a renamed resource, which is told about aliases, and moves with them", async () => {
    const stack = await project(`campaign("app", {}, {}, "before");`);
    assertDone(await stack.up(), { create: 1 });
    const id = newestId(simulator, "app");
    age("app");
    newOperations(simulator);
    await stack.write(programOf(`campaign("app", {}, {}, "after");`));
    const targets = [campaignUrn("after"), intentUrn("after")].flatMap((urn) => ["--target", urn]);
    const excluded = [campaignUrn("before"), intentUrn("before")].flatMap((urn) => ["--exclude", urn]);
    for (const more of [targets, excluded, []])
      assertFailed(
        await stack.up(...more),
        new RegExp(`${id} \\(ENABLED, .*If the resource was renamed, give its old name in the option aliases`),
      );
    assert.deepEqual(newOperations(simulator), { app: ["campaign.list", "campaign.list", "campaign.list"] });
    const moved = await stack.apply(programOf(`campaign("app", {}, { aliases: [{ name: "before" }] }, "after");`));
    assertDone(moved, { update: 1 });
    assert.deepEqual([simulator.objects.launches().length, held(simulator, "app")], [1, [`${id} ENABLED`]]);
    assert.deepEqual(
      (await stack.stored()).map(({ urn }) => urn).toSorted(),
      [campaignUrn("after"), intentUrn("after")].toSorted(),
    );
    newOperations(simulator);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(
      [newOperations(simulator), held(simulator, "app")],
      [{ app: ["campaign.delete"] }, [`${id} REMOVED`]],
      "the campaign has taken the intent that is left",
    );
  });

  it("is refused: by the engine where --target names a new campaign alone, by check where it differs", async () => {
    const stack = await project(`campaign("app");`);
    const target = ["--target", campaignUrn("app")];
    assertFailed(await stack.up(...target), /LaunchIntent::app.* which was (was )?not specified in --target list/);
    assert.deepEqual(newOperations(simulator), {});
    assertDone(await stack.up(...target, "--target", intentUrn("app")), { create: 1 });
    assert.deepEqual(newOperations(simulator), { app: launching });

    await stack.write(programOf(`campaign("app", { dailyBudgetMicros: 6000000 });`));
    const differs =
      /has a problem: differs in dailyBudgetMicros from its LaunchIntent, that of the campaign "Spring sale" of app (app|transformed)\. With --target, give the URNs of the campaign and of its LaunchIntent/;
    assertFailed(await stack.up(...target), differs);

    await stack.write(
      programOf(`
        campaign("app");
        campaign("transformed", {}, {
          transforms: [({ type, props, opts }) =>
            type.endsWith(":AdCampaign") ? { props: { ...props, dailyBudgetMicros: 7000000 }, opts } : undefined],
        });`),
    );
    assertFailed(await stack.preview(), differs);
    assert.deepEqual(newOperations(simulator), {});
    assert.deepEqual(held(simulator, "app"), [`${newestId(simulator, "app")} ENABLED`]);
  });
});

describe("A campaign whose intent is replaced", () => {
  let simulator: Simulator;
  let stack: PulumiProject;
  beforeEach(async () => {
    simulator = await startSimulator();
    stack = await PulumiProject.create({ program: programOf(`campaign("app");`), baseUrl: simulator.url });
    assertDone(await stack.up(), { create: 1 });
    newOperations(simulator);
  });
  afterEach(() => simulator.close());

  const isAsBefore = (): void => {
    assert.deepEqual([newOperations(simulator), held(simulator, "app")], [{}, ["cmp_1 ENABLED"]]);
  };

  it("is not ended by a command that leaves it out, and the next one replaces it", async () => {
    await stack.write(programOf(`campaign("app", { dailyBudgetMicros: 6000000 });`));
    const leftOut =
      /An earlier LaunchIntent of the campaign "Spring sale" of app app leaves the stack, and this command leaves out the campaign itself/;
    // First as it is replaced, then while its deletion is pending.
    for (let command = 1; command <= 2; command += 1) {
      assertFailed(await stack.up("--target", intentUrn("app")), leftOut);
      isAsBefore();
    }
    // Pulumi keeps the replaced intent until the next command.
    assertDone(await stack.up("--exclude", campaignUrn("app")), { same: 1 });
    isAsBefore();
    assertDone(await stack.up());
    assert.deepEqual(held(simulator, "app"), ["cmp_1 REMOVED", "cmp_2 ENABLED"]);
    assert.equal((await stack.stored()).length, 2);
  });

  it("takes the new one when drift is declared, without a request", async () => {
    simulator.objects.changeCampaign("app", "cmp_1", { daily_budget_micros: 6_000_000 });
    assertDone(await stack.refresh());
    newOperations(simulator);
    await stack.write(programOf(`campaign("app", { dailyBudgetMicros: 6000000 });`));
    assertDone(await stack.preview(), { update: 1 });
    assertDone(await stack.up(), { update: 1 });
    assertDone(await stack.up("--expect-no-changes"), { same: 1 });
    isAsBefore();
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(newOperations(simulator), { app: ["campaign.delete"] });
  });

  it("is named where Pulumi retains it beside the new one", async () => {
    stack.environment["WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS"] = "0";
    const retained = (args: string): string => programOf(`campaign("app", ${args}, { retainOnDelete: true });`);
    assertDone(await stack.apply(retained("{}")), { same: 1 });
    const replaced = await stack.apply(retained('{ campaignName: "Autumn sale" }'));
    assertDone(replaced);
    assert.match(replaced.output, /of app app leaves the stack\. cmp_1 of this name may go on spending/);
    assert.deepEqual(held(simulator, "app"), ["cmp_1 ENABLED", "cmp_2 ENABLED"]);
  });

  it("outlives a component whose children Pulumi retains, together with its intent", async () => {
    const inside = (options: string): string =>
      programOf(`
        const group = new pulumi.ComponentResource("tested:index:Group", "group", {}, { retainOnDelete: true });
        campaign("app");
        campaign("inside", {}, { parent: group${options} });`);
    await stack.write(inside(""));
    assertDone(await stack.up(), { create: 1, same: 1 });
    assertDone(await stack.apply(programOf(`campaign("app");`)));
    assert.deepEqual(held(simulator, "inside"), ["cmp_2 ENABLED"]);
  });
});
