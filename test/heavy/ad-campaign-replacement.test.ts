import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject, type Run } from "../../tools/harness/engine";
import { upUnlessHung } from "../../tools/gates/up-unless-hung";
import { testedType } from "../../tools/harness/form";
import { declared } from "../support/campaigns";
import { assertDoneWith, assertFailedWith } from "../support/steps";

/** The arguments of each campaign besides the usual ones, by its name. */
type Program = Record<string, object>;

/** Each campaign is of the app of its name, up to a hyphen. */
const programOf = (campaigns: Program): string => `
  const apps = require("pulumi-workspace-apps");
  const common = ${JSON.stringify(declared)};
  for (const [name, args] of Object.entries(${JSON.stringify(campaigns)}))
    new apps.AdCampaign(name, { ...common, campaignName: name, appId: name.replace(/-.*/, ""), ...args });`;

const [three, four, six] = [3_000_000, 4_000_000, 6_000_000];

const first: Program = {
  fine: { dailyBudgetMicros: four },
  "together-one": { dailyBudgetMicros: three },
  "together-two": { dailyBudgetMicros: three },
  landing: { dailyBudgetMicros: four },
  retained: { dailyBudgetMicros: four, deletionPolicy: "retain" },
};

/** Replaces every campaign but the retained one. */
const changed: Program = {
  ...first,
  fine: { dailyBudgetMicros: six },
  "together-one": { dailyBudgetMicros: four },
  "together-two": { dailyBudgetMicros: four },
  landing: { dailyBudgetMicros: six },
};

const urnOf = (kind: string, name: string): string => `urn:pulumi:dev::tested::${testedType(kind)}::${name}`;
/** The options that leave out everything but a campaign and its intent. */
const only = (name: string): string[] =>
  ["AdCampaign", "LaunchIntent"].flatMap((kind) => ["--target", urnOf(kind, name)]);

const names = Object.keys(first);

describe("A campaign whose replacement would be refused, on one stack with an app for each reason", () => {
  let simulator: Simulator;
  let stack: PulumiProject;
  let run: Run;
  let writes: Record<string, string[]>;
  /** The requests that changed something, by app. */
  const newWrites = (): Record<string, string[]> => {
    const all: Record<string, string[]> = {};
    for (const { operation, method, parameters } of simulator.requests)
      if (method !== "GET") (all[String(parameters["app_id"])] ??= []).push(String(operation));
    simulator.clearRequests();
    return all;
  };
  const held = (app: string): string[] =>
    simulator.objects
      .campaigns(app)
      .map(({ status, daily_budget_micros }) => `${status} ${String(daily_budget_micros)}`);

  before(async () => {
    simulator = await startSimulator();
    stack = await PulumiProject.create({
      program: programOf(first),
      baseUrl: simulator.url,
      environment: {
        WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0",
        WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS: "10000000",
      },
    });
    assertDone(await stack.up(), { create: names.length });
    simulator.objects.putCampaign("together", { campaign_name: "theirs", daily_budget_micros: three });
    simulator.advertising.setLandingPage("landing", "https://other.example.com/");
    newWrites();
    await stack.write(programOf(changed));
    run = await upUnlessHung(stack, simulator, ["--continue-on-error"]);
    writes = newWrites();
  });
  after(() => simulator.close());

  it("goes on, and nothing is sent, where readiness would refuse the new one", async () => {
    assertFailedWith("landing", run, /was not replaced, and goes on\..*expects the landing page https:\/\/other\./s);
    assert.deepEqual([writes["landing"], held("landing")], [undefined, [`ENABLED ${String(four)}`]]);
    const stored = (await stack.stored("AdCampaign")).find(({ outputs }) => outputs?.["appId"] === "landing");
    assert.equal(stored?.outputs?.["dailyBudgetMicros"], four);
  });

  it("goes on where another one of the same command has taken the budget that is left", () => {
    assert.deepEqual(writes["together"], ["campaign.delete", "campaign.launch"]);
    assert.deepEqual(held("together").toSorted(), [
      `ENABLED ${String(three)}`,
      `ENABLED ${String(three)}`,
      `ENABLED ${String(four)}`,
      `REMOVED ${String(three)}`,
    ]);
    assert.match(run.output, /could spend 11\.00 a day/);
  });

  it("does not keep others from being replaced", () => {
    assertDoneWith("fine", run);
    assert.deepEqual(
      [writes["fine"], held("fine")],
      [
        ["campaign.delete", "campaign.launch"],
        [`REMOVED ${String(four)}`, `ENABLED ${String(six)}`],
      ],
    );
  });

  it("goes on with --replace too, for which Pulumi asks for no difference", async () => {
    await stack.write(programOf({ ...first, fine: { dailyBudgetMicros: six } }));
    newWrites();
    const forced = await stack.up("--replace", urnOf("AdCampaign", "landing"), ...only("landing"));
    assertFailedWith("landing", forced, /was not replaced, and goes on\..*expects the landing page/s);
    assert.deepEqual(newWrites(), {});
  });

  it("is refused at preview where the program alone shows it: the budgets of an app together, and a retained one", async () => {
    const together = { "together-one": { dailyBudgetMicros: six }, "together-two": { dailyBudgetMicros: six } };
    await stack.write(programOf({ ...first, ...together }));
    assertFailed(await stack.preview(), /campaigns of app together in this program to 12\.00 a day/);
    await stack.write(programOf({ ...first, retained: { dailyBudgetMicros: six, deletionPolicy: "retain" } }));
    assertFailed(
      await stack.preview(),
      /Its deletionPolicy is "retain", so it would go on spending beside the new one/,
    );
    assert.deepEqual(newWrites(), {});
  });
});
