import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { keyIn } from "../../provider/resources/ad-campaign/campaign-name";
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

const launching = ["campaign.list", "campaign.readiness", "campaign.launch", "campaign.list"];
/** The list is read again, because a late duplicate of the campaign may be live. */
const removing = ["campaign.delete", "campaign.list"];
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
  /** The requests about each app in each step. */
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
        props.appId === "stack-transform" ? { props: { ...props, deletionPolicy: "pause" }, opts } : undefined);
      const group = new pulumi.ComponentResource("tested:index:Group", "group");
      const safe = new pulumi.ComponentResource("tested:index:Group", "safe", {}, { protect: ${String(isProtected)} });
      const eu = new apps.Provider("eu", {
        baseUrl: process.env.WORKSPACE_APPS_BASE_URL,
        accessToken: process.env.WORKSPACE_APPS_ACCESS_TOKEN,
        launchSettleSeconds: 0,
      });

      campaign("ordinary", ${JSON.stringify(ordinary)});
      const child = campaign("parent", {}, { parent: group });
      campaign("unnamed", { campaignName: undefined }, aliases({ name: "unnamed" }), moved("unnamed"));
      campaign("alias-name", {}, aliases({ name: "alias-name" }), moved("alias-name"));
      campaign("alias-urn", {}, aliases("${campaignUrn("alias-urn")}"), moved("alias-urn"));
      campaign("alias-output", {}, aliases(pulumi.output("${campaignUrn("alias-output")}")), moved("alias-output"));
      campaign("alias-object", {}, {
        ...aliases({ type: "${campaignType}", name: "alias-object", parent: pulumi.rootStackResource }),
        ...(${String(isMoved)} ? { parent: group } : {}),
      }, moved("alias-object"));
      campaign("alias-parent", {}, ${isMoved ? "{ aliases: [{ parent: group }] }" : "{ parent: group }"});
      campaign("provider", {}, { provider: eu });
      const changed = ${isMoved ? "{ dailyBudgetMicros: 9000000, keywordThemes: ['new'], deletionPolicy: 'retain' }" : "{}"};
      const ignored = ["dailyBudgetMicros", "keywordThemes", "deletionPolicy"];
      campaign("ignoring", { keywordThemes: ["old"], ...changed }, { ignoreChanges: ignored });
      campaign("ignoring-all", changed, { ignoreChanges: ["*"] });
      campaign("ignoring-item", { geoTargets: ["${isMoved ? "b" : "a"}"] }, { ignoreChanges: ["geoTargets[0]"] });
      campaign("transform", {}, {
        transforms: [({ props, opts }) => ({ props: { ...props, appId: "transformed" }, opts })],
      });
      campaign("stack-transform", {});
      campaign("retained", {}, { retainOnDelete: true });
      campaign("retained-later", {}, { retainOnDelete: ${String(isMoved)} });
      campaign("protected", {}, { protect: ${String(isProtected)} });
      campaign("in-protected", {}, { parent: safe });
      campaign("own-id", { campaignId: own["own-id"] });
      campaign("id-later", { campaignId: child.urn.apply(() => "theirs") });
      campaign("no-id-later", { campaignId: child.urn.apply(() => undefined) });`);
  const all = 21;
  /** The operations of a campaign that is launched, refreshed and destroyed, and which no other step changes. */
  const ordinaryLife = [[], launching, [], [], ["campaign.list"], removing];

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
    const own = Object.fromEntries(["own-id"].map((app) => [app, newestId(simulator, app)]));
    const ordinary = { deletionPolicy: "delete", dailyBudgetMicros: 8_000_000 };
    await stack.write(program({ ordinary, isMoved: true, own, isProtected: false }));
    assertDone(await step("preview of the change", stack.preview()));
    assertDone(await step("change", stack.up()), {
      update: 1,
      same: all - 2,
      "delete-replaced": 1,
      replace: 1,
      "create-replacement": 1,
    });
    assertDone(await step("refresh", stack.refresh("--expect-no-changes")), { same: all });
    assertDone(await step("destroy", stack.destroy()), { delete: all });
  });
  after(() => simulator.close());

  it("shows in previews, and sends no request in an ordinary life", () => {
    assert.deepEqual(operationsOf("ordinary"), [
      [],
      launching,
      [],
      [
        ...["campaign.list", "campaign.readiness", ...removing],
        ...["campaign.list", "campaign.launch", "campaign.list"],
      ],
      ["campaign.list"],
      removing,
    ]);
    assert.deepEqual(intentsIn(runs["preview"]), { create: all });
    assert.deepEqual(intentsIn(runs["up"]), { create: all });
    assert.deepEqual(intentsIn(runs["change"]), { update: 3, same: all - 3 });
    assert.deepEqual(intentsIn(runs["refresh"]), { same: all });
    assert.deepEqual(intentsIn(runs["destroy"]), { delete: all });
    assert.deepEqual(states["destroy"], []);
  });

  it("keeps its key through a replacement of the campaign, which is launched under another hash", () => {
    const keys = ["up", "change"].map((name) => pair(name, "ordinary").intent?.id);
    assert.equal(keys[0], keys[1]);
    const names = simulator.objects.launches("ordinary").map(({ campaign_name }) => campaign_name);
    assert.deepEqual(names.map(keyIn), keys);
    assert.notEqual(names[0], names[1]);
  });

  it("makes previews say at each campaign that it is launched, with its budget, and at a replacement what is deleted", () => {
    const shown = (run: Run | undefined): string => String(run?.output).replaceAll('\\"', '"');
    const launched = shown(runs["preview"]).match(/campaign "[^"]+" \([\w-]+, 5\.00 a day\) is launched/gi) ?? [];
    assert.equal(launched.length, all - 1, "all but the one that is adopted");
    assert.match(
      shown(runs["preview of the change"]),
      /The campaign cmp_\d+ \(ordinary, USD 5\.00 a day\) is deleted permanently, and another one is launched in its place, with 8\.00 a day/,
    );
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
      assert.deepEqual(namesOf("change", app), [`${app}-moved`, `${app}-moved`]);
      assert.equal(pair("change", app).intent?.id, pair("up", app).intent?.id);
      assert.deepEqual(operationsOf(app), ordinaryLife);
    });

  it("moves with its campaign to another parent", () => {
    const app = "alias-parent";
    assert.deepEqual(
      ["up", "change"].map((name) => partsOfUrn(String(pair(name, app).intent?.parent)).name),
      ["group", "tested-dev"],
    );
    assert.equal(pair("change", app).intent?.id, pair("up", app).intent?.id);
    assert.deepEqual(operationsOf(app), ordinaryLife);
  });

  it("keeps the name of a campaign that leaves campaignName out, through a rename with an alias", () => {
    assert.deepEqual(operationsOf("unnamed"), ordinaryLife);
    assert.deepEqual(
      ["up", "change"].map((name) => pair(name, "unnamed").campaign?.inputs?.["campaignName"]),
      ["unnamed", "unnamed"],
    );
  });

  for (const app of ["ignoring", "ignoring-all", "ignoring-item"])
    it(`ignores the changes that its campaign ignores: ${app}`, () => {
      assert.deepEqual(operationsOf(app), ordinaryLife);
      const [before, now] = [pair("up", app), pair("change", app)];
      for (const key of ["dailyBudgetMicros", "geoTargets", "deletionPolicy"])
        assert.deepEqual(now.campaign?.inputs?.[key], before.campaign?.inputs?.[key], key);
      assert.equal(now.intent?.inputs?.["deletionPolicy"], undefined);
    });

  it("is transformed with its campaign, by the resource's transforms and by those of the stack", () => {
    assert.deepEqual(
      operationsOf("transform"),
      ordinaryLife.map(() => []),
    );
    assert.deepEqual(operationsOf("transformed"), ordinaryLife);
    const { campaign, intent } = pair("up", "stack-transform");
    assert.deepEqual(
      [campaign, intent].map((stored) => stored?.inputs?.["deletionPolicy"]),
      ["pause", "pause"],
    );
    assert.deepEqual(held(simulator, "stack-transform"), [`${newestId(simulator, "stack-transform")} PAUSED`]);
  });

  for (const app of ["retained", "retained-later"])
    it(`is left alone together with its campaign where Pulumi retains both: ${app}`, () => {
      assert.deepEqual(operationsOf(app).at(-1), []);
      assert.deepEqual(held(simulator, app), [`${newestId(simulator, app)} ENABLED`]);
    });

  for (const app of ["protected", "in-protected"])
    it(`is protected with its campaign: ${app}`, () => {
      const { campaign, intent } = pair("up", app);
      assert.deepEqual([campaign?.protect, intent?.protect], [true, true]);
      assert.deepEqual(operationsOf(app), ordinaryLife);
    });

  it("stays, and deletes nothing, once its campaign is declared by its own id", () => {
    assert.deepEqual(namesOf("change", "own-id"), ["own-id", "own-id"]);
    assert.deepEqual(operationsOf("own-id"), ordinaryLife);
  });

  it("does nothing where the campaignId is known later", () => {
    const { campaign, intent } = pair("up", "id-later");
    assert.deepEqual([campaign?.outputs?.["campaignId"], intent?.id !== undefined], ["theirs", true]);
    const life = operationsOf("id-later");
    assert.deepEqual([...new Set(life.flat())], ["campaign.list"], "it only reads");
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

  it("is refused with --target, is left alone when only its intent is replaced, and ended by --target-replace", async () => {
    const stack = await project(`campaign("one"); campaign("two");`);
    assertFailed(
      await stack.up("--target", campaignUrn("one")),
      /has no LaunchIntent\..* With --target, give the URNs of the campaign and of its LaunchIntent|LaunchIntent::one.* not specified in --target/,
    );
    assert.deepEqual(newOperations(simulator), {});
    assertDone(await stack.up(), { create: 2 });
    newOperations(simulator);

    const keyOf = async (app: string): Promise<string | undefined> =>
      (await stack.stored("LaunchIntent")).find(({ urn }) => urn === intentUrn(app))?.id;
    const before = await keyOf("one");
    assertDone(await stack.up("--replace", intentUrn("one")), { update: 1, same: 1 });
    assert.notEqual(await keyOf("one"), before);
    const { one = [], ...others } = newOperations(simulator);
    assert.deepEqual([[...new Set(one)], others], [["campaign.list"], {}], "a new intent reads the list");

    const replaced = await stack.up("--target-replace", intentUrn("two"));
    assertDone(replaced);
    assert.match(
      replaced.output,
      /cmp_\d of app two.* was launched by this resource and is not in the state, so it was deleted/,
    );
    const statuses = ["one", "two"].flatMap((app) => simulator.objects.campaigns(app).map(({ status }) => status));
    assert.deepEqual(statuses, ["ENABLED", "REMOVED"]);
  });
});
