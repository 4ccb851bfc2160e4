import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { splitRefresh } from "../../cli/review/engine-order";
import { planFrom } from "../../cli/review/plan";
import { reviewOf } from "../../cli/review/review";
import { packagedTypePrefix, typePrefix } from "../../provider/pulumi/urn";
import {
  campaign,
  created,
  headings,
  judged,
  judgedWith,
  launched,
  linesOf,
  planOf,
  type PlanStep,
  recorded,
  reviewed,
  stateOf,
  step,
  deleted,
} from "./support";

const plans = readdirSync(join(__dirname, "plans")).map((file) => parse(file).name);

/** The same in the packaged form. */
function packaged<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(typePrefix, packagedTypePrefix)
    .replaceAll("pulumi:providers:pulumi-nodejs", "pulumi:providers:workspace-apps");
  return JSON.parse(text, (key, inner: unknown) => (key === "__provider" ? undefined : inner)) as T;
}

/** The plan of the same program after its import was changed: what it declares has new URNs, and the state has the old. */
function moved(plan: string): string {
  const document = JSON.parse(plan) as { steps?: PlanStep[] };
  const isOfRefresh = new Set(splitRefresh(planFrom(plan).steps).refresh.map((_, index) => index));
  const steps = (document.steps ?? []).map((one, index) =>
    isOfRefresh.has(index) || !one.newState ? one : movedStep(one),
  );
  return JSON.stringify({ ...document, steps });
}

/** Both forms have the same provider here, so an object that passes from one resource to another stays unchanged. */
function movedStep(one: PlanStep): PlanStep {
  const provider = one.newState?.["provider"];
  const newState = { ...packaged(one.newState ?? {}), ...(provider === undefined ? {} : { provider }) };
  return { ...one, urn: packaged(one.urn), newState };
}

/** The words of a report. Names are listed in the order in which the plan has their URNs. */
const wordsOf = (report: string): string[] => report.split(/\n|: |, /).toSorted();

describe("A review in both forms, of every plan that the CLI printed", () => {
  for (const name of plans) {
    it(`is the same for the packaged form: ${name}`, () => {
      const plan = recorded(name);
      const inPackage = JSON.stringify(packaged(JSON.parse(plan)));
      assert.notEqual(inPackage, plan);
      assert.equal(reviewed(inPackage), reviewed(plan));
    });

    it(`is the same when the stack also moves to the packaged form: ${name}`, () => {
      assert.deepEqual(wordsOf(reviewed(moved(recorded(name)))), wordsOf(reviewed(recorded(name))));
    });
  }
});

