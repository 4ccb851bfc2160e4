import assert from "node:assert/strict";
import { unknownValue } from "../../provider/serializable";
import {
  campaign,
  created,
  deleted,
  judged,
  judgedWith,
  launched,
  linesOf,
  planFile,
  planOf,
  type PlanStep,
  replaced,
  reviewed,
  root,
  run,
  stateOf,
  step,
  unchanged,
  updated,
  urnOf,
} from "./support";

const secret = "[secret]";
const other = { ...launched, campaignId: "cmp_2", campaignName: "Summer" };
const hook = { agentId: "a", targetUrl: "https://a.example.com/", events: ["message.created"], enabled: true };

/** The categories of `permanent-delete`, `launch` and `spend` that stop the plan. */
async function stoppedBy(...steps: PlanStep[]): Promise<string[]> {
  const gates = ["--fail-on", "permanent-delete,launch,spend", "--format", "json"];
  const { code, stdout } = await judged(planOf(...steps), ...gates);
  const { failedOn, incomplete } = JSON.parse(stdout) as { failedOn: string[]; incomplete: string[] };
  assert.deepEqual([incomplete, code], [[], failedOn.length > 0 ? 3 : 0]);
  return failedOn;
}

/** The plan with these counts of its steps. */
const counting = (plan: string, changeSummary: object): string =>
  JSON.stringify({ ...(JSON.parse(plan) as object), changeSummary });

