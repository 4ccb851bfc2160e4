import assert from "node:assert/strict";
import {
  campaign,
  created,
  deleted,
  headings,
  judged,
  launched,
  linesAbout,
  linesOf,
  planOf,
  type PlanStep,
  recorded,
  replaced,
  reviewed,
  root,
  step,
  unchanged,
  unknown,
  updated,
  urnOf,
} from "./support";

const key = launched.launchIntent;
const intent = { appId: "app-1", apps: ["app-1"], key };
const hiddenIntent = { ...intent, key: "[secret]" };
const declared = { appId: "app-1" };
const mayBeFound = (then: string): string =>
  `an earlier command may have launched a campaign of app \`app-1\` without saving it. If one is found, it ${then}`;
const mayBeDeleted = mayBeFound("is deleted permanently");
const otherLaunch = (then: string): string =>
  `an earlier command may have launched it with other arguments. Such a campaign of app \`app-1\` ${then}`;

/** The lines about a campaign whose intent is removed from the stack. */
const removed = (before: object, ...others: PlanStep[]): string[] =>
  linesAbout("spring", deleted("LaunchIntent", "spring", { ...before }), ...others);

describe("A review of launch intents", () => {
  it("speaks of campaigns only, whatever happens to the intent beside its campaign", () => {
    const at = "spring";
    const raised = { ...campaign, dailyBudgetMicros: 6_000_000, launchIntent: key };
    const deletionPolicy = "pause";
    for (const [what, ofCampaign, besides] of [
      ["created", created("AdCampaign", at, campaign), created("LaunchIntent", at, declared)],
      ["replaced", replaced("AdCampaign", at, launched, raised), unchanged("LaunchIntent", at, intent, declared)],
      ["deleted", deleted("AdCampaign", at, launched), deleted("LaunchIntent", at, intent)],
      [
        "updated",
        updated("AdCampaign", at, launched, { ...campaign, deletionPolicy }),
        updated("LaunchIntent", at, intent, { ...declared, deletionPolicy }),
      ],
      ["unchanged", unchanged("AdCampaign", at, launched, campaign), unchanged("LaunchIntent", at, intent, declared)],
      [
        "refreshed",
        step("refresh", "AdCampaign", at, { before: launched }),
        step("refresh", "LaunchIntent", at, { before: intent }),
      ],
      [
        "removed, because the campaign declares its id",
        unchanged("AdCampaign", at, launched, { ...campaign, campaignId: "cmp_1" }),
        deleted("LaunchIntent", at, intent),
      ],
      [
        "replaced beside its campaign",
        unchanged("AdCampaign", at, launched, { ...campaign, launchIntent: unknown }),
        replaced("LaunchIntent", at, intent, declared),
      ],
    ] as const)
      assert.equal(reviewed(planOf(besides, ofCampaign)), reviewed(planOf(ofCampaign)), what);
  });

  it("leaves intents out of the counts and of the spend in JSON", async () => {
    const both = planOf(created("LaunchIntent", "spring", declared), created("AdCampaign", "spring", campaign));
    const { stdout } = await judged(both, "--format", "json", "--max-daily-spend", "5");
    const json = JSON.parse(stdout) as { changed: number; complete: boolean; exitCode: number };
    assert.deepEqual([json.changed, json.complete, json.exitCode], [1, true, 0]);
    assert.doesNotMatch(stdout, /LaunchIntent/);
  });

  it("names the campaign once when the preview failed for it and for its intent", () => {
    const diagnostics = ["LaunchIntent", "AdCampaign"].map((kind) => ({
      urn: urnOf(kind, "spring"),
      severity: "error",
    }));
    assert.match(reviewed(JSON.stringify({ steps: [], diagnostics })), /failed with 2 errors \(about `spring`\)/);
  });
});

