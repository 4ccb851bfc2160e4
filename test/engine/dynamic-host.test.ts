import assert from "node:assert/strict";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import { type Simulator, startSimulator } from "../../simulator";
import { DynamicHost, HostError } from "../../tools/harness/host";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const __provider = locatorOf("Webhook");
const campaign = {
  __provider: locatorOf("AdCampaign"),
  appId: "app-1",
  campaignName: "Spring sale",
  campaignType: "SMART",
  dailyBudgetMicros: 5_000_000,
  landingPage: "https://shop.example.com/",
};
const declared = {
  __provider,
  __identity: "1f0c9a2",
  agentId: "agent-1",
  targetUrl: "https://hooks.example.com/replies",
  events: ["message.completed"],
  enabled: true,
};

describe("The shipped dynamic host", () => {
  let simulator: Simulator;
  let host: DynamicHost;
  const config = (): Record<string, string> => ({
    "workspace-apps:baseUrl": simulator.url,
    "workspace-apps:accessToken": "full-access-token",
  });
  before(async () => {
    simulator = await startSimulator();
    host = await DynamicHost.start(config());
  });
  after(async () => {
    await host.stop();
    await simulator.close();
  });
  afterEach(() => {
    simulator.clearFaults();
    simulator.clearRequests();
  });

  const failed = async (call: Promise<unknown>): Promise<HostError> => {
    const error: unknown = await call.catch((reason: unknown) => reason);
    assert.ok(error instanceof HostError, `should have failed: ${JSON.stringify(error)}`);
    return error;
  };

  it("stores a provider of at most 300 bytes without logic", () => {
    for (const kind of ["Webhook", "FolderMembership", "AdCampaign"]) {
      assert.ok(locatorOf(kind).length <= 300);
      assert.equal(locatorOf(kind), `exports.handler=()=>require("pulumi-workspace-apps/runtime").${kind}`);
    }
  });

  it("handles the whole lifecycle of a webhook", async () => {
    const { enabled: _, ...given } = declared;
    const { inputs, failures } = await host.check({}, { ...given, signed: null });
    assert.deepEqual([inputs["enabled"], "signed" in inputs, failures], [true, false, []]);
    const created = await host.create(inputs);
    assert.equal(created.id, created.properties["webhookId"]);
    assert.equal((await host.diff(created.properties, inputs)).changes, "none");
    const changed = await host.update(created.id, created.properties, { ...inputs, description: "d" });
    assert.deepEqual([changed["description"], changed["webhookId"]], ["d", created.id]);
    const read = await host.read(created.id, changed);
    assert.deepEqual(read.properties, changed);
    const { __identity, ...declarable } = inputs;
    assert.equal(__identity, "1f0c9a2");
    assert.deepEqual(read.inputs, { ...declarable, description: "d" });
    await host.delete(created.id, changed);
    assert.equal((await host.read(created.id, changed)).id, "");
  });

  it("replaces a webhook for another or unknown agent or adopted webhook", async () => {
    const state = (await host.create(declared)).properties;
    assert.deepEqual((await host.diff(state, { ...declared, agentId: "agent-2" })).replaces, ["agentId"]);
    assert.deepEqual((await host.diff(state, { ...declared, agentId: unknown })).replaces, ["agentId"]);
    assert.deepEqual((await host.diff(state, { ...declared, webhookId: "wh_other" })).replaces, ["webhookId"]);
    const same = await host.diff(state, { ...declared, webhookId: state["webhookId"] });
    assert.equal(same.changes, "none");
  });

  it("does not delete an object that another resource of the deployment adopted", async () => {
    const folder = { __provider: locatorOf("FolderMembership"), folderId: "taken-over", appId: "a" };
    const earlier = { ...folder, origin: "created", lease: "000000" };
    const renamed = await host.create(folder);
    await host.delete("taken-over/a", earlier);
    assert.deepEqual(simulator.objects.folderItems("taken-over"), ["a"]);
    await host.delete(renamed.id, renamed.properties);
    assert.deepEqual(simulator.objects.folderItems("taken-over"), []);
  });

  // The last ones, because a host that has seen a failure deletes less.
  describe("failures", () => {
    it("report at a check every problem at once under its property", async () => {
      const { failures } = await host.check(
        {},
        {
          __provider,
          agentId: "",
          targetUrl: "http://user:pw@127.0.0.1/",
          events: ["message.created", "message.deleted"],
          enabled: "yes",
          signed: false,
          rotateSecret: "1",
          deletionPolicy: "archive",
          typo: 1,
        },
      );
      assert.deepEqual(failures.sort(), [
        "agentId must not be empty [WA1101]",
        'deletionPolicy must be one of "delete", "disable", "retain" [WA1101]',
        "enabled must be true or false, not a string [WA1101]",
        'events[1] must be one of "message.created", "message.completed" [WA1101]',
        "rotateSecret cannot rotate a secret while signed is false [WA1101]",
        "targetUrl must be an https URL [WA1101]",
        "typo: unknown argument [WA1102]",
      ]);
    });

    it("save an unfinished creation with its locator, without undefined values", async () => {
      simulator.fault({ operation: "webhook.update", then: { status: 403 } });
      const { saved, message } = await failed(host.create({ ...declared, signed: true }));
      assert.ok(saved);
      assert.equal(saved.properties["__provider"], __provider);
      assert.equal(saved.id, saved.properties["webhookId"]);
      assert.deepEqual(saved.reasons, [message]);
      const healed = await host.update(saved.id, saved.properties, { ...declared, signed: true });
      assert.equal(healed["hasSecret"], true);
    });

    it("save an unconfirmed launch with its locator, without undefined values, and accept its id later", async () => {
      const settled = await DynamicHost.start({ ...config(), "workspace-apps:launchSettleSeconds": "0" });
      try {
        const intent = await settled.create({ __provider: locatorOf("LaunchIntent"), appId: "app-1" });
        const launching = { ...campaign, launchIntent: intent.id, extraFields: { a: [null, { b: 1 }] } };
        simulator.fault({ operation: "campaign.launch", then: { status: 409, body: "<html>\u0007" } });
        const { saved, message } = await failed(settled.create(launching));
        assert.ok(saved);
        assert.deepEqual([saved.id, saved.reasons], ["unconfirmed Spring sale", [message]]);
        const { lease, readBy, launchAttemptedAt, launchedName, ...rest } = saved.properties;
        assert.deepEqual(rest, { ...launching, apps: ["app-1"], launchState: "unconfirmed" });
        assert.match(String(launchedName), new RegExp(`^Spring sale-${intent.id}[0-9a-f]{5}$`));
        assert.match(String(launchAttemptedAt), /^2\S+Z$/);
        assert.ok(typeof readBy === "string");
        const told = { ...campaign, campaignId: "cmp_7", dailyBudgetMicros: 4_990_000 };
        const compare = (news: object) => settled.diff(saved.properties, { ...told, ...news });
        assert.deepEqual((await compare({})).replaces, []);
        assert.deepEqual((await compare({ appId: "app-2" })).replaces.includes("appId"), true);
        simulator.objects.putCampaign("app-1", {
          id: "cmp_7",
          campaign_name: "Spring sale",
          daily_budget_micros: 4_990_000,
          landing_page: "https://shop.example.com/",
        });
        const confirmed = await settled.update(saved.id, saved.properties, told);
        assert.deepEqual(
          [confirmed["campaignId"], confirmed["launchState"], confirmed["launchAttemptedAt"], confirmed["lease"]],
          ["cmp_7", "confirmed", undefined, lease],
        );
      } finally {
        await settled.stop();
      }
    });

    it("save nothing when nothing was created", async () => {
      simulator.fault({ operation: "webhook.create", then: { status: 402, body: { detail: "Upgrade" } } });
      // The create of an unfinished webhook would continue with that.
      const { saved, message } = await failed(host.create({ ...declared, __identity: "2f0c9a2" }));
      assert.equal(saved, undefined);
      assert.match(message, /the service answered 402\. \[WA1502\]\n {2}The service said: Upgrade\n/);
    });

    it("print no stack trace for a failed read or delete, and leave the message to the engine", async () => {
      const own = await DynamicHost.start(config());
      const { properties } = await own.create(declared);
      simulator.fault({ operation: "webhook.get", then: { status: 403 } });
      assert.match(
        (await failed(own.read("id", properties))).message,
        /webhook\.get failed: the service answered 403\. \[WA1503\]\n.*Request: GET /s,
      );
      simulator.fault({ operation: "webhook.delete", then: { status: 403 } });
      assert.match(
        (await failed(own.delete("id", properties))).message,
        /webhook\.delete failed: the service answered 403\. \[WA1503\]\n.*Request: DELETE /s,
      );
      await own.stop();
      const printed = own.output.match(/workspace-apps: see the error at the resource/g);
      assert.equal(printed?.length, 2, own.output);
      assert.doesNotMatch(own.output, /\n\s+at |webhook\.\w+ failed/);
    });

    it("report missing settings at preview, with both names of each", async () => {
      const bare = await DynamicHost.start({}, { WORKSPACE_APPS_BASE_URL: "", WORKSPACE_APPS_ACCESS_TOKEN: "" });
      try {
        const { failures } = await bare.check({}, declared);
        assert.equal(failures.length, 2);
        assert.match(failures[0] ?? "", /^workspace-apps:baseUrl is not set.*WORKSPACE_APPS_BASE_URL/);
        assert.match(failures[1] ?? "", /^workspace-apps:accessToken is not set.*WORKSPACE_APPS_ACCESS_TOKEN/);
        assert.match((await failed(bare.create(declared))).message, /workspace-apps:baseUrl is not set/);
      } finally {
        await bare.stop();
      }
    });
  });
});