describe("A gate of workspace-apps review that cannot see everything", () => {
  const plan = planOf(unchanged("AdCampaign", "spring", launched, campaign));
  const gate = ["--fail-on", "launch"];

  it("is not judged without the state, and a report without gates says so", async () => {
    const { code, stdout, stderr } = await run("review", planFile("destroy"), ...gate);
    assert.equal(code, 1);
    assert.match(stderr, /The gates were not judged: without --state FILE \(`pulumi stack export`\)/);
    assert.match(stdout, /^\*\*Stopped:\*\* not judged: without --state FILE/m);
    const report = await run("review", planFile("destroy"));
    assert.deepEqual([report.code, report.stderr], [0, ""]);
    assert.match(report.stdout, /could not see everything:\n\n- without --state FILE/);
  });

  it("is not judged when the plan leaves out a resource of the state: an unchanged one, or a pending deletion", async () => {
    assert.equal((await judged(plan, ...gate)).code, 0);
    const { code, stderr } = await judgedWith(planOf(), stateOf(plan), ...gate);
    assert.equal(code, 1);
    assert.match(stderr, /does not list "spring" of the state. Run `pulumi preview` with --show-sames and --show-rep/);
    const pending = step("delete-replaced", "AdCampaign", "spring", { before: other, options: { delete: true } });
    const failed = {
      ...(JSON.parse(planOf()) as object),
      diagnostics: [{ message: "error: no\n", severity: "error" }],
    };
    const ofFailed = await judgedWith(JSON.stringify(failed), stateOf(plan), ...gate);
    assert.match(ofFailed.stderr, /does not list "spring" of the state, because the preview failed\. \[WA2011\]/);
    const state = stateOf(planOf(step("same", "AdCampaign", "spring", { before: launched }), pending));
    assert.equal((await judgedWith(plan, state, ...gate)).code, 1);
  });

  it("is judged when --target leaves a pending deletion alone, and other steps show that the plan lists all deletions", async () => {
    const replaced = step("replace", "TestFlow", "checkout", {
      before: { appId: "app-1", definition: {}, flowId: "flow_1", deletionPolicy: "retain" },
      after: { appId: "app-2", definition: {} },
    });
    const pending = step("delete-replaced", "AdCampaign", "spring", { before: other, options: { delete: true } });
    const targeted = planOf(replaced);
    assert.equal((await judgedWith(targeted, stateOf(planOf(replaced, pending)), ...gate)).code, 0);
  });

  it("is judged although the plan leaves out a pending replacement, whose object is deleted already", async () => {
    const options = { pendingReplacement: true };
    const state = stateOf(planOf(step("same", "AdCampaign", "spring", { before: launched, options })));
    assert.equal((await judgedWith(planOf(), state, ...gate)).code, 0);
  });

  it("is not judged when a refresh is all that the plan shows of a resource", async () => {
    const refreshed = step("refresh", "AdCampaign", "spring", { before: launched, after: campaign });
    const cut = planOf(refreshed, root);
    for (const changeSummary of [{}, { same: 2 }])
      assert.match(
        (await judged(counting(cut, changeSummary), "--max-daily-spend", "100")).stderr,
        /does not list "spring" of the state/,
      );
    const whole = planOf(refreshed, root, unchanged("AdCampaign", "spring", launched, campaign));
    assert.equal((await judged(whole, "--max-daily-spend", "100")).code, 0);
  });

  it("is not judged when a refresh, or the resource that stays, is all that the plan shows of a pending deletion", async () => {
    const pending = step("refresh", "AdCampaign", "spring", { before: launched, options: { delete: true } });
    assert.equal((await judged(counting(planOf(pending, root), { same: 1 }), ...gate)).code, 1);
    const kept = unchanged("AdCampaign", "spring", launched, campaign);
    const { oldState } = kept;
    const state = JSON.stringify({ version: 3, deployment: { resources: [oldState, { ...oldState, delete: true }] } });
    assert.equal((await judgedWith(planOf(kept), state, ...gate)).code, 1);
  });

  it("is not judged when the state is not the one that the plan was made from", async () => {
    const elsewhere = stateOf(planOf(step("same", "AdCampaign", "spring", { before: other })));
    assert.match((await judgedWith(plan, elsewhere, ...gate)).stderr, /the state is not the one/);
    const [old, now] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"].map((modified) =>
      planOf(step("same", "AdCampaign", "spring", { before: launched, after: campaign, options: { modified } })),
    ) as [string, string];
    assert.match((await judgedWith(now, stateOf(old), ...gate)).stderr, /the state is not the one .*"spring"/);
  });

  it("is not judged when the plan was made without --show-replacement-steps", async () => {
    const cut = JSON.stringify({ steps: [replaced("TestFlow", "t", { appId: "a", flowId: "f" }, { appId: "b" })] });
    assert.match((await judged(cut, "--fail-on", "gone")).stderr, /made without --show-replacement-steps/);
  });

  it("is not judged when a resource stops depending on one that is deleted before it is replaced", async () => {
    const [x, a, b] = ["x", "a", "b"].map((name) => urnOf("AdCampaign", name)) as [string, string, string];
    const depending = (name: string, on: string, declared: string[]): PlanStep => {
      const before = { ...launched, campaignId: `cmp_${name}`, campaignName: name };
      const one = step("same", "AdCampaign", name, {
        before,
        after: before,
        options: { propertyDependencies: { appId: null, logoUrl: [on] } },
      });
      return { ...one, newState: { ...one.newState, dependencies: declared } };
    };
    const replacement = replaced("AdCampaign", "x", other, campaign);
    const reasonOf = async (...steps: PlanStep[]): Promise<string> =>
      /not judged: Pulumi may also delete and replace (.*), or not/.exec(
        (await judged(planOf(...steps), ...gate)).stderr,
      )?.[1] ?? "";
    assert.equal(await reasonOf(depending("a", x, []), replacement), `"a"`);
    assert.equal(await reasonOf(depending("b", a, [a]), depending("a", x, []), replacement), `"a", "b"`);
    // One that still depends on it comes after it, in the preview and in the up.
    assert.equal(await reasonOf(replacement, depending("a", x, [x])), "");
    assert.equal(await reasonOf(depending("a", b, []), replacement), "");
  });

  it("refuses a file that is not a state with code 2", async () => {
    for (const [text, why] of [
      ...["{}", "[]", plan, `{"version": 3}`].map((wrong) => [wrong, "is not a state. Pass the output of"] as const),
      ["", "is empty:"] as const,
    ]) {
      const { code, stderr } = await judgedWith(plan, text);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`--state: .*\\.json ${why} \`pulumi stack export\``));
    }
  });
});