describe("A review of an intent that is removed without its campaign", () => {
  it("says what happens to a campaign that may be found, by the policy", () => {
    for (const [deletionPolicy, line] of [
      [undefined, mayBeDeleted],
      ["pause", mayBeFound("is paused")],
      ["retain", mayBeFound("goes on spending, outside this stack")],
      ["[secret]", mayBeDeleted],
    ] as const)
      assert.deepEqual(removed({ ...intent, deletionPolicy }), [line]);
  });

  it("names every app in which it may be", () => {
    const [line = ""] = removed({ ...intent, apps: ["app-0", "app-1"] });
    assert.match(line, /a campaign of app `app-0`, `app-1` without saving it/);
  });

  it("counts it as permanent-delete or left-behind, and names the operations that it needs", async () => {
    const gone = (deletionPolicy?: string): string =>
      planOf(deleted("LaunchIntent", "spring", { ...intent, deletionPolicy }));
    assert.deepEqual(headings(reviewed(gone())), ["Deleted permanently", "Depends on an assumed path"]);
    assert.equal(headings(reviewed(gone("retain")))[0], "Removed from the stack, kept in the service");
    assert.match(reviewed(gone("pause")), /campaign\.list.*: `spring`\n.*campaign\.pause/);
    assert.equal((await judged(gone(), "--fail-on", "permanent-delete")).code, 3);
    const { stdout } = await judged(gone(), "--format", "json");
    assert.doesNotMatch(stdout, /LaunchIntent/);
    assert.match(stdout, /"kind": "AdCampaign"/);
  });

  it("says nothing where Pulumi forgets the intent too, and warns where it forgets only the campaign", () => {
    const options = { retainOnDelete: true };
    const forgotten = deleted("AdCampaign", "spring", launched, options);
    assert.deepEqual(linesAbout("spring", forgotten, deleted("LaunchIntent", "spring", intent, options)), [
      "campaign `cmp_1` of app `app-1` goes on spending EUR 5.00 a day, outside this stack",
    ]);
    assert.deepEqual(removed(intent, forgotten)[0], mayBeDeleted);
  });

  it("decides by the key, not by the name: a campaign of another key does not count", () => {
    for (const [name, more, lines] of [
      ["moved", {}, []],
      ["spring", { launchIntent: "ffffff0" }, [mayBeDeleted]],
      ["spring", { launchIntent: undefined, origin: "adopted" }, [mayBeDeleted]],
    ] as const)
      assert.deepEqual(removed(intent, updated("AdCampaign", name, { ...launched, ...more }, campaign)), lines);
  });

  it("decides by the name and the parent where the key is secret", () => {
    const below = (kind: string): PlanStep => {
      const made = deleted(kind, "spring", kind === "AdCampaign" ? launched : hiddenIntent);
      const urn = `urn:pulumi:dev::tested::my:index:Shop$pulumi-nodejs:dynamic/workspace-apps:${kind}::spring`;
      return { ...made, urn, oldState: { ...made.oldState, urn } };
    };
    const other = deleted("AdCampaign", "spring", launched);
    assert.equal(linesAbout("spring", below("AdCampaign"), below("LaunchIntent")).length, 1);
    assert.equal(linesAbout("spring", other, below("LaunchIntent")).length, 2);
    assert.equal(linesAbout("a", deleted("LaunchIntent", "a", hiddenIntent)).length, 1);
  });

  it("says it of a campaign in the state that --target leaves out", () => {
    const left = (after: object): string[] =>
      removed(intent, unchanged("AdCampaign", "spring", launched, { ...campaign, ...after }));
    assert.deepEqual(left({ launchIntent: key }), [mayBeDeleted]);
    assert.deepEqual(left({ campaignId: "cmp_1" }), []);
  });

  it("says it of an unconfirmed launch that the program adopts by an id: others of its key may be live", () => {
    const unconfirmed = { ...campaign, launchState: "unconfirmed", launchIntent: key };
    const told = updated("AdCampaign", "spring", unconfirmed, { ...campaign, campaignId: "cmp_1" });
    assert.doesNotMatch(reviewed(planOf(told)), /Launched/);
    assert.deepEqual(removed(intent, told), [mayBeDeleted]);
    assert.equal(removed(intent, deleted("AdCampaign", "spring", unconfirmed)).length, 1);
  });

  it("says of the removal of an unconfirmed launch what becomes of it, listed or not", () => {
    const uncertain = { ...campaign, launchState: "unconfirmed", launchIntent: key };
    for (const [deletionPolicy, heading, then] of [
      ["delete", "Deleted permanently", "is deleted permanently"],
      ["pause", "Removed from the stack, kept in the service", "is paused"],
      ["retain", "Removed from the stack, kept in the service", "goes on spending 5.00 a day, outside this stack"],
    ] as const) {
      const report = reviewed(planOf(deleted("AdCampaign", "spring", { ...uncertain, deletionPolicy })));
      assert.equal(headings(report)[0], heading);
      assert.equal(
        linesOf(report, "spring")[0],
        `the launch of campaign \`Spring\` of app \`app-1\` is not confirmed. If the list shows it, it ${then}. Otherwise, the command fails until the quarantine ends, and then forgets it`,
      );
    }
  });

  it("says it beside a pending replacement, and a campaign that a refresh did not find", () => {
    const pending = replaced("AdCampaign", "spring", launched, { ...campaign, campaignName: "Summer" });
    const ofIntent = deleted("LaunchIntent", "spring", intent);
    const steps = [pending, { ...pending, op: "create-replacement" }, ofIntent];
    assert.ok(reviewed(JSON.stringify({ steps, changeSummary: {} })).includes(mayBeDeleted));
    const refreshed = step("refresh", "LaunchIntent", "spring", { before: intent });
    const gone = deleted("AdCampaign", "spring", launched);
    assert.ok(reviewed(planOf(refreshed, gone, root, ofIntent)).includes(mayBeDeleted));
  });
});

