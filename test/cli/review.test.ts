import assert from "node:assert/strict";
import { secrets } from "../../tools/harness/reviewed-stack";
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
  step,
  unchanged,
  unknown,
  updated,
} from "./support";

describe("A review of every risk at once, from a plan that the CLI printed", () => {
  const report = reviewed(recorded("every-risk"));

  it("lists each risk under its heading, the most dangerous first", () => {
    assert.deepEqual(headings(report), [
      "Deleted permanently",
      "Launched",
      "Cannot be removed later",
      "Security findings ignored",
      "Where events are sent",
      "Signing secrets changed",
      "Webhooks switched on or off",
      "Protection removed: a later destroy deletes it",
      "Adopted",
      "Removed from the stack, kept in the service",
      "Records written (the app's automations may run)",
      "No longer managed",
      "Depends on an assumed path",
      "Also changed",
    ]);
  });

  it("says what happens to each resource", () => {
    const expected: [string, RegExp[]][] = [
      ["ended", [/^campaign `cmp_\d` of app `app-shop` is deleted permanently; its past performance stays listed$/]],
      [
        "raised",
        [
          /^is replaced \(changed: `dailyBudgetMicros`\): .* is deleted permanently/,
          /launched in its place .* USD 8\.00/,
        ],
      ],
      ["yen", [/is deleted permanently/, /JPY 1,800 a day$/]],
      ["left-running", [/goes on spending USD 5\.00 a day, outside this stack$/]],
      ["left-paused", [/is paused$/]],
      ["no-longer-kept", [/its deletion policy was `retain`$/]],
      ["launched", [/^a campaign of app `app-shop` is launched with USD 3\.00 a day$/]],
      ["born-paused", [/launched and then paused$/]],
      ["not-known-yet", [/with a daily budget that is not known yet$/]],
      ["secret-budget", [/with a daily budget that is secret$/]],
      ["uncertain", [/launched it with other arguments/, /not confirmed, and money may be moving/]],
      ["adopted-campaign", [/^campaign `cmp-adopted` of app `app-shop` is adopted$/]],
      ["paused-by-plan", []],
      ["steady", []],
      ["rotated", [/its target is hidden/, /gets a new signing secret/]],
      ["unsigned", [/its target is hidden/, /no longer signed, and its signing secret is lost$/]],
      ["switched-off", [/its target is hidden/, /is switched off$/]],
      ["switched-on", [/its target is hidden/, /is switched on$/]],
      ["removed", [/is deleted: its events are no longer delivered$/]],
      [
        "moved",
        [/^is replaced \(changed: `agentId`\)/, /^sends `message.completed` of agent `agent-sales` to \(secret\)/],
      ],
      ["new-webhook", [/^sends `message.completed` of agent `agent-support` to \(secret\)/]],
      [
        "adopted-webhook",
        [/^sends .* once it is adopted$/, /is switched on, if it is off$/, /is adopted, and changed where it differs/],
      ],
      ["fewer-fields", [/^`note`, `percent` of `TaxRate` record/]],
      ["dropped", [/is deleted, also the fields that the program does not declare$/]],
      ["restored", [/gets back the values found at adoption/]],
      ["adopted-record", [/is adopted, and changed where it differs/, /the declared fields that differ are written$/]],
      ["new-record", [/^`TaxRate` record of app `app-shop` is created$/]],
      ["deleted-test", [/run in progress is cancelled; past runs and reports remain$/]],
      ["adopted-test", [/is adopted and not changed; `pulumi up` fails if it differs from what is declared$/]],
      ["hidden-finding", [/^security finding `f-new` of app `app-shop` is marked as ignored/]],
      ["shown-again", []],
      ["moved-app", []],
      ["adopted-membership", [/is adopted$/]],
      ["goals", [/cannot remove them$/]],
      ["new-goals", [/cannot remove them$/]],
      ["done", [/^another \(changed: .*`prompt`.*\) coding session is launched/]],
      ["new-session", [/opens a pull request$/]],
    ];
    for (const [name, patterns] of expected) {
      const lines = linesOf(report, name);
      assert.equal(lines.length, patterns.length, `${name}: ${lines.join(" / ")}`);
      patterns.forEach((pattern, index) => {
        assert.match(lines[index] ?? "", pattern, name);
      });
    }
  });

  it("ignores resources of other packages", () => {
    assert.doesNotMatch(report, /not-ours|`shop`|Stack/);
  });

  it("adds up spend by app and currency, and leaves out unknown amounts", () => {
    assert.deepEqual(report.match(/^\| .*\d.*$/gm), [
      "| **Total JPY** | JPY 1,500 | JPY 1,800 | +JPY 300 |",
      "| **Total USD** | USD 49.845678 | USD 33.50 + 2 not known | not known |",
      "| **Total (currency not known)** | 0.00 | 5.00 | +5.00 |",
      "| `app-japan` | JPY 1,500 | JPY 1,800 | +JPY 300 |",
      "| `app-shop` | USD 49.845678 | USD 33.50 + 2 not known | not known |",
      "| `app-unsure` | 0.00 | 5.00 | +5.00 |",
    ]);
  });

  it("says when the unchanged campaigns are missing from the plan", () => {
    assert.doesNotMatch(report, /show-sames/);
    const plan = JSON.parse(recorded("every-risk")) as { steps: PlanStep[] };
    const [first, ...rest] = plan.steps;
    const without = reviewed(JSON.stringify({ ...plan, steps: [first, ...rest.filter(({ op }) => op !== "same")] }));
    assert.match(
      without,
      /Unchanged campaigns are missing from this plan and from these sums\. `--show-sames` adds them/,
    );
    assert.match(without, /\*\*Total USD\*\* \| USD 42\.345678 \|/);
  });

  it("lists the assumed operations with their paths and resources", () => {
    assert.match(report, /^- `webhook.create` \(`POST .*`\): (?=.*`new-webhook`)(?=.*`moved`)/m);
    assert.doesNotMatch(report, /campaign\.delete|webhook\.update|finding\.restore/);
  });

  it("contains no secret and no placeholder of an unknown value", () => {
    assert.doesNotMatch(report, secrets);
    assert.doesNotMatch(report, /04da6b54|\[secret\]/);
  });

  it("begins with the same line in every report", () => {
    for (const name of ["every-risk", "destroy", "protected", "refresh"])
      assert.equal(reviewed(recorded(name)).split("\n")[0], "<!-- workspace-apps review -->");
  });
});

