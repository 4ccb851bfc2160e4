import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { choosePreset, requestRows, showAdoptedLaunch } from "../../tools/browser/simulator-page";
import { assertDone, assertFailed, programOf, PulumiProject } from "../../tools/harness/engine";
import { declared } from "../support/campaigns";
import { inBrowser } from "../support/browser";

const campaign = programOf("AdCampaign", declared);
const webhook = programOf("Webhook", {
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/",
  events: ["message.created"],
});

describe("A preset of the simulator's page, followed by pulumi up", () => {
  const { simulator, open } = inBrowser();
  const project = (program: string, environment: Record<string, string> = {}): Promise<PulumiProject> =>
    PulumiProject.create({ program, baseUrl: simulator.url, environment });
  const sent = (operation: string): (number | string)[] =>
    simulator.requests.filter((request) => request.operation === operation).map(({ status }) => status);
  const shownStatuses = (page: Page, operation: string): Promise<string[]> =>
    requestRows(page).filter({ hasText: operation }).locator(".response").allTextContents();

  it("launch, then answer 409: the campaign is adopted, with exactly one launch", async () => {
    const page = await open();
    await showAdoptedLaunch(page, await project(campaign));
    assert.deepEqual(sent("campaign.launch"), [409]);
    assert.equal(simulator.objects.launches().length, 1);
    assert.equal(await page.locator("#figure-launches").textContent(), "1");
    assert.equal(await page.locator("#figure-live").textContent(), "1");
  });

  it("answer 409 without launching: nothing is launched a second time, and up says that money may be moving", async () => {
    const page = await open();
    const stack = await project(campaign, { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" });
    await choosePreset(page, { preset: "Answer 409 without launching", operation: "campaign.launch" });
    assertFailed(await stack.up(), /MONEY MAY BE MOVING/);
    assertFailed(await stack.up(), /quarantine/);
    assert.deepEqual([sent("campaign.launch"), simulator.objects.launches()], [[409], []]);
    assert.deepEqual(await shownStatuses(page, "campaign.launch"), ["409 Conflict"]);
  });

  it("carry it out, lose the answer: the webhook that exists is used", async () => {
    const page = await open();
    const stack = await project(webhook);
    await choosePreset(page, { preset: "Carry it out, lose the answer", operation: "webhook.create" });
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(sent("webhook.create"), ["reset"]);
    assert.deepEqual([simulator.objects.webhooks().map(({ id }) => id)], [(await stack.stored()).map(({ id }) => id)]);
    assert.deepEqual(await shownStatuses(page, "webhook.create"), ["Connection reset"]);
  });

  it("close the connection: the change is sent again", async () => {
    const page = await open();
    const stack = await project(webhook);
    assertDone(await stack.up(), { create: 1 });
    const [created] = simulator.objects.webhooks();
    const object = { Agent: "agent-1", Webhook: created?.id ?? "" };
    await choosePreset(page, { preset: "Close the connection", operation: "webhook.update", parameters: object });
    assertDone(await stack.apply(webhook.replace("message.created", "message.completed")), { update: 1 });
    assert.deepEqual(sent("webhook.update"), ["reset", 200]);
    assert.deepEqual(simulator.objects.webhooks()[0]?.events, ["message.completed"]);
  });

  it("the list lags: a launch without an answer is adopted once the list shows it", async () => {
    const page = await open();
    const stack = await project(campaign);
    await choosePreset(page, { preset: "The list lags", operation: "campaign.list" });
    await choosePreset(page, { preset: "Launch, then answer 409", operation: "campaign.launch" });
    const up = stack.up();
    // A list that was read after the launch, and did not show the campaign yet.
    await requestRows(page).first().filter({ hasText: "campaign.list" }).waitFor();
    await requestRows(page).filter({ hasText: "409 Conflict" }).waitFor();
    await page.getByRole("button", { name: "Advance by a minute" }).click();
    assertDone(await up, { create: 1 });
    assert.deepEqual(sent("campaign.launch"), [409]);
    assert.equal((await stack.stored("AdCampaign"))[0]?.outputs?.["campaignId"], "cmp_1");
  });

  it("rate limit: up waits, and sends the request again", async () => {
    const page = await open();
    await choosePreset(page, { preset: "Rate limit", operation: "webhook.create" });
    assertDone(await (await project(webhook)).up(), { create: 1 });
    assert.deepEqual(sent("webhook.create"), [429, 200]);
    assert.deepEqual(await shownStatuses(page, "webhook.create"), ["200 OK", "429 Too Many Requests"]);
  });

  it("delete it behind Pulumi's back: up --refresh creates it again", async () => {
    const page = await open();
    const stack = await project(webhook);
    assertDone(await stack.up(), { create: 1 });
    const [before] = simulator.objects.webhooks();
    await choosePreset(page, { preset: "Delete it behind Pulumi's back", object: before?.id ?? "" });
    await page.getByRole("table", { name: "Webhooks" }).getByText("removed").waitFor();
    assert.deepEqual(simulator.objects.webhooks(), []);
    const run = await stack.up("--refresh");
    assert.equal(run.code, 0, run.output);
    const [after] = simulator.objects.webhooks();
    assert.notEqual(after?.id, before?.id);
    assert.equal((await stack.stored("Webhook"))[0]?.id, after?.id);
  });

  it("20 failed deliveries: a refresh shows that the webhook was turned off, and up turns it on", async () => {
    const page = await open();
    const stack = await project(webhook);
    assertDone(await stack.up(), { create: 1 });
    const [hook] = simulator.objects.webhooks();
    await choosePreset(page, { preset: "20 failed deliveries", object: hook?.id ?? "" });
    await page.getByRole("table", { name: "Webhooks" }).getByText("20 of 20").waitFor();
    assertDone(await stack.refresh(), { update: 1 });
    assert.equal((await stack.stored("Webhook"))[0]?.outputs?.["enabled"], false);
    assertDone(await stack.up(), { update: 1 });
    assert.deepEqual(
      simulator.requests.filter(({ operation }) => operation === "webhook.update").map(({ body }) => body),
      [{ enabled: true }],
    );
  });
});
