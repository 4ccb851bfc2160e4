import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { launchIntentLifecycle } from "../../provider/resources/ad-campaign/intent";
import { adCampaignLifecycle } from "../../provider/resources/ad-campaign/lifecycle";
import { createDeployment, type Deployment, forStep } from "../../provider/resources/shared/deployment";
import { entityRecordLifecycle } from "../../provider/resources/entity-record/lifecycle";
import { webhookLifecycle } from "../../provider/resources/webhook/lifecycle";
import { ServiceClient } from "../../provider/service/client";
import { interruptible, systemClock } from "../../provider/service/clock";
import { ReportedError } from "../../provider/service/errors";
import type { OperationId } from "../../provider/service/operations";
import { asStored, declared as campaign, intend, type Intent, type State } from "../support/campaigns";
import { type Bench, driven, startBench } from "../support/deployment";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

const webhook = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
const webhooks = driven(webhookLifecycle);
const records = driven(entityRecordLifecycle);
const campaigns = driven(adCampaignLifecycle);
const intents = driven(launchIntentLifecycle);

describe("A step that is interrupted", () => {
  let bench: Bench;
  let interruption: AbortController;
  let step: Deployment;
  /** Another step of the same command. */
  let other: Deployment;
  // The system's clock: a wait that is not cut would last until the test times out.
  const command = (): Deployment =>
    createDeployment(new ServiceClient(bench.settings, systemClock, bench.log), bench.settings, systemClock, bench.log);
  const interruptibleStep = (deployment: Deployment): Deployment =>
    forStep(deployment, {
      clock: interruptible(systemClock, interruption.signal),
      log: bench.log,
      warn: bench.log,
      announce: bench.announce,
    });
  beforeEach(async () => {
    bench = await startBench({}, { now: () => Date.now() });
    interruption = new AbortController();
    other = command();
    step = interruptibleStep(other);
  });
  afterEach(() => bench.close());

  const interrupt = (): void => {
    interruption.abort(new ReportedError({ code: "WA1605", what: "The command was interrupted." }));
  };
  const seen = (operation: OperationId): number =>
    bench.simulator.requests.filter((request) => request.operation === operation).length;
  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => assert.fail("it did not fail"),
      (error: unknown) => error as Error,
    );

  /** A campaign that is there, as its state. */
  const stored = (): State => {
    bench.simulator.objects.putCampaign("app-1", { id: "cmp_1", ...asStored });
    const readBy = bench.service.endpoints.readBy("campaign.list");
    return { ...campaign, campaignId: "cmp_1", launchState: "confirmed", readBy };
  };

  const launch = (launchIntent: string): Promise<State> => campaigns.create({ ...campaign, launchIntent }, step);
  /** Lets this command see the intent, as if an earlier command had written it. */
  const keep = (earlier: Intent): Promise<Intent> => intend(campaign, { ...bench, ...other } as Bench, earlier);

  it("sends nothing more", async () => {
    interrupt();
    const { message } = await failureOf(webhooks.create(webhook, step));
    assert.match(message, /^The command was interrupted\. \[WA1605\]$/m);
    const get = { parameters: { agent_id: "agent-1", webhook_id: "wh_1" }, hasWaited: true };
    const failure = await failureOf(step.service.call("webhook.get", get));
    assert.match(failure.message, /^webhook\.get failed: The command was interrupted\. \[WA1605\]\n/);
    assert.doesNotMatch(failure.message, /- Check /);
    assert.deepEqual(bench.simulator.requests, []);
  });

  it("ends its wait for a rate limit, and says what was done so far", async () => {
    bench.simulator.fault({ operation: "webhook.create", then: { status: 429, headers: { "retry-after": "60" } } });
    const created = webhooks.create(webhook, step);
    while (seen("webhook.create") === 0) await setImmediate();
    await setImmediate();
    interrupt();
    const { message } = await failureOf(created);
    assert.match(message, /nothing was changed/);
    assert.match(message, /The command was interrupted/);
    assert.equal(seen("webhook.create"), 1);
  });

  it("awaits the response to a create that was sent, and saves what exists", async () => {
    bench.simulator.fault({ operation: "webhook.create", then: "hold" });
    const created = webhooks.create(webhook, step);
    while (seen("webhook.create") === 0) await setImmediate();
    interrupt();
    await bench.simulator.release();
    const failure = await failureOf(created);
    assert.ok(failure instanceof PartialFailure, String(failure));
    const [{ id } = assert.fail("no webhook")] = bench.simulator.objects.webhooks("agent-1");
    assert.equal((failure.state as { webhookId?: string }).webhookId, id);
  });

  it("says that a copy may exist where the outcome of a create stays open", async () => {
    bench.simulator.fault({ operation: "webhook.create", commit: true, then: "reset" });
    bench.simulator.fault({ operation: "webhook.list", times: 9, then: { status: 200, body: [] } });
    const created = webhooks.create(webhook, step);
    while (seen("webhook.list") < 2) await setImmediate();
    interrupt();
    assert.match((await failureOf(created)).message, /a copy of this webhook may exist.*was interrupted/s);
    assert.equal(seen("webhook.create"), 1);
  });

  it("still reads the list once, to see what became of a create", async () => {
    bench.simulator.fault({ operation: "record.create", commit: true, then: "reset" });
    bench.simulator.listen({
      request: ({ operation }) => {
        if (operation === "record.create") interrupt();
      },
      changed: () => undefined,
    });
    const args = { appId: "app-1", entityName: "TaxRate", fields: { country: "DE" } };
    const created = records.create(args, step);
    const failure = await failureOf(created);
    assert.ok(failure instanceof PartialFailure, String(failure));
    const [{ id } = assert.fail("no record")] = bench.simulator.objects.records("app-1", "TaxRate");
    assert.equal((failure.state as { recordId?: string }).recordId, id);
    assert.deepEqual([seen("record.create"), seen("record.list")], [1, 1]);
  });

  it("saves an uncertain launch as unconfirmed, and launches nothing", async () => {
    const { key } = await intend(campaign, { ...bench, ...other } as Bench);
    bench.simulator.fault({ operation: "campaign.launch", commit: true, then: { status: 409, body: {} } });
    bench.simulator.fault({ operation: "campaign.list", times: 9, then: { status: 200, body: [] } });
    const launched = launch(key);
    while (seen("campaign.launch") === 0 || seen("campaign.list") < 2) await setImmediate();
    interrupt();
    const failure = await failureOf(launched);
    assert.ok(failure instanceof PartialFailure, String(failure));
    assert.equal((failure.state as { launchState?: string }).launchState, "unconfirmed");
    assert.match(failure.message, /^MONEY MAY BE MOVING: .*The command was interrupted/s);
    assert.equal(seen("campaign.launch"), 1);
  });

  it("does not say that it watches the list where it is interrupted during the launch", async () => {
    const { key } = await intend(campaign, { ...bench, ...other } as Bench);
    bench.simulator.fault({ operation: "campaign.launch", then: "hold" });
    const launched = launch(key);
    while (seen("campaign.launch") === 0) await setImmediate();
    interrupt();
    // Closes the connection, and forgets the requests so far.
    bench.simulator.reset();
    const { message } = await failureOf(launched);
    assert.match(message, /^MONEY MAY BE MOVING: /);
    assert.doesNotMatch(bench.said.join("\n"), /Watching/);
    assert.equal(seen("campaign.list"), 0);
  });

  it("launches nothing where it was still looking", async () => {
    const { key } = await keep(await intend(campaign, bench));
    bench.simulator.clearRequests();
    bench.simulator.fault({ operation: "campaign.list", then: "hold" });
    const launched = launch(key);
    while (seen("campaign.list") === 0) await setImmediate();
    interrupt();
    const failure = await failureOf(launched);
    assert.ok(!(failure instanceof PartialFailure), String(failure));
    assert.equal(seen("campaign.launch"), 0);
    await bench.simulator.release();
  });

  it("leaves the rate limit to the other steps", async () => {
    // The first step that uses an operation makes its rate limiter.
    bench.simulator.fault({ operation: "webhook.create", then: { status: 429, headers: { "retry-after": "1" } } });
    const created = webhooks.create(webhook, step);
    while (seen("webhook.create") === 0) await setImmediate();
    await setImmediate();
    const createdByOther = webhooks.create(webhook, other, "2f0c9a2");
    interrupt();
    await failureOf(created);
    assert.equal((await createdByOther).agentId, "agent-1");
    assert.equal(bench.simulator.objects.webhooks("agent-1").length, 1);
  });

  it("leaves a list that it began to read to the other steps", async () => {
    const state = stored();
    bench.simulator.fault({ operation: "campaign.list", then: "hold" });
    const [first, second] = [campaigns.read(state, step), campaigns.read(state, other)];
    while (seen("campaign.list") === 0) await setImmediate();
    interrupt();
    assert.match((await failureOf(first)).message, /The command was interrupted/);
    await bench.simulator.release();
    assert.equal((await second)?.campaignId, "cmp_1");
    assert.equal(seen("campaign.list"), 1);
  });

  it("says that a campaign may be spending whose deletion is uncertain", async () => {
    const state = (await campaigns.read(stored(), other)) ?? assert.fail("no campaign");
    bench.simulator.fault({ operation: "campaign.delete", then: "reset" });
    const deleted = campaigns.delete(state, step);
    while (seen("campaign.delete") === 0) await setImmediate();
    interrupt();
    const { message } = await failureOf(deleted);
    assert.match(message, /^MONEY MAY BE MOVING: .*campaign cmp_1 of app app-1/);
    assert.match(message, /The command was interrupted/);
    assert.equal(seen("campaign.delete"), 1);
  });

  it("says that money may be moving where it still looked for the campaign of an intent", async () => {
    const intent = await intend(campaign, bench);
    const deleted = intents.delete(intent, interruptibleStep(command()));
    while (seen("campaign.list") === 0) await setImmediate();
    interrupt();
    assert.match((await failureOf(deleted)).message, /^MONEY MAY BE MOVING: an earlier command may have launched/);
  });
});