describe("A review of other plans that the CLI printed", () => {
  /** Each line begins or ends as given. */
  const assertLines = (name: string, expected: Record<string, RegExp>): void => {
    for (const [resource, line] of Object.entries(expected))
      assert.match(linesOf(reviewed(recorded(name)), resource).join("\n"), line, resource);
  };

  it("of a destroy says what is deleted permanently and what keeps spending", () => {
    assert.match(
      reviewed(recorded("destroy")),
      /\*\*Total USD\*\* \| USD 44\.845678 \| USD 10\.00 \| -USD 34\.845678 \|/,
    );
    assertLines("destroy", {
      uncertain: /^.*is not confirmed\. If the list shows it, it is deleted permanently\. Otherwise/,
      goals: /^.*stay in its advertising account/,
      done: /^.*is removed from the stack; its work stays/,
      rotated: /^.*its signing secret is lost/,
    });
  });

  it("of a failed preview says so first, and repeats none of its messages", () => {
    const report = reviewed(recorded("protected"));
    assert.match(
      report,
      /^\*\*This plan is incomplete, so this report is too:\*\*\n\n- the preview failed with 2 errors \(about `protected`\)/m,
    );
    assert.doesNotMatch(report, /marked for protection/);
  });

  it("of a refresh does not report deletions, and says what its plan does not show", () => {
    const report = reviewed(recorded("refresh"));
    assert.deepEqual(headings(report), ["No longer in the service"]);
    assertLines("refresh", { vanished: /^.*is gone; the next `pulumi up` creates it again(\n|$)/ });
    assert.match(report, /The refresh found 1 changed resource, but its plan does not show which, or how/);
  });

  it("of a preview with --refresh covers the steps after the refresh", () => {
    const report = reviewed(recorded("refreshed-first"));
    assert.deepEqual(headings(report).slice(0, 2), ["Deleted permanently", "Where events are sent"]);
    assertLines("refreshed-first", {
      drifted: /^.*is switched on(\n|$)/,
      deleted: /^.*is deleted/,
      vanished: /^sends `message.completed` of agent [^,\n]*, not signed$/,
    });
  });

  it("of resource options says what stays, what loses its protection and what is only renamed", () => {
    assertLines("options", {
      retained: /^.*stays unchanged(\n|$)/,
      "retained-and-replaced": /^.*\nis replaced \(changed: `agentId`\): .* stays unchanged(\n|$)/,
      protected: /^.*is no longer protected(\n|$)/,
      "new-name": /^continues to manage webhook .*, previously managed by `old-name`(\n|$)/,
      "old-name": /^$/,
      deleted: /^.*is deleted/,
    });
  });

  it("does not call a path assumed that the stack's configuration sets", () => {
    assert.match(reviewed(recorded("options")), /^- `webhook.create`/m);
    assert.doesNotMatch(reviewed(recorded("options")), /^- `webhook.delete`/m);
  });
});