describe("A review of a campaign that an earlier command may have launched", () => {
  const lines = (after: object): string[] =>
    linesAbout("spring", created("AdCampaign", "spring", { ...campaign, ...after }));
  const launch = "a campaign of app `app-1` is launched with 5.00 a day";
  const unless = `${launch}, unless an earlier command launched it: then that campaign is used`;

  it("says so where its intent is in the state, so that its key is known", () => {
    assert.deepEqual(lines({ launchIntent: unknown }), [launch]);
    assert.deepEqual(lines({ launchIntent: key }), [otherLaunch("is deleted permanently"), unless]);
  });

  it("says what happens to a launch with other arguments, by the policy", () => {
    assert.deepEqual(lines({ launchIntent: key, deletionPolicy: "pause" }), [unless, otherLaunch("is paused")]);
    assert.deepEqual(lines({ launchIntent: key, deletionPolicy: "retain" }), [unless]);
    assert.equal(lines({ launchIntent: key, deletionPolicy: unknown })[0], otherLaunch("is deleted permanently"));
  });

  it("says so of an unconfirmed launch", () => {
    const after = { ...campaign, launchIntent: key };
    const update = updated("AdCampaign", "spring", { ...after, launchState: "unconfirmed" }, after);
    const [other, unconfirmed = ""] = linesAbout("spring", update);
    assert.equal(other, otherLaunch("is deleted permanently"));
    assert.match(unconfirmed, /^its launch is not confirmed, and money may be moving: 5\.00 a day\./);
  });

  it("names the campaigns of its key that a refresh found, and what `up` does with them", () => {
    const before = { ...launched, duplicates: ["cmp_2", "cmp_3"] };
    const found = "campaign `cmp_2`, `cmp_3` of app `app-1`, which was launched twice,";
    for (const [deletionPolicy, expected] of [
      [undefined, [`${found} is deleted permanently`]],
      ["pause", [`${found} is paused`]],
      ["retain", []],
    ] as const)
      assert.deepEqual(
        linesAbout("spring", updated("AdCampaign", "spring", before, { ...campaign, deletionPolicy })),
        expected,
      );
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
