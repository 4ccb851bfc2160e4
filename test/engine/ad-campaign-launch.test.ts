import assert from "node:assert/strict";
import { testedForm } from "../../tools/harness/form";
import { locatorOf } from "../../provider/pulumi/locator";
import { type Campaign, type Simulator, startSimulator } from "../../simulator";
import { asStored, declared } from "../support/campaigns";
import { killDuring } from "../../tools/harness/crash";
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
  /** What the interrupted launch asked for, which the service carries out late. */
  const launchLate = (): Campaign => {
    const sent = simulator.requests.find(({ operation }) => operation === "campaign.launch");
    return simulator.objects.putCampaign(app, (sent?.body as { campaign: Partial<Campaign> }).campaign);
  };
  const statuses = (): string[] => simulator.objects.campaigns(app).map(({ status }) => status);
  /** How many launches were sent, with any result. */
  const posts = (): number => simulator.requests.filter(({ operation }) => operation === "campaign.launch").length;
  /** A stack whose launch got a 409 and was not carried out. */
  const unconfirmed = async (): Promise<PulumiProject> => {
    const body = { detail: "The ad platform did not answer in time" };
    simulator.fault({ operation: "campaign.launch", then: { status: 409, body } });
    const stack = await project();
    assertFailed(
      await stack.up(),
      /MONEY MAY BE MOVING: .*the service answered 409\..*The service said: The ad platform did not answer in time/,
    );
    return stack;
  };

  it("saves an unconfirmed launch, sends no launch during the quarantine, and finds the campaign later", async () => {
    const stack = await unconfirmed();
    const [saved] = await stack.stored("AdCampaign");
    assert.equal(saved?.initErrors?.length, 1);
    assert.match(saved.initErrors[0] ?? "", /Nothing is launched again before .*Run `pulumi up` after /s);
    const provider = testedForm === "dynamic" ? locatorOf("AdCampaign") : undefined;
    assert.equal(saved.outputs?.["__provider"], provider);
    assert.equal(saved.outputs?.["launchState"], "unconfirmed");
    assert.match(String(saved.outputs["launchAttemptedAt"]), /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(saved.id, "unconfirmed Spring sale");
    const preview = await stack.preview();
    assertDone(preview, { update: 1 });
    assert.match(
      preview.output.replaceAll('\\"', '"'),
      /MONEY MAY BE MOVING: campaign "Spring sale" .* is not confirmed\..*Nothing is launched again before /s,
    );
    for (const command of [await stack.up(), await stack.destroy()])
      assertFailed(command, /MONEY MAY BE MOVING.*A complete campaign list does not show it/);
    const looked = await stack.refresh();
    assertDone(looked);
    assert.match(looked.output, /MONEY MAY BE MOVING: campaign .* is not confirmed/);
    assert.deepEqual([posts(), (await stack.stored("AdCampaign")).length], [1, 1]);
    const { id } = launchLate();
    const found = await stack.refresh();
    assertDone(found);
    const [confirmed] = await stack.stored("AdCampaign");
    assert.deepEqual([confirmed?.id, confirmed?.initErrors ?? []], [id, []]);
    assert.deepEqual(
      [confirmed?.outputs?.["launchState"], confirmed?.outputs?.["launchAttemptedAt"]],
      ["confirmed", undefined],
    );
    assertDone(await stack.preview("--expect-no-changes"), {});
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([posts(), statuses()], [1, ["REMOVED"]]);
  });

  it("accepts campaignId for an unconfirmed launch, with the campaign's own values, before the engine's ID is corrected", async () => {
    const stack = await unconfirmed();
    const { id } = simulator.objects.putCampaign(app, { ...asStored, daily_budget_micros: 4_990_000 });
    const own = { campaignId: id, dailyBudgetMicros: 4_990_000 };
    assertFailed(await stack.apply(campaign({ ...own, paused: true })), /was not adopted: it differs in paused/);
    assertDone(await stack.apply(campaign(own)), { update: 1 });
    assert.deepEqual([statuses(), posts()], [["ENABLED"], 1]);
    assertDone(await stack.refresh());
    assert.equal((await stack.stored("AdCampaign"))[0]?.id, id);
    assertDone(await stack.preview("--expect-no-changes"), {});
  });

  it("takes over a campaign that a crash left running, and deletes it on destroy", async () => {
    const stack = await project();
    await killDuring({ stack, simulator }, "up", "host", { operation: "campaign.launch", commit: true, then: "hang" });
    assert.deepEqual([await stack.stored("AdCampaign"), statuses()], [[], ["ENABLED"]]);
    simulator.clearRequests();
    const healed = await stack.up();
    assertDone(healed, { create: 1 });
    assert.match(
      healed.output,
      /An earlier command launched it: .* as cmp_1 \(ENABLED\)\. Using it; nothing else is launched/,
    );
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([posts(), statuses()], [0, ["REMOVED"]]);
  });
});
