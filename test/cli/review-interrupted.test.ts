import assert from "node:assert/strict";
import {
  campaign,
  headings,
  judged,
  launched,
  linesOf,
  planOf,
  type PlanStep,
  recorded,
  reviewed,
  step,
} from "./support";

const key = launched.launchIntent;
const intent = { appId: "app-1", apps: ["app-1"], key };
const declared = { appId: "app-1" };
const mayBeFound = (then: string): string =>
  `an earlier command may have launched a campaign of app \`app-1\` without saving it. If one is found, it ${then}`;
const mayBeDeleted = mayBeFound("is deleted permanently");
const otherLaunch = (then: string): string =>
  `an earlier command may have launched it with other arguments. Such a campaign of app \`app-1\` ${then}`;

/** The lines about a campaign whose intent is removed from the stack. */
const removed = (before: object, ...others: PlanStep[]): string[] =>
  linesOf(reviewed(planOf(step("delete", "LaunchIntent", "spring", { before: { ...before } }), ...others)), "spring");

describe("A review of launch intents", () => {
  it("speaks of campaigns only, whatever happens to the intent beside its campaign", () => {
    const ofIntent = { before: intent, after: declared };
    const plans: [string, PlanStep, PlanStep][] = [
      [
        "created",
        step("create", "AdCampaign", "spring", { after: campaign }),
        step("create", "LaunchIntent", "spring", { after: declared }),
      ],
      [
        "replaced",
        step("replace", "AdCampaign", "spring", {
          before: launched,
          after: { ...campaign, dailyBudgetMicros: 6_000_000, launchIntent: key },
        }),
        step("same", "LaunchIntent", "spring", ofIntent),
      ],
      [
        "deleted",
        step("delete", "AdCampaign", "spring", { before: launched }),
        step("delete", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "updated",
        step("update", "AdCampaign", "spring", { before: launched, after: { ...campaign, deletionPolicy: "pause" } }),
        step("update", "LaunchIntent", "spring", { before: intent, after: { ...declared, deletionPolicy: "pause" } }),
      ],
      [
        "unchanged",
        step("same", "AdCampaign", "spring", { before: launched, after: campaign }),
        step("same", "LaunchIntent", "spring", ofIntent),
      ],
      [
        "refreshed",
        step("refresh", "AdCampaign", "spring", { before: launched }),
        step("refresh", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "removed, because the campaign declares its id",
        step("same", "AdCampaign", "spring", { before: launched, after: { ...campaign, campaignId: "cmp_1" } }),
        step("delete", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "replaced beside its campaign",
        step("same", "AdCampaign", "spring", { before: launched, after: { ...campaign, launchIntent: unknown } }),
        step("replace", "LaunchIntent", "spring", ofIntent),
      ],
    ];
    for (const [what, ofCampaign, besides] of plans)
      assert.equal(reviewed(planOf(besides, ofCampaign)), reviewed(planOf(ofCampaign)), what);
  });

  it("leaves intents out of the counts and of the spend in JSON", async () => {
    const both = planOf(
      step("create", "LaunchIntent", "spring", { after: declared }),
      step("create", "AdCampaign", "spring", { after: campaign }),
    );
    const { stdout } = await judged(both, "--format", "json", "--max-daily-spend", "5");
    const json = JSON.parse(stdout) as { changed: number; complete: boolean; exitCode: number };
    assert.deepEqual([json.changed, json.complete, json.exitCode], [1, true, 0]);
    assert.doesNotMatch(stdout, /LaunchIntent/);
  });

  it("names the campaign once when the preview failed for it and for its intent", () => {
    const urn = (kind: string) => `urn:pulumi:dev::tested::pulumi-nodejs:dynamic/workspace-apps:${kind}::spring`;
    const diagnostics = ["LaunchIntent", "AdCampaign"].map((kind) => ({ urn: urn(kind), severity: "error" }));
    const plan = JSON.stringify({ steps: [], diagnostics });
    assert.match(reviewed(plan), /failed with 2 errors \(about `spring`\)/);
  });
});

describe("A review of an intent that is removed without its campaign", () => {
  it("says what happens to a campaign that may be found, by the policy", () => {
    assert.deepEqual(removed(intent), [mayBeDeleted]);
    assert.deepEqual(removed({ ...intent, deletionPolicy: "pause" }), [mayBeFound("is paused")]);
    assert.deepEqual(removed({ ...intent, deletionPolicy: "retain" }), [
      mayBeFound("goes on spending, outside this stack"),
    ]);
    assert.deepEqual(removed({ ...intent, deletionPolicy: "[secret]" }), [mayBeDeleted]);
  });

  it("names every app in which it may be", () => {
    const [line = ""] = removed({ ...intent, apps: ["app-0", "app-1"] });
    assert.match(line, /a campaign of app `app-0`, `app-1` without saving it/);
  });

  it("counts it as permanent-delete or left-behind, and names the operations that it needs", async () => {
    const gone = (policy: object): PlanStep =>
      step("delete", "LaunchIntent", "spring", { before: { ...intent, ...policy } });
    assert.deepEqual(headings(reviewed(planOf(gone({})))), ["Deleted permanently", "Depends on an assumed path"]);
    assert.deepEqual(headings(reviewed(planOf(gone({ deletionPolicy: "retain" })))).slice(0, 1), [
      "Removed from the stack, kept in the service",
    ]);
    assert.match(reviewed(planOf(gone({ deletionPolicy: "pause" }))), /campaign\.list.*: `spring`\n.*campaign\.pause/);
    assert.equal((await judged(planOf(gone({})), "--fail-on", "permanent-delete")).code, 3);
    const { stdout } = await judged(planOf(gone({})), "--format", "json");
    assert.doesNotMatch(stdout, /LaunchIntent/);
    assert.match(stdout, /"kind": "AdCampaign"/);
  });

  it("says nothing where Pulumi forgets the intent too", () => {
    const options = { retainOnDelete: true };
    const forgotten = planOf(
      step("delete", "AdCampaign", "spring", { before: launched, options }),
      step("delete", "LaunchIntent", "spring", { before: intent, options }),
    );
    assert.deepEqual(linesOf(reviewed(forgotten), "spring"), [
      "campaign `cmp_1` of app `app-1` goes on spending EUR 5.00 a day, outside this stack",
    ]);
  });

  it("warns where Pulumi forgets only the campaign, which the intent then finds", () => {
    const options = { retainOnDelete: true };
    const lines = removed(intent, step("delete", "AdCampaign", "spring", { before: launched, options }));
    assert.deepEqual(lines[0], mayBeDeleted);
  });

  it("decides by the key, not by the name: a campaign of another key does not count", () => {
    const other = { ...launched, launchIntent: "ffffff0" };
    const update = (name: string, before: object): PlanStep =>
      step("update", "AdCampaign", name, { before: { ...before }, after: { ...campaign } });
    assert.deepEqual(removed(intent, update("moved", launched)), []);
    assert.deepEqual(removed(intent, update("spring", other)), [mayBeDeleted]);
    const adopted = { ...launched, launchIntent: undefined, origin: "adopted" };
    assert.deepEqual(removed(intent, update("spring", adopted)), [mayBeDeleted]);
  });

  it("decides by the name and the parent where the key is secret", () => {
    const below = (kind: string): PlanStep => {
      const made = step("delete", kind, "spring", {
        before: kind === "AdCampaign" ? launched : { ...intent, key: "[secret]" },
      });
      const urn = `urn:pulumi:dev::tested::my:index:Shop$pulumi-nodejs:dynamic/workspace-apps:${kind}::spring`;
      return { ...made, urn, oldState: { ...made.oldState, urn } };
    };
    assert.equal(linesOf(reviewed(planOf(below("AdCampaign"), below("LaunchIntent"))), "spring").length, 1);
    const other = step("delete", "AdCampaign", "spring", { before: launched });
    assert.equal(linesOf(reviewed(planOf(other, below("LaunchIntent"))), "spring").length, 2);
    assert.equal(
      linesOf(reviewed(planOf(step("delete", "LaunchIntent", "a", { before: { ...intent, key: "[secret]" } }))), "a")
        .length,
      1,
    );
  });

  it("says it of a campaign in the state that --target leaves out", () => {
    const left = (after: object): string[] =>
      removed(intent, step("same", "AdCampaign", "spring", { before: launched, after: { ...after } }));
    assert.deepEqual(left({ ...campaign, launchIntent: key }), [mayBeDeleted]);
    assert.deepEqual(left({ ...campaign, campaignId: "cmp_1" }), []);
  });

  it("says it of an unconfirmed launch that the program adopts by an id: others of its key may be live", () => {
    const unconfirmed = { ...campaign, launchState: "unconfirmed", launchIntent: key };
    const told = step("update", "AdCampaign", "spring", {
      before: unconfirmed,
      after: { ...campaign, campaignId: "cmp_1" },
    });
    assert.doesNotMatch(reviewed(planOf(told)), /Launched/);
    assert.deepEqual(removed(intent, told), [mayBeDeleted]);
    assert.equal(removed(intent, step("delete", "AdCampaign", "spring", { before: unconfirmed })).length, 1);
  });

  it("says it beside a pending replacement, and a campaign that a refresh did not find", () => {
    const after = { ...campaign, campaignName: "Summer" };
    const pending = step("replace", "AdCampaign", "spring", { before: launched, after });
    const steps = [
      pending,
      { ...pending, op: "create-replacement" },
      step("delete", "LaunchIntent", "spring", { before: intent }),
    ];
    assert.ok(reviewed(JSON.stringify({ steps, changeSummary: {} })).includes(mayBeDeleted));
    const root = { op: "same", urn: "urn:pulumi:dev::tested::pulumi:pulumi:Stack::tested-dev" };
    const refreshed = planOf(
      step("refresh", "LaunchIntent", "spring", { before: intent }),
      step("delete", "AdCampaign", "spring", { before: launched }),
      root,
      step("delete", "LaunchIntent", "spring", { before: intent }),
    );
    assert.ok(reviewed(refreshed).includes(mayBeDeleted));
  });
});

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("A review of a campaign that an earlier command may have launched", () => {
  const created = (after: object): string[] =>
    linesOf(reviewed(planOf(step("create", "AdCampaign", "spring", { after: { ...campaign, ...after } }))), "spring");
  const launch = "a campaign of app `app-1` is launched with 5.00 a day";
  const unless = `${launch}, unless an earlier command launched it: then that campaign is used`;

  it("says so where its intent is in the state, so that its key is known", () => {
    assert.deepEqual(created({ launchIntent: unknown }), [launch]);
    assert.deepEqual(created({ launchIntent: key }), [otherLaunch("is deleted permanently"), unless]);
  });

  it("says what happens to a launch with other arguments, by the policy", () => {
    assert.deepEqual(created({ launchIntent: key, deletionPolicy: "pause" }), [unless, otherLaunch("is paused")]);
    assert.deepEqual(created({ launchIntent: key, deletionPolicy: "retain" }), [unless]);
    assert.equal(created({ launchIntent: key, deletionPolicy: unknown })[0], otherLaunch("is deleted permanently"));
  });

  it("says so of an unconfirmed launch", () => {
    const before = { ...campaign, launchState: "unconfirmed", launchIntent: key };
    const after = { ...campaign, launchIntent: key };
    const [other, unconfirmed = ""] = linesOf(
      reviewed(planOf(step("update", "AdCampaign", "spring", { before, after }))),
      "spring",
    );
    assert.equal(other, otherLaunch("is deleted permanently"));
    assert.match(unconfirmed, /^its launch is not confirmed, and money may be moving: 5\.00 a day\./);
  });

  it("names the campaigns of its key that a refresh found, and what `up` does with them", () => {
    const twice = (deletionPolicy?: string): string[] => {
      const after = { ...campaign, deletionPolicy };
      const before = { ...launched, duplicates: ["cmp_2", "cmp_3"] };
      return linesOf(reviewed(planOf(step("update", "AdCampaign", "spring", { before, after }))), "spring");
    };
    const found = "campaign `cmp_2`, `cmp_3` of app `app-1`, which was launched twice,";
    assert.deepEqual(twice(), [`${found} is deleted permanently`]);
    assert.deepEqual(twice("pause"), [`${found} is paused`]);
    assert.deepEqual(twice("retain"), []);
  });
});

describe("A review of a failed launch, from plans that the CLI printed", () => {
  const lines = (name: string): string[] => linesOf(reviewed(recorded(name)), "spring");

  it("says that a repeated up may find it, with the same arguments or with others", () => {
    for (const plan of ["interrupted", "interrupted-renamed"]) {
      const [other = "", launch = "", ...more] = lines(plan);
      assert.match(other, /^an earlier command may have launched it with other arguments\./);
      assert.match(launch, /^a campaign of app `app-shop` is launched with 5\.00 a day, unless an earlier command/);
      assert.deepEqual(more, []);
    }
  });

  it("says that it may be found and deleted after a revert", () => {
    const [line = "", ...more] = lines("interrupted-reverted");
    assert.match(line, /^an earlier command may have launched a campaign of app `app-shop`.* is deleted permanently$/);
    assert.deepEqual(more, []);
  });
});