describe("A gate of workspace-apps review", () => {
  it("stops a deletion that an earlier replacement left pending", async () => {
    const pending = { before: { appId: "a", flowId: "f" }, options: { delete: true } };
    const steps = [
      step("same", "TestFlow", "t", { before: { appId: "b", flowId: "g" }, after: { appId: "b" } }),
      step("delete-replaced", "TestFlow", "t", pending),
    ];
    assert.deepEqual(await stoppedBy(...steps), ["permanent-delete"]);
  });

  it("stops a campaign that was removed from the program and is deleted because its dependency is replaced", async () => {
    const deletion = step("delete-replaced", "AdCampaign", "a", { before: other });
    const x = { before: { appId: "a", flowId: "f" }, after: { appId: "b" } };
    assert.deepEqual(await stoppedBy(deletion, step("replace", "TestFlow", "x", x)), ["permanent-delete"]);
    const heir = created("AdCampaign", "b", { ...campaign, campaignName: "Summer" });
    assert.deepEqual(await stoppedBy(deletion, heir), ["permanent-delete", "launch", "spend"]);
  });

  it("does not count on another resource to adopt what is deleted before everything else", async () => {
    const adopted = created("Webhook", "b", { ...hook, webhookId: "w" });
    const first = step("delete-replaced", "Webhook", "a", { before: { ...hook, webhookId: "w" } });
    assert.deepEqual(await stoppedBy(adopted, first), ["permanent-delete"]);
    const last = step("delete", "Webhook", "a", { before: { ...hook, webhookId: "w" } });
    assert.deepEqual(await stoppedBy(adopted, last), []);
  });

  it("believes deletedWith only where both are deleted last", async () => {
    const options = { deletedWith: urnOf("TestFlow", "x") };
    const x = { before: { appId: "a", flowId: "f", deletionPolicy: "retain" } };
    const leaving = step("delete", "TestFlow", "x", x);
    const replaced = step("replace", "TestFlow", "x", { ...x, after: { appId: "b" } });
    const first = step("delete-replaced", "TestFlow", "x", x);
    const a = step("delete", "AdCampaign", "a", { before: launched, options });
    const aReplaced = step("replace", "AdCampaign", "a", { before: launched, after: campaign, options });
    assert.deepEqual(await stoppedBy(leaving, a), []);
    assert.deepEqual(await stoppedBy(replaced, a), []);
    assert.deepEqual(await stoppedBy(first, a), ["permanent-delete"]);
    assert.deepEqual(await stoppedBy(aReplaced, leaving), ["permanent-delete", "launch", "spend"]);
    assert.deepEqual(await stoppedBy(step("same", "TestFlow", "x", x), a), ["permanent-delete"]);
  });

  it("counts secrets as changed", async () => {
    const before = { ...launched, paused: secret, pausedBy: "us" };
    const paused = { before, after: { ...campaign, paused: secret } };
    assert.deepEqual(await stoppedBy(step("update", "AdCampaign", "a", paused)), ["spend"]);
    assert.deepEqual(await stoppedBy(step("same", "AdCampaign", "a", paused)), []);
    const values = { ...hook, events: secret, enabled: secret };
    const webhook = planOf(updated("Webhook", "w", { ...values, webhookId: "w" }, values));
    const { stdout } = await judged(webhook, "--fail-on", "any", "--format", "json");
    const { failedOn } = JSON.parse(stdout) as { failedOn: string[] };
    assert.deepEqual(failedOn, ["webhook-target", "webhook-switch", "assumed-path"]);
  });

  it("counts a campaign whose id is not known yet as launched", async () => {
    const step1 = created("AdCampaign", "a", { ...campaign, campaignId: unknownValue });
    assert.deepEqual(await stoppedBy(step1), ["launch", "spend"]);
    assert.equal((await judged(planOf(step1), "--max-daily-spend", "4")).code, 4);
  });

  it("counts a pending replacement as a launch alone: its campaign was deleted before", async () => {
    const values = { before: launched, after: { ...campaign, dailyBudgetMicros: 4_000_000 } };
    const steps = ["replace", "create-replacement"].map((op) => step(op, "AdCampaign", "a", values));
    const plan = JSON.stringify({ steps });
    const { stdout } = await judged(plan, "--format", "json", "--fail-on", "spend,permanent-delete");
    const { failedOn, spend } = JSON.parse(stdout) as { failedOn: string[]; spend: { totals: object[] } };
    assert.deepEqual(failedOn, ["spend"]);
    const [before, after] = ["0", "4000000"].map((micros) => ({ micros, notKnown: 0 }));
    assert.deepEqual(spend.totals, [{ currency: "EUR", before, after, changeMicros: "4000000" }]);
  });

  it("counts a launch as not confirmed where its state is secret", async () => {
    const update = updated("AdCampaign", "a", { ...launched, launchState: secret }, campaign);
    assert.deepEqual(await stoppedBy(update), ["permanent-delete", "launch", "spend"]);
  });

  it("lets a renamed resource pass", async () => {
    const create = created("AdCampaign", "b", { ...campaign, campaignId: "cmp_1" });
    assert.deepEqual(await stoppedBy(create, deleted("AdCampaign", "a", launched)), []);
  });

  it("counts what an unfinished update may still do", async () => {
    const options = { initErrors: ["may still be paused"] };
    const before = { ...launched, paused: false, pausedBy: "unknown" };
    const values = { before, after: { ...campaign, paused: false }, options };
    assert.deepEqual(await stoppedBy(step("update", "AdCampaign", "a", values)), ["spend"]);
    const [line = ""] = linesOf(reviewed(planOf(step("update", "AdCampaign", "a", values))), "a");
    assert.match(line, /^campaign `cmp_1` of app `app-1` may be resumed with EUR 5\.00 a day$/);
  });

  it("does not count a new campaign that --target leaves out", async () => {
    const skipped = { ...step("same", "AdCampaign", "new", { before: {}, after: {} }) };
    const untargeted = { ...skipped, oldState: { ...skipped.oldState, id: "" } };
    const plan = planOf(untargeted);
    assert.equal((await judged(plan, "--max-daily-spend", "0", "--fail-on", "any")).code, 0);
  });

  it("does not count on a resource of another provider to keep what is deleted", async () => {
    const provider = (name: string, id = "id") => ({
      provider: `urn:pulumi:dev::tested::pulumi:providers:p::${name}::${id}`,
    });
    const leaving = deleted("AdCampaign", "a", launched, provider("default"));
    const heir = created("AdCampaign", "b", { ...campaign, campaignId: launched.campaignId });
    const heirOf = (...name: [string, string?]) => ({ ...heir, newState: { ...heir.newState, ...provider(...name) } });
    assert.deepEqual(await stoppedBy(heirOf("default"), leaving), []);
    // A provider that is replaced has no id yet.
    assert.deepEqual(await stoppedBy(heirOf("default", unknownValue), leaving), ["permanent-delete"]);
    assert.deepEqual(await stoppedBy(heirOf("eu"), leaving), ["permanent-delete"]);
    const report = reviewed(planOf(heirOf("eu"), leaving));
    assert.match(linesOf(report, "a").join(), /is deleted permanently; .*, although `b` adopts it/);
    assert.match(report, /\*\*Total\*\* \| EUR 5\.00 \| EUR 5\.00 \|/);
    const kept = { ...launched, origin: "adopted" };
    const retained = deleted("AdCampaign", "a", kept, provider("default"));
    assert.deepEqual(await stoppedBy(heirOf("eu"), retained), []);
    assert.deepEqual(linesOf(reviewed(planOf(heirOf("eu"), retained)), "b"), [
      "continues to manage campaign `cmp_1` of app `app-1`, previously managed by `a`",
    ]);
  });

  it("counts every launch as more spend: the campaign that it replaces may have been paused by hand", async () => {
    const replaced = (values: object) =>
      step("replace", "AdCampaign", "a", { before: launched, after: { ...campaign, ...values } });
    for (const values of [{ dailyBudgetMicros: 4_000_000 }, { campaignName: "Summer" }])
      assert.deepEqual(await stoppedBy(replaced(values)), ["permanent-delete", "launch", "spend"]);
    assert.deepEqual(await stoppedBy(replaced({ paused: true })), ["permanent-delete", "launch"]);
    assert.deepEqual(await stoppedBy(replaced({ campaignId: "cmp_2" })), ["permanent-delete"]);
  });

  it("fails for a type of this package that it does not know", async () => {
    const urn = "urn:pulumi:dev::tested::workspace-apps:ads:AdCampaign::a";
    const { code, stdout } = await judged(planOf({ op: "delete", urn }), "--fail-on", "permanent-delete");
    assert.equal(code, 1);
    assert.match(stdout, /does not support .*workspace-apps:ads:AdCampaign/);
  });

  it("tells what a refresh did not find from what is deleted", async () => {
    const gone = deleted("AdCampaign", "a", launched);
    const refreshed = step("refresh", "AdCampaign", "b", { before: other });
    const kept = step("same", "AdCampaign", "b", { before: other, after: { ...campaign, campaignName: "Summer" } });
    const again = created("AdCampaign", "a", campaign);
    assert.deepEqual(await stoppedBy(refreshed, gone, root, again, kept), ["launch", "spend"]);
    const deletion = deleted("AdCampaign", "b", other);
    assert.deepEqual(await stoppedBy(refreshed, root, deletion), ["permanent-delete"]);
    // Some are listed as found. In a plan with all unchanged resources they have no other step.
    const listedAsFound = planOf(step("refresh", "AdCampaign", "a", { before: launched }), root, again);
    const whole = counting(listedAsFound, { same: 1, create: 1 });
    assert.equal((await judged(whole, "--fail-on", "permanent-delete")).code, 0);
    assert.equal((await judged(whole, "--fail-on", "launch")).code, 3);
  });
});