describe("A review", () => {
  it("names new event targets, and shows only the host of each", () => {
    const targetUrl = "https://a.example.com/?key=1";
    const hook = { agentId: "a", events: ["message.completed"], targetUrl, enabled: true };
    for (const [after, line] of [
      [{ targetUrl: "https://b.example.org/x" }, /to `b\.example\.org` instead of `a\.example\.com`$/],
      [{ targetUrl: "https://a.example.com/?key=2" }, /to `a\.example\.com`, at another address there$/],
      [{ events: ["message.created"] }, /also sends `message\.created` to `a\.example\.com`$/],
      [{ targetUrl: "[secret]" }, /to \(secret\) instead of `a\.example\.com`$/],
      [{ events: ["message.completed"] }, /^$/],
    ] as const) {
      const update = updated("Webhook", "hook", { ...hook, webhookId: "w" }, { ...hook, ...after });
      assert.match(linesAbout("hook", update).join(), line);
    }
  });

  it("lists the written and the hidden fields of a record, without their values", () => {
    const record = { appId: "a", entityName: "E", recordId: "r", fields: { rate: 19, at: "x", key: "[secret]" } };
    const after = { ...record, fields: { ...record.fields, rate: 0 } };
    const expected = ["`E` record `r` of app `a`: `rate`, `key` is written"];
    assert.deepEqual(linesAbout("row", updated("EntityRecord", "row", record, after)), expected);
  });

  it("lists the other changes with their arguments", () => {
    const flow = { appId: "a", flowId: "f", definition: { steps: 3 } };
    const update = updated("TestFlow", "flow", flow, { appId: "a", definition: {} });
    const report = reviewed(planOf(update, deleted("AdCampaign", "spring", launched)));
    assert.match(report, /### Also changed \(1\)\n\n- `flow` \(TestFlow, updated: `definition`\)\n$/);
  });

  it("of a plan without risks is one line", () => {
    const after = { agentId: "a", targetUrl: "https://b.example.com/", events: ["message.completed"], enabled: true };
    const before = { ...after, description: "d", webhookId: "w", readBy: "mark" };
    for (const [one, sentences] of [
      [
        updated("Webhook", "hook", before, { ...after, description: "e" }),
        "It changes `hook` (Webhook, updated: `description`).",
      ],
      [
        unchanged("AdCampaign", "spring", launched, campaign),
        "It changes no resources of workspace-apps. Daily spend stays at EUR 5.00.",
      ],
    ] as const)
      assert.equal(
        reviewed(planOf(one)),
        `<!-- workspace-apps review -->\nNothing risky in the plan of \`tested/dev\`. ${sentences}\n`,
      );
  });

  it("says of an unfinished create that the object may exist, and that nothing is deleted", () => {
    const after = { appId: "a", entityName: "Task", fields: { title: "one" } };
    const before = { ...after, unfinishedCreate: {} };
    const update = reviewed(planOf(updated("EntityRecord", "task", before, after)));
    assert.match(
      update,
      /`task` \(EntityRecord\): may exist already.*`pulumi up` looks for it, and creates it only if there is none/,
    );
    assert.match(update, /record\.create/);
    const removal = reviewed(planOf(deleted("EntityRecord", "task", before)));
    assert.match(removal, /`task` \(EntityRecord\): may exist already.*; nothing is deleted/);
    assert.doesNotMatch(removal, /is deleted, also the fields|record\.delete/);
  });

  it("uses the environment when the stack's configuration does not set paths", () => {
    const plan = planOf(created("IgnoredFinding", "f", { appId: "a", fingerprint: "f" }));
    for (const [environment, isAssumed] of [
      [{}, true],
      [{ WORKSPACE_APPS_DOCUMENTED_ONLY: "true" }, false],
      [{ WORKSPACE_APPS_ENDPOINTS: `{"finding.ignore": "POST /x"}` }, false],
      [{ WORKSPACE_APPS_ENDPOINTS: "{" }, true],
    ] as [Record<string, string>, boolean][])
      assert.equal(reviewed(plan, environment).includes("finding.ignore"), isAssumed, JSON.stringify(environment));
  });

  it("counts the parts of a replacement once, as they are listed with --show-replacement-steps", () => {
    const replacement = replaced("AdCampaign", "spring", launched, { ...campaign, dailyBudgetMicros: 6_000_000 });
    const report = reviewed(planOf(replacement));
    assert.deepEqual([...report.matchAll(/^- `spring`/gm)].length, 2);
    assert.match(report, /\| EUR 5\.00 \| EUR 6\.00 \| \+EUR 1\.00 \|/);
  });

  it("reports what an interrupted replacement still has to delete", () => {
    const deletion = step("delete-replaced", "AdCampaign", "spring", { before: launched });
    assert.match(linesAbout("spring", deletion)[0] ?? "", /is deleted permanently/);
  });

  it("reports that a campaign is or may be resumed", () => {
    const isResumed = /is resumed with EUR 5\.00 a day/;
    const byAnother = ["us", "other"].flatMap((pausedBy) => [
      [{ pausedBy }, { paused: false }, isResumed] as const,
      [{ pausedBy }, { paused: unknown }, /may be resumed/] as const,
    ]);
    for (const [before, after, line] of [
      ...byAnother,
      [{ pausedBy: "unknown" }, { paused: false }, /may be resumed/],
      [{ pausedBy: "unknown" }, { deletionPolicy: "pause" }, /may be resumed/],
      [{}, { paused: false }, /^$/],
      [{ pausedBy: "service" }, { paused: false }, /^$/],
      [{ paused: true, pausedBy: "us" }, {}, /^`paused` of campaign `cmp_1` .*: stays unchanged in the service$/],
      [{ paused: false }, { paused: true }, /^$/],
    ] as const) {
      const update = updated("AdCampaign", "spring", { ...launched, ...before }, { ...campaign, ...after });
      assert.match(linesAbout("spring", update).join(), line, JSON.stringify([before, after]));
    }
  });

  it("does not treat a secret rotateSecret as unchanged", () => {
    const webhook = { agentId: "a", enabled: true, rotateSecret: "[secret]", hasSecret: true };
    const [line = ""] = linesAbout("hook", updated("Webhook", "hook", webhook, webhook));
    assert.match(line, /may get a new signing secret/);
  });

  it("says that conversion goals are created again only when tracking is run again", () => {
    const tracking = { appId: "a", wireEvents: false };
    for (const [before, after, count] of [
      [{ rerun: "1" }, {}, 0],
      [{ rerun: "1" }, { rerun: "2" }, 1],
      [{ rerun: "1", skippedReason: "no_ads_account" }, { rerun: "1" }, 1],
      [{ rerun: "[secret]" }, { rerun: "[secret]" }, 1],
      [{}, { wireEvents: true }, 1],
    ] as const) {
      const update = updated("ConversionTracking", "goals", { ...tracking, ...before }, { ...tracking, ...after });
      assert.equal(linesAbout("goals", update).length, count, JSON.stringify([before, after]));
    }
  });

  it("says that hidden fields may include fields that are no longer managed", () => {
    const record = { appId: "a", entityName: "E", fields: "[secret]" };
    const lines = linesAbout("row", updated("EntityRecord", "row", record, record)).join();
    assert.match(lines, /what is hidden, if it changed, is written.*its fields are hidden/);
  });

  it("treats a renamed campaign as the same one by its id, and counts the worst case without its id", () => {
    const renamed = (after: object, before = {}): string =>
      reviewed(
        planOf(
          created("AdCampaign", "new", { ...campaign, ...after }),
          deleted("AdCampaign", "old", { ...launched, ...before }),
        ),
      );
    const byId = renamed({ campaignId: "cmp_1" });
    assert.deepEqual(linesOf(byId, "old"), []);
    assert.match(
      linesOf(byId, "new")[0] ?? "",
      /^continues to manage campaign `cmp_1` .*, previously managed by `old`$/,
    );
    // Without aliases or an id, up refuses it.
    assert.deepEqual(headings(renamed({})).slice(0, 2), ["Deleted permanently", "Launched"]);
    const retained = renamed({ campaignId: "cmp_1" }, { deletionPolicy: "retain" });
    for (const report of [byId, retained, renamed({})])
      assert.match(report, /\*\*Total\*\* \| EUR 5\.00 \| EUR 5\.00 \| EUR 0\.00 \|/);
  });

  it("says what happens to an adopted object under an explicit policy", () => {
    const deletionPolicy = "delete";
    const flow = created("TestFlow", "it", { appId: "a", flowId: "f", deletionPolicy });
    assert.match(linesAbout("it", flow)[0] ?? "", /is adopted and not changed; .*; a later destroy deletes it$/);
    const finding = created("IgnoredFinding", "it", { appId: "a", fingerprint: "f", adopt: true, deletionPolicy });
    const restored = "security finding `f` of app `a` is adopted; a later destroy restores it";
    assert.deepEqual(linesAbout("it", finding), [restored]);
  });

  describe("of the option import", () => {
    const imported = (kind: string, name: string, importID: string, after: Record<string, unknown>) => {
      const made = step("import", kind, name, { after });
      return { ...made, newState: { ...made.newState, importID } };
    };
    const unlessItDiffers = "is imported and not changed; `pulumi up` fails if it differs from what is declared";

    it("names the object by its id, says that nothing is changed, and what a later destroy does", () => {
      const after = { agentId: "a", targetUrl: "https://example.com/", events: ["e"] };
      const kept = reviewed(planOf(imported("Webhook", "hook", "a/wh_1", after)));
      assert.deepEqual(headings(kept), ["Adopted", "Depends on an assumed path"]);
      assert.equal(linesOf(kept, "hook")[0], `webhook \`wh_1\` of agent \`a\` ${unlessItDiffers}`);
      const [line = ""] = linesAbout(
        "hook",
        imported("Webhook", "hook", "a/wh_1", { ...after, deletionPolicy: "delete" }),
      );
      assert.match(line, /; a later destroy deletes it$/);
    });

    it("counts the budget of an imported campaign before and after, and no increase", async () => {
      // An import pauses nothing.
      for (const paused of [false, true]) {
        const plan = planOf(imported("AdCampaign", "spring", "app-1/cmp_1", { ...campaign, paused }));
        const { code, stdout } = await judged(plan, "--fail-on", "spend,launch", "--max-daily-spend", "5");
        assert.equal(code, 0, stdout);
        assert.match(stdout, /\| 5\.00 +\| 5\.00 +\|/);
        assert.match(
          linesOf(stdout, "spring")[0] ?? "",
          /^campaign `cmp_1` of app `app-1` is imported and not changed/,
        );
      }
    });

    it("that replaces another object also says what happens to that one", () => {
      const made = replaced("TestFlow", "flow", { appId: "a", flowId: "f" }, { appId: "a" });
      const plan = planOf({ ...made, newState: { ...made.newState, importID: "a/g" } });
      const report = reviewed(plan.replace("create-replacement", "import-replacement"));
      assert.deepEqual(linesOf(report, "flow"), [
        "is replaced: test `f` of app `a` is deleted, and a run in progress is cancelled; past runs and reports remain",
        `test \`g\` of app \`a\` ${unlessItDiffers}`,
      ]);
    });
  });

  it("ignores what get reads", () => {
    const read = step("read", "AdCampaign", "seen", { after: { appId: "a" } });
    const report = reviewed(planOf(read, step("discard", "AdCampaign", "old", { before: campaign })));
    assert.deepEqual(headings(report), []);
    assert.doesNotMatch(report, /incomplete/);
  });

  it("retains adopted objects by default", () => {
    const before = { appId: "a", flowId: "f", origin: "adopted" };
    const report = reviewed(planOf(deleted("TestFlow", "flow", before)));
    assert.deepEqual(headings(report), ["Removed from the stack, kept in the service"]);
  });

  it("is incomplete when it contains an unknown kind or step, or where get takes the place of a declaration", () => {
    const webhook = { agentId: "a", webhookId: "w" };
    for (const [unsupported, name] of [
      [created("Hologram", "h", {}), "Hologram"],
      [step("teleport", "Webhook", "h", { after: {} }), "teleport"],
      [step("read-replacement", "Webhook", "h", { before: webhook, after: {} }), "read-replacement"],
    ] as const)
      assert.match(
        reviewed(planOf(unsupported)),
        new RegExp(`This plan is incomplete.*\n\n- \`h\`: this version does not support \`${name}\``),
      );
  });

  it("fits into a comment, and says how many lines were left out", () => {
    const steps = Array.from({ length: 2_000 }, (_, number) =>
      deleted("AdCampaign", `campaign-${String(number)}`, launched),
    );
    const report = reviewed(planOf(...steps));
    assert.ok(report.length <= 65_536 && report.length > 60_000, String(report.length));
    const shown = report.match(/^- /gm)?.length ?? 0;
    assert.match(report, new RegExp(`\\*\\*${String(2_000 - shown)} more lines\\*\\* do not fit`));
  });
});
