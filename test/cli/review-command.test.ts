import assert from "node:assert/strict";
import { join } from "node:path";
import { categoryNames } from "../../cli/review/risk-categories";
import { judged, planFile, planOf, recorded, run, step, unchanged, type Ran } from "./support";

const campaign = { appId: "app-1", campaignName: "Spring", dailyBudgetMicros: 5_000_000 };
const live = { ...campaign, campaignId: "cmp_1", launchState: "confirmed", accountCurrencyCode: "EUR" };
const raised = { ...campaign, dailyBudgetMicros: 7_500_000 };

const harmless = planOf(unchanged("AdCampaign", "spring", live, campaign));
const raising = planOf(
  step("replace", "AdCampaign", "spring", { before: live, after: raised, replaceReasons: ["dailyBudgetMicros"] }),
);
const unknownBudget = planOf(
  step("create", "AdCampaign", "new", {
    after: { ...campaign, dailyBudgetMicros: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
  }),
);

describe("workspace-apps review", () => {
  it("prints the report and exits with 0 for any plan when no gate is given", async () => {
    const { code, stdout, stderr } = await run("review", planFile("every-risk"));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^<!-- workspace-apps review -->\n/);
  });

  it("exits with 3 when the plan contains a category from --fail-on, and says which", async () => {
    assert.equal((await judged(raising)).code, 0);
    const { code, stdout, stderr } = await judged(raising, "--fail-on", "permanent-delete,spend", "--fail-on", "gone");
    assert.equal(code, 3);
    assert.match(stdout, /is deleted permanently/);
    assert.match(stdout, /^\*\*Stopped:\*\* the plan has permanent-delete, spend\.$/m);
    assert.equal(stderr, "workspace-apps: --fail-on: the plan has permanent-delete, spend. [WA2013]\n");
    assert.equal((await judged(raising, "--fail-on", "adoption, webhook-switch")).code, 0);
    assert.equal((await judged(raising, "--fail-on", "any")).code, 3);
    assert.equal((await judged(harmless, "--fail-on", "any")).code, 0);
  });

  it("knows every category, and lists each in its help", async () => {
    const { stdout } = await run("review", "--help");
    for (const category of categoryNames) {
      assert.match(stdout, new RegExp(`\\b${category}\\b`));
      assert.equal((await judged(harmless, "--fail-on", category)).code, 0);
    }
  });

  it("counts an unknown budget as higher spend", async () => {
    assert.equal((await judged(unknownBudget, "--fail-on", "spend")).code, 3);
  });

  it("counts higher spend of one campaign even when another spends less", async () => {
    const less = { before: { ...live, campaignName: "Autumn", campaignId: "cmp_2" } };
    const plan = JSON.stringify({
      steps: [...(JSON.parse(raising) as { steps: object[] }).steps, step("delete", "AdCampaign", "autumn", less)],
    });
    assert.equal((await judged(plan, "--fail-on", "spend")).code, 3);
  });

  it("exits with 4 when the campaigns may spend more than --max-daily-spend", async () => {
    const { code, stdout, stderr } = await judged(raising, "--max-daily-spend", "7.49", "--fail-on", "launch");
    assert.equal(code, 4);
    assert.match(stdout, /^\*\*Stopped:\*\* EUR 7\.50 a day is above EUR 7\.49; the plan has launch\.$/m);
    assert.match(
      stderr,
      /--max-daily-spend: EUR 7\.50 a day is above EUR 7\.49\. \[WA2012\]\n.*--fail-on: the plan has launch/,
    );
    assert.equal((await judged(raising, "--max-daily-spend", "7.5")).code, 0);
    assert.equal((await judged(raising, "--max-daily-spend", "EUR=7.5,JPY=1")).code, 0);
    assert.match(
      (await judged(raising, "--max-daily-spend", "USD=100")).stderr,
      /no limit is set for EUR \(EUR 7\.50 a day\)/,
    );
  });

  it("names the limit that covers a first launch, whose currency is not known yet", async () => {
    const launching = planOf(step("create", "AdCampaign", "spring", { after: raised }));
    const { code, stderr } = await judged(launching, "--max-daily-spend", "USD=100");
    assert.equal(code, 4);
    assert.match(
      stderr,
      /no limit is set for an unknown currency \(7\.50 a day\): use a limit without a currency\. \[/,
    );
    assert.equal((await judged(launching, "--max-daily-spend", "100")).code, 0);
  });

  it("exits with 4 when it cannot confirm that --max-daily-spend is kept", async () => {
    const unknown = await judged(unknownBudget, "--max-daily-spend", "100");
    assert.equal(unknown.code, 4);
    assert.match(unknown.stderr, /1 budget is secret or not known/);
    assert.equal((await judged(recorded("refresh"), "--max-daily-spend", "100")).code, 4);
  });

  it("exits with 1 when the preview failed, before checking any gate", async () => {
    const { code, stdout, stderr } = await run("review", planFile("protected"), "--fail-on", "any");
    assert.equal(code, 1);
    assert.match(stdout, /This plan is incomplete/);
    assert.match(stderr, /The plan is incomplete: the preview failed with 2 errors \(about "protected"\)/);
  });

  it("exits with 1 when the preview failed before its first step", async () => {
    const wrongTarget = { message: "error: Target 'urn' could not be found in the stack.\n", severity: "error" };
    const { code, stderr } = await judged(JSON.stringify({ diagnostics: [wrongTarget], duration: 1 }));
    assert.equal(code, 1);
    assert.match(stderr, /^workspace-apps: The plan is incomplete: the preview failed with an error;/);
  });

  it("exits with 1 when the plan is truncated or empty, with a report that says so", async () => {
    const plan = recorded("every-risk");
    for (const cut of [plan.slice(0, plan.length / 2), plan.slice(0, -2), "", "\n"]) {
      const { code, stdout, stderr } = await judged(cut);
      assert.equal(code, 1, stderr);
      assert.match(
        stdout,
        /^<!-- workspace-apps review -->\n\n\*\*This plan is incomplete.*\n\n- it is (cut off|empty)/,
      );
      assert.match(stderr, /^workspace-apps: The plan is incomplete: it is (cut off|empty), .*\n$/);
    }
  });

  it("exits with 2 and one line on stderr when it gets no plan or is used wrongly", async () => {
    const event = `{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}\n`;
    const wrong: [Promise<Ran>, RegExp][] = [
      [judged(event + event), /stream of events/],
      [judged(recorded("every-risk") + event), /stream of events/],
      [judged("warning: something\n{}"), /not JSON/],
      [judged("{}"), /not a plan/],
      [judged("[]"), /not a plan/],
      [judged(`{"diagnostics": [{"severity": "info"}]}`), /not a plan/],
      [judged(`"text"`), /not a plan/],
      [judged(`{"version": 3, "deployment": {"resources": []}}`), /not a plan/],
      [judged(`{"steps": [{"op": 1}]}`), /not a plan \(at steps\.0\.op\)/],
      [run("review", join(__dirname, "missing.json")), /Cannot read .*missing\.json: there is no such file/],
      [run("review", __dirname), /EISDIR/],
      [run("review", "a", "b"), /one file/],
      [run("review", "--format", "html", "a"), /--format must be/],
      [
        run("review", "--fail-on", "spent", "a"),
        /Unknown category "spent" in --fail-on\. Use any, or some of permanent-delete, .*assumed-path\./,
      ],
      [run("review", "--fail-on", "", "a"), /Unknown category "" in --fail-on/],
      [run("review", "--max-daily-spend", "much", "a"), /--max-daily-spend must be/],
      [run("review", "--max-daily-spend", "eur=5", "a"), /--max-daily-spend must be/],
      [run("review", "--max-daily-spend", "-5", "a"), /--max-daily-spend/],
      [run("review", "--max-daily-spend", "1.1234567", "a"), /--max-daily-spend must be/],
      [run("review", "--sames"), /--sames/],
    ];
    for (const [ran, message] of wrong) {
      const { code, stdout, stderr } = await ran;
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, message);
      assert.match(stderr, /^workspace-apps: .*\n$/);
    }
  });

  it("prints the same report as JSON", async () => {
    const { code, stdout } = await judged(raising, "--format", "json", "--fail-on", "launch,gone");
    const report = JSON.parse(stdout) as Record<string, unknown> & { risks: { category: string }[] };
    assert.equal(code, 3);
    const [before, after] = ["5000000", "7500000"].map((micros) => ({ micros, notKnown: 0 }));
    const total = { currency: "EUR", before, after, changeMicros: "2500000" };
    const apps = [{ app: "app-1", ...total }];
    assert.deepEqual(report["spend"], { unlistedUnchanged: 0, totals: [total], apps, increases: ["spring"] });
    assert.deepEqual([report["complete"], report["exitCode"], report["failedOn"]], [true, 3, ["launch"]]);
    assert.deepEqual(
      report.risks.map(({ category }) => category),
      ["permanent-delete", "launch", "assumed-path", "assumed-path"],
    );
  });

  it("reads the encoding that older PowerShell versions write", async () => {
    const utf16 = Buffer.from(`\ufeff${harmless}`, "utf16le");
    for (const plan of [utf16, `\ufeff${harmless}`]) assert.equal((await judged(plan)).code, 0);
  });
});
