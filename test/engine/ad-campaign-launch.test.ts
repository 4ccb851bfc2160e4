import assert from "node:assert/strict";
import { storedProvider } from "../../provider/pulumi/stored-provider";
import { type Campaign, type Simulator, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { assertDone, assertFailed, programOf, PulumiProject } from "../../tools/harness/engine";

const app = declared.appId;
const campaign = (more: object = {}): string => programOf("AdCampaign", { ...declared, ...more });
const quarantine = "WORKSPACE_APPS_LAUNCH_QUARANTINE_SECONDS";

describe("Launching an AdCampaign on the real engine", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const project = (program = campaign()): Promise<PulumiProject> =>
    PulumiProject.create({
      program,
      baseUrl: simulator.url,
      environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "1", [quarantine]: "900" },
    });
  const existing = (fields: Partial<Campaign> = {}): Campaign =>
    simulator.objects.putCampaign(app, {
      campaign_name: "Spring sale",
      daily_budget_micros: 5_000_000,
      landing_page: "https://shop.example.com/",
      ...fields,
    });
  const statuses = (): string[] => simulator.objects.campaigns(app).map(({ status }) => status);
  /** How often a launch was posted, whatever came of it. */
  const posts = (): number => simulator.requests.filter(({ operation }) => operation === "campaign.launch").length;
  /** A stack whose launch was answered 409 and not carried out. */
  const unconfirmed = async (): Promise<PulumiProject> => {
    const body = { detail: "The ad platform did not answer in time" };
    simulator.fault({ operation: "campaign.launch", then: { status: 409, body } });
    const stack = await project();
    assertFailed(await stack.up(), /MONEY MAY BE MOVING: .*409: The ad platform did not answer in time/);
    return stack;
  };

  it("saves an unconfirmed launch, posts nothing in quarantine, and finds the campaign later", async () => {
    const stack = await unconfirmed();
    const [saved] = await stack.stored();
    assert.equal(saved?.initErrors?.length, 1);
    assert.match(saved.initErrors[0] ?? "", /Nothing is launched again before .*Run `pulumi up` again/);
    assert.equal(saved.outputs?.["__provider"], storedProvider("AdCampaign"));
    assert.equal(saved.outputs["launchState"], "unconfirmed");
    assert.match(String(saved.outputs["launchAttemptedAt"]), /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(saved.id, "unconfirmed Spring sale");
    for (const command of [await stack.up(), await stack.refresh(), await stack.destroy()])
      assertFailed(command, /MONEY MAY BE MOVING.*A complete list of campaigns does not show it/);
    assert.deepEqual([posts(), (await stack.stored()).length], [1, 1]);
    const { id } = existing();
    const found = await stack.refresh();
    assertDone(found);
    assert.match(found.output.replaceAll('\\"', '"'), /The launch of campaign "Spring sale" of app app-1 is confirmed/);
    const [confirmed] = await stack.stored();
    assert.deepEqual([confirmed?.id, confirmed?.initErrors ?? []], [id, []]);
    assert.deepEqual(
      [confirmed?.outputs?.["launchState"], confirmed?.outputs?.["launchAttemptedAt"]],
      ["confirmed", undefined],
    );
    assertDone(await stack.preview("--expect-no-changes"), {});
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([posts(), statuses()], [1, ["REMOVED"]]);
  });

  it("is told by campaignId which one it was, with its own values, before the engine's ID is corrected", async () => {
    const stack = await unconfirmed();
    const { id } = existing({ daily_budget_micros: 4_990_000 });
    assertFailed(
      await stack.up(),
      /A live campaign has this name: cmp_1 \(ENABLED, which differs in dailyBudgetMicros/,
    );
    const own = { campaignId: id, dailyBudgetMicros: 4_990_000, paused: true };
    assertDone(await stack.apply(campaign(own)), { update: 1 });
    assert.deepEqual([statuses(), posts()], [["PAUSED"], 1]);
    assertDone(await stack.refresh());
    assert.equal((await stack.stored())[0]?.id, id);
    assertDone(await stack.preview("--expect-no-changes"), {});
  });

  it("launches once more after the quarantine, and destroys what it then finds", async () => {
    const stack = await unconfirmed();
    stack.environment[quarantine] = "0";
    simulator.fault({ operation: "campaign.launch", then: "reset" });
    assertFailed(await stack.up(), /MONEY MAY BE MOVING/);
    assert.equal(posts(), 2);
    existing();
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([posts(), statuses()], [2, ["REMOVED"]]);
  });

  it("forgets on destroy, after the quarantine, what a complete list does not show", async () => {
    const stack = await unconfirmed();
    stack.environment[quarantine] = "0";
    simulator.fault({ operation: "campaign.list", times: 5, then: { status: 500 } });
    assertFailed(await stack.destroy(), /MONEY MAY BE MOVING.*The list of campaigns could not be read/);
    const forgotten = await stack.destroy();
    assertDone(forgotten, { delete: 1 });
    assert.match(forgotten.output, /was never confirmed, and a complete list does not show it: it leaves the stack/);
    assert.deepEqual([posts(), await stack.stored()], [1, []]);
  });

  it("finds at once what a lost answer launched", async () => {
    simulator.fault({ operation: "campaign.launch", commit: true, then: "reset" });
    const stack = await project();
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual([posts(), statuses()], [1, ["ENABLED"]]);
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
  });

  it("takes over what a crash left running, and destroys it as its own", async () => {
    existing();
    const stack = await project();
    const healed = await stack.up();
    assertDone(healed, { create: 1 });
    assert.match(healed.output, /runs already as cmp_1 \(ENABLED\): it is taken as the declared one/);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([posts(), statuses()], [0, ["REMOVED"]]);
  });

  it("is refused beside a campaign of the same name and other values, and where the list cannot be read", async () => {
    existing({ daily_budget_micros: 1 });
    const stack = await project();
    const refused = await stack.up();
    assertFailed(
      refused,
      /was not launched by this command\. A live campaign has this name: cmp_1 \(ENABLED, which differs/,
    );
    simulator.fault({ operation: "campaign.list", then: { status: 404 } });
    assertFailed(await stack.up(), /not launched by this command.*Set it in workspace-apps:endpoints.*campaign\.list/);
    assert.deepEqual([posts(), await stack.stored()], [0, []]);
  });

  it("is refused before anything is sent where launch readiness speaks against it, and works without it", async () => {
    simulator.advertising.setPaymentProvider("unreachable");
    const stack = await project();
    assertFailed(await stack.up(), /cannot reach its payment provider .*payment_provider_unavailable/);
    simulator.advertising.setPaymentProvider("reachable");
    simulator.advertising.setLandingPage(app, "https://other.example.com/");
    assertFailed(await stack.up(), /The service expects the landing page https:\/\/other\.example\.com\//);
    assert.equal(posts(), 0);
    simulator.fault({ operation: "campaign.readiness", then: { status: 404 } });
    assertDone(await stack.up(), { create: 1 });
    assert.equal(posts(), 1);
  });
});