describe("A review of a stack that moves to the packaged form", () => {
  const provider = (reference: string) => ({ provider: `urn:pulumi:dev::tested::pulumi:providers:${reference}` });
  const [dynamic, plugin] = [provider("pulumi-nodejs::default::1"), provider("workspace-apps::default_0_2_0::2")];
  /** One step of the program after the move. */
  const movedTo = (...values: Parameters<typeof step>): PlanStep => {
    const made = movedStep(step(...values));
    const oldState = made.oldState && { ...made.oldState, ...dynamic };
    return { ...made, ...(oldState && { oldState }), newState: { ...made.newState, ...plugin } };
  };
  const intent = { appId: campaign.appId, key: launched.launchIntent };
  const unchanged = [
    movedTo("same", "LaunchIntent", "spring", { before: intent, after: campaign }),
    movedTo("same", "AdCampaign", "spring", { before: launched, after: campaign }),
  ];
  const refreshed = [
    step("refresh", "LaunchIntent", "spring", { before: intent, after: campaign }),
    step("refresh", "AdCampaign", "spring", { before: launched, after: campaign }),
  ];

  it("has no risk, counts each campaign once, and passes every gate", async () => {
    for (const steps of [unchanged, [...refreshed, ...unchanged]]) {
      const plan = planOf(...steps);
      assert.equal(
        reviewed(plan),
        "<!-- workspace-apps review -->\nNothing risky in the plan of `tested/dev`. It changes no resources of workspace-apps. Daily spend stays at EUR 5.00.\n",
      );
      const { code, stderr } = await judged(plan, "--fail-on", "any", "--max-daily-spend", "EUR=5");
      assert.equal(code, 0, stderr);
    }
  });

  it("is not judged if a resource of the state is missing from the plan", async () => {
    const [intentOnly] = unchanged;
    assert.ok(intentOnly !== undefined);
    const { code, stderr } = await judgedWith(planOf(intentOnly), stateOf(planOf(...unchanged)), "--fail-on", "any");
    assert.equal(code, 1);
    assert.match(stderr, /the plan does not list "spring" of the state/);
  });

  it("counts a replacement once, although its deletion has the old URN", () => {
    const values = { before: launched, after: { ...campaign, dailyBudgetMicros: 6_000_000 } };
    const deletion = step("delete-replaced", "AdCampaign", "spring", { before: launched });
    const replacement = ["replace", "create-replacement"].map((op) => movedTo(op, "AdCampaign", "spring", values));
    const plan = JSON.stringify({ steps: [deletion, ...replacement], changeSummary: {} });
    const [deleted = "", created = "", ...more] = linesOf(reviewed(plan), "spring");
    assert.match(deleted, /^is replaced: campaign `cmp_1` of app `app-1` is deleted permanently/);
    assert.match(created, /is launched in its place with EUR 6\.00 a day/);
    assert.deepEqual(more, []);
    assert.match(reviewed(plan), /\| EUR 5\.00 \| EUR 6\.00 \| \+EUR 1\.00 \|/);
  });

  it("tells a campaign that is removed from the program at the same time", () => {
    const leaving = step("delete", "AdCampaign", "old", {
      before: { ...launched, campaignId: "cmp_2" },
      options: dynamic,
    });
    const report = reviewed(planOf(...unchanged, leaving));
    assert.equal(headings(report)[0], "Deleted permanently");
    assert.match(report, /\*\*Total\*\* \| EUR 10\.00 \| EUR 5\.00 \|/);
  });

  it("does not count on the plugin to keep what the dynamic host deletes", () => {
    const leaving = step("delete", "AdCampaign", "old", { before: launched, options: dynamic });
    const heir = movedTo("create", "AdCampaign", "new", { after: { ...campaign, campaignId: launched.campaignId } });
    assert.match(linesOf(reviewed(planOf(heir, leaving)), "old").join(), /although `new` adopts it/);
  });

  it("finds the intent of an interrupted launch, and the intent of a campaign that is declared by its id from now on", () => {
    const [kept] = unchanged;
    assert.ok(kept !== undefined);
    const after = { ...campaign, launchIntent: launched.launchIntent };
    const create = movedTo("create", "AdCampaign", "spring", { after });
    assert.match(linesOf(reviewed(planOf(kept, create)), "spring")[1] ?? "", /unless an earlier command launched it/);
    const byId = movedTo("same", "AdCampaign", "spring", {
      before: launched,
      after: { ...campaign, campaignId: launched.campaignId },
    });
    const leaving = deleted("LaunchIntent", "spring", { ...intent, key: "[secret]" });
    assert.deepEqual(linesOf(reviewed(planOf(byId, leaving)), "spring"), []);
  });

  it("keeps the order of deletions known where both ends of a dependency have new URNs", () => {
    const values = { before: launched, after: { ...campaign, landingPage: "https://b.example.com/" } };
    const replaced = movedTo("replace", "AdCampaign", "spring", values);
    const deletion = step("delete-replaced", "AdCampaign", "spring", { before: launched });
    const dependent = movedTo("same", "TestFlow", "flow", {
      before: { appId: "a", flowId: "f" },
      after: { appId: "a" },
      options: { propertyDependencies: { appId: [deletion.urn] } },
    });
    const after = { ...dependent, newState: { ...dependent.newState, dependencies: [replaced.urn] } };
    const steps = [deletion, replaced, { ...replaced, op: "create-replacement" }, after];
    assert.doesNotMatch(reviewed(JSON.stringify({ steps })), /Pulumi may also delete/);
  });
});

describe("A review of resources with a provider of the program", () => {
  const provider = (type: string, inputs: object): PlanStep => {
    const urn = `urn:pulumi:dev::tested::pulumi:providers:${type}::eu`;
    return { op: "create", urn, newState: { urn, inputs } };
  };
  const finding = created("IgnoredFinding", "f", { appId: "a", fingerprint: "f" });
  const below = (type: string, inputs: object): string => {
    const reference = `urn:pulumi:dev::tested::pulumi:providers:${type}::eu::id`;
    return planOf(provider(type, inputs), { ...finding, newState: { ...finding.newState, provider: reference } });
  };
  const environment = { WORKSPACE_APPS_DOCUMENTED_ONLY: "true" };
  const assumed = /finding\.ignore/;

  it("knows the paths by the provider's arguments, and neither by the stack's configuration nor by the environment", () => {
    for (const type of ["workspace-apps", "pulumi-nodejs"]) {
      assert.match(reviewed(below(type, {}), environment), assumed);
      assert.match(reviewed(below(type, { endpoints: "[secret]" }), environment), assumed);
      for (const inputs of [
        { documentedOnly: "true" },
        { documentedOnly: true },
        { endpoints: '{"finding.ignore":"POST /x"}' },
        { endpoints: { "finding.ignore": "POST /x" } },
        { "workspace-apps:documentedOnly": "true" },
      ])
        assert.doesNotMatch(reviewed(below(type, inputs)), assumed, JSON.stringify(inputs));
    }
  });

  it("assumes the default paths of a provider that the plan does not list", () => {
    const { steps } = JSON.parse(below("workspace-apps", {})) as { steps: PlanStep[] };
    assert.match(reviewed(planOf(...steps.slice(1)), environment), assumed);
  });

  it("uses the stack's settings for a default provider of any version", () => {
    for (const name of ["default", "default_0_2_0"]) {
      const reference = `urn:pulumi:dev::tested::pulumi:providers:workspace-apps::${name}::id`;
      const plan = planOf({ ...finding, newState: { ...finding.newState, provider: reference } });
      assert.doesNotMatch(reviewed(plan, environment), assumed);
    }
  });

  it("does not count the provider as a changed resource", () => {
    const { changed, incomplete } = reviewOf(planFrom(below("workspace-apps", {})), []);
    assert.deepEqual([changed, incomplete], [1, []]);
  });
});
