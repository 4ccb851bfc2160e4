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

const intent = { ...campaign, nonce: "n1", writtenAt: "2026-01-01T00:00:00Z" };
const lookedFor = (name: string, daily: string): string =>
  `an earlier command may have launched campaign \`${name}\` of app \`app-1\` (${daily}) without saving it`;

/** The lines about the campaign of an intent that leaves the stack. */
const leaving = (before: object, ...others: PlanStep[]): string[] =>
  linesOf(reviewed(planOf(step("delete", "LaunchIntent", "spring", { before: { ...before } }), ...others)), "spring");

describe("A review of launch intents", () => {
  it("speaks of campaigns only, whatever happens to the intent beside its campaign", () => {
    const after = { ...campaign, dailyBudgetMicros: 6_000_000 };
    const state = { ...launched, intent: "n1" };
    const plans: [string, PlanStep, PlanStep][] = [
      [
        "created",
        step("create", "AdCampaign", "spring", { after: campaign }),
        step("create", "LaunchIntent", "spring", { after: campaign }),
      ],
      [
        "replaced",
        step("replace", "AdCampaign", "spring", { before: state, after }),
        step("replace", "LaunchIntent", "spring", { before: intent, after }),
      ],
      [
        "deleted",
        step("delete", "AdCampaign", "spring", { before: state }),
        step("delete", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "updated",
        step("update", "AdCampaign", "spring", { before: state, after: { ...campaign, deletionPolicy: "pause" } }),
        step("update", "LaunchIntent", "spring", { before: intent, after: { ...campaign, deletionPolicy: "pause" } }),
      ],
      [
        "unchanged",
        step("same", "AdCampaign", "spring", { before: state, after: campaign }),
        step("same", "LaunchIntent", "spring", { before: intent, after: campaign }),
      ],
      [
        "refreshed",
        step("refresh", "AdCampaign", "spring", { before: state }),
        step("refresh", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "added to a state of 0.1.0",
        step("same", "AdCampaign", "spring", { before: launched, after: campaign }),
        step("create", "LaunchIntent", "spring", { after: campaign }),
      ],
      [
        "left by a campaign of 0.1.0",
        step("delete", "AdCampaign", "spring", { before: launched }),
        step("delete", "LaunchIntent", "spring", { before: intent }),
      ],
      [
        "left by a campaign that declares its id",
        step("same", "AdCampaign", "spring", { before: state, after: { ...campaign, campaignId: "cmp_1" } }),
        step("delete", "LaunchIntent", "spring", { before: intent }),
      ],
    ];
    for (const [what, ofCampaign, ofIntent] of plans) {
      const alone = planOf(ofCampaign);
      assert.equal(reviewed(planOf(ofIntent, ofCampaign)), reviewed(alone), what);
    }
  });

  it("leaves intents out of the counts and of the spend in JSON", async () => {
    const both = planOf(
      step("create", "LaunchIntent", "spring", { after: campaign }),
      step("create", "AdCampaign", "spring", { after: campaign }),
    );
    const { stdout } = await judged(both, "--format", "json", "--max-daily-spend", "5");
    const json = JSON.parse(stdout) as { changed: number; complete: boolean; exitCode: number };
    assert.deepEqual([json.changed, json.complete, json.exitCode], [1, true, 0]);
    assert.doesNotMatch(stdout, /LaunchIntent/);
  });

  it("says that a campaign may be found and ended when only its intent is in state and leaves", () => {
    const found = lookedFor("Spring", "5.00 a day");
    assert.deepEqual(leaving(intent), [`${found}. It is looked for, and if it is found, it is deleted permanently`]);
    assert.deepEqual(leaving({ ...intent, deletionPolicy: "pause" }), [
      `${found}. It is looked for, and if it is found, it is paused`,
    ]);
    assert.deepEqual(leaving({ ...intent, deletionPolicy: "retain" }), [
      `${found}. It is looked for, and if it is found, it goes on spending outside this stack`,
    ]);
  });

  it("says so too where the plan leaves out unchanged resources, and the campaign may be one of them", () => {
    const steps = [step("delete", "LaunchIntent", "spring", { before: intent })];
    assert.deepEqual(linesOf(reviewed(JSON.stringify({ steps, changeSummary: { same: 1, delete: 1 } })), "spring"), [
      `${lookedFor("Spring", "5.00 a day")}. It is looked for, and if it is found, it is deleted permanently. Nothing is ended where the campaign is in state, which a plan with --show-sames tells`,
    ]);
  });

  it("does not say so of a campaign that is in the plan under another name, or told by its id", () => {
    const moved = step("update", "AdCampaign", "after", {
      before: { ...launched, intent: "n1" },
      after: { ...campaign },
    });
    assert.deepEqual(leaving(intent, moved), []);
    const unconfirmed = { ...campaign, launchState: "unconfirmed", intent: "n1" };
    const told = step("update", "AdCampaign", "spring", {
      before: unconfirmed,
      after: { ...campaign, campaignId: "c" },
    });
    assert.doesNotMatch(reviewed(planOf(told)), /Launched/);
  });

  it("says so beside an adopted campaign of the same resource, which is another one", () => {
    const adopted = { ...launched, campaignId: "cmp_8", origin: "adopted" };
    const beside = step("same", "AdCampaign", "spring", {
      before: adopted,
      after: { ...campaign, campaignId: "cmp_8" },
    });
    assert.equal(leaving({ ...intent, nonce: "n1" }, beside).length, 1);
    const own = { ...adopted, origin: undefined, intent: "n1" };
    const told = step("same", "AdCampaign", "spring", { before: own, after: { ...campaign, campaignId: "cmp_8" } });
    assert.deepEqual(leaving({ ...intent, nonce: "n1" }, told), []);
  });

  it("counts what may be ended as permanent-delete or left-behind, and names the list that it needs", async () => {
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

  it("says it of the old values when they change before the campaign is in state", () => {
    const after = { ...campaign, campaignName: "Summer" };
    const plan = planOf(
      step("replace", "LaunchIntent", "spring", { before: intent, after }),
      step("create-replacement", "LaunchIntent", "spring", { before: intent, after }),
      step("delete-replaced", "LaunchIntent", "spring", { before: intent }),
      step("delete-replaced", "LaunchIntent", "spring", {
        before: { ...intent, nonce: "n0", campaignName: "Winter" },
      }),
      step("create", "AdCampaign", "spring", { after }),
    );
    const lines = linesOf(reviewed(plan), "spring");
    assert.equal(lines.filter((line) => line.startsWith(lookedFor("Spring", "5.00 a day"))).length, 1);
    assert.equal(lines.filter((line) => line.startsWith(lookedFor("Winter", "5.00 a day"))).length, 1);
    assert.equal(lines.at(-1), "a campaign of app `app-1` is launched with 5.00 a day");
  });

  it("says it of an older intent while the campaign in state belongs to the newer one", () => {
    const state = { ...launched, campaignName: "Summer", intent: "n2" };
    const lines = leaving(intent, step("same", "AdCampaign", "spring", { before: state, after: state }));
    assert.ok(lines[0]?.startsWith(lookedFor("Spring", "EUR 5.00 a day")), String(lines));
  });

  it("says it of a campaign in state that --target leaves out, while its intent leaves", () => {
    const state = { ...launched, intent: "n1" };
    const left = { ...intent, nonce: "n1" };
    const beside = (after: Record<string, unknown>): string[] =>
      leaving(left, step("same", "AdCampaign", "spring", { before: state, after }));
    assert.ok(beside(campaign)[0]?.startsWith(lookedFor("Spring", "EUR 5.00 a day")), String(beside(campaign)));
    assert.deepEqual(beside({ ...campaign, campaignId: "cmp_1" }), []);
  });

  it("lists the campaign as deleted where Pulumi forgets it without its intent, which then ends it", () => {
    const before = { ...launched, intent: "n1" };
    const deleted = ["campaign `cmp_1` of app `app-1` is deleted permanently; its past performance stays listed"];
    const x = step("delete", "TestFlow", "x", { before: { appId: "a", flowId: "f", deletionPolicy: "retain" } });
    const sparing = step("delete", "AdCampaign", "spring", { before, options: { deletedWith: x.urn } });
    assert.deepEqual(leaving({ ...intent, nonce: "n1" }, x, sparing), deleted);
    const retained = step("delete", "AdCampaign", "spring", { before, options: { retainOnDelete: true } });
    assert.deepEqual(leaving({ ...intent, nonce: "n1" }, retained), deleted);
    const lines = leaving({ ...intent, nonce: "n1", deletionPolicy: "retain" }, retained);
    assert.deepEqual(lines, ["campaign `cmp_1` of app `app-1` goes on spending EUR 5.00 a day, outside this stack"]);
  });

  it("says it where a pending replacement, or a campaign that is gone, leaves its intent alone", () => {
    const before = { ...launched, intent: "n1" };
    const after = { ...campaign, campaignName: "Summer" };
    const pending = step("replace", "AdCampaign", "spring", { before, after, options: { pendingReplacement: true } });
    const parts = [pending, { ...pending, op: "create-replacement" }];
    const plan = JSON.stringify({
      steps: [...parts, step("delete", "LaunchIntent", "spring", { before: { ...intent, nonce: "n1" } })],
      changeSummary: {},
    });
    assert.match(reviewed(plan), /It is looked for/);
    const root = { op: "same", urn: "urn:pulumi:dev::tested::pulumi:pulumi:Stack::tested-dev" };
    const refreshed = planOf(
      step("refresh", "LaunchIntent", "spring", { before: { ...intent, nonce: "n1" } }),
      step("delete", "AdCampaign", "spring", { before }),
      root,
      step("delete", "LaunchIntent", "spring", { before: { ...intent, nonce: "n1" } }),
    );
    assert.match(reviewed(refreshed), /It is looked for/);
  });

  it("counts intents whose nonces are secret one by one", () => {
    const hidden = (name: string) =>
      step("delete", "LaunchIntent", name, { before: { ...intent, campaignName: name, nonce: "[secret]" } });
    assert.equal(reviewed(planOf(hidden("a"), hidden("b"))).match(/It is looked for/g)?.length, 2);
  });

  it("knows nothing to look for where the campaign was declared by its id", () => {
    assert.deepEqual(leaving({ ...intent, campaignId: "cmp_1" }), []);
  });

  it("finds the campaign of an intent under the same parent", () => {
    const below = (kind: string): PlanStep => {
      const made = step("delete", kind, "spring", { before: kind === "AdCampaign" ? launched : intent });
      const urn = `urn:pulumi:dev::tested::my:index:Shop$pulumi-nodejs:dynamic/workspace-apps:${kind}::spring`;
      return { ...made, urn, oldState: { ...made.oldState, urn } };
    };
    assert.equal(linesOf(reviewed(planOf(below("AdCampaign"), below("LaunchIntent"))), "spring").length, 1);
    const other = step("delete", "AdCampaign", "spring", { before: launched });
    assert.equal(linesOf(reviewed(planOf(other, below("LaunchIntent"))), "spring").length, 2);
  });

  it("says that an earlier command may have launched a campaign whose intent is in state", () => {
    const create = step("create", "AdCampaign", "spring", { after: campaign });
    const expected =
      /^a campaign of app `app-1` is launched with 5\.00 a day, unless it runs already: an earlier command may have launched it\. The campaign list is watched first, and a live one is adopted$/;
    for (const op of ["same", "update", "refresh"]) {
      const plan = planOf(step(op, "LaunchIntent", "spring", { before: intent, after: campaign }), create);
      assert.match(linesOf(reviewed(plan), "spring")[0] ?? "", expected);
      assert.equal(headings(reviewed(plan))[0], "Launched");
    }
    const running = step("create", "AdCampaign", "spring", { after: { ...campaign, paused: false } });
    const kept = step("same", "LaunchIntent", "spring", { before: intent, after: campaign });
    const [line = ""] = linesOf(reviewed(planOf(kept, running)), "spring");
    assert.match(line, /a live one is adopted, and resumed if it is paused$/);
    const unlisted = { steps: [create], changeSummary: { same: 2, create: 1 } };
    assert.match(linesOf(reviewed(JSON.stringify(unlisted)), "spring")[0] ?? "", expected);
    assert.doesNotMatch(reviewed(planOf(create)), /unless/);
  });

  it("names the campaign once when the preview failed for it and for its intent", () => {
    const urn = (kind: string) => `urn:pulumi:dev::tested::pulumi-nodejs:dynamic/workspace-apps:${kind}::spring`;
    const diagnostics = ["LaunchIntent", "AdCampaign"].map((kind) => ({ urn: urn(kind), severity: "error" }));
    const plan = JSON.stringify({ steps: [], diagnostics });
    assert.match(reviewed(plan), /failed with 2 errors \(about `spring`\)/);
  });
});

describe("A review of a failed launch, from plans that the CLI printed", () => {
  const lines = (name: string): string[] => linesOf(reviewed(recorded(name)), "spring");

  it("says that a repeated up may find it", () => {
    assert.match(lines("interrupted").join("\n"), /^a campaign of app `app-shop` is launched.*unless it runs already/);
  });

  it("says that a campaign of the old name may be found and deleted after a new name", () => {
    const [deleted = "", launched = "", ...more] = lines("interrupted-renamed");
    assert.match(deleted, /may have launched campaign `Spring sale` of app `app-shop` \(5\.00 a day\)/);
    assert.equal(launched, "a campaign of app `app-shop` is launched with 5.00 a day");
    assert.deepEqual(more, []);
  });

  it("says that it may be found and deleted after a revert", () => {
    assert.match(
      lines("interrupted-reverted").join("\n"),
      /^an earlier command may have launched campaign `Spring sale`/,
    );
  });
});
