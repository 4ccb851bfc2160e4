import assert from "node:assert/strict";
import { resourceDigitsKey } from "../../provider/pulumi/hidden-inputs";
import { explicitKey } from "../../provider/pulumi/provider-arguments";
import type { Properties } from "../../provider/pulumi/saved";
import { type Simulator, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { Plugin } from "../support/plugin";

const urnOf = (type: string): string => `urn:pulumi:dev::tested::${type}::named`;
const ofWebhook = urnOf("workspace-apps:index:Webhook");
const ofCampaign = urnOf("workspace-apps:index:AdCampaign");
const ofProvider = urnOf("pulumi:providers:workspace-apps");

describe("The plugin", () => {
  const inputs = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
  const state = { ...inputs, webhookId: "wh_1", hasSecret: false };
  let simulator: Simulator;
  let plugin: Plugin;
  let settings: Properties;
  beforeEach(async () => {
    simulator = await startSimulator();
    simulator.objects.putWebhook("agent-1", { id: "wh_1", target_url: inputs.targetUrl, events: inputs.events });
    plugin = new Plugin();
    settings = { baseUrl: simulator.url, accessToken: "full-access-token" };
    await plugin.configure(settings);
  });
  afterEach(() => simulator.close());

  it("reads by id in a get that gives properties too, as other languages can, and by the state in a refresh", async () => {
    const given = { description: "of the program" };
    const read = (id: string, inputs: Properties, properties: Properties) =>
      plugin.read({ urn: ofWebhook, id, inputs, properties });
    const { id, inputs, outputs } = await read("agent-1/wh_1", given, given);
    assert.deepEqual([id, outputs["agentId"], outputs["description"]], ["wh_1", "agent-1", undefined]);
    await assert.rejects(read("agent-1/wh_9", given, given), {
      message: /webhook wh_9 of agent agent-1 was not found/,
    });
    assert.equal((await read("wh_1", inputs, outputs)).id, "wh_1");
  });

  it("shows a first id as added, although the state has one", async () => {
    const oldInputs = { ...inputs, enabled: true };
    const olds = { ...oldInputs, webhookId: "wh_1" };
    const news = { ...oldInputs, webhookId: "wh_2" };
    assert.deepEqual(await plugin.diff({ urn: ofWebhook, oldInputs, olds, news }), { webhookId: "ADD_REPLACE" });
    const declaredBefore = { urn: ofWebhook, oldInputs: olds, olds, news };
    assert.deepEqual(await plugin.diff(declaredBefore), { webhookId: "UPDATE_REPLACE" });
  });

  it("shows how the settings of a Provider change", async () => {
    const olds = { ...settings, documentedOnly: "true" };
    const news = { ...settings, accessToken: "other", apiKey: "added" };
    assert.deepEqual(await plugin.diff({ urn: ofProvider, olds, news }, "diffConfig"), {
      accessToken: "UPDATE",
      apiKey: "ADD",
      documentedOnly: "DELETE",
    });
  });

  /** The fields of each step that changes the webhook, and the operation that it calls. */
  const timed = {
    create: ["webhook.create", { properties: { ...inputs, [resourceDigitsKey]: "1f0c9a2" } }],
    update: ["webhook.update", { id: "wh_1", olds: state, news: { ...inputs, description: "changed" } }],
    delete: ["webhook.delete", { id: "wh_1", properties: state }],
  } as const;
  for (const [step, [operation, fields]] of Object.entries(timed))
    it(`ends the ${step} of a resource when its timeout is over`, async () => {
      const held = structuredClone(simulator.objects.webhooks("agent-1"));
      simulator.fault({ operation, then: { status: 429, headers: { "retry-after": "60" } } });
      await assert.rejects(plugin[step as keyof typeof timed]({ urn: ofWebhook, timeout: 0.5, ...fields }), {
        message: /The step did not finish within the 0\.5 s that customTimeouts allows\./,
      });
      assert.deepEqual(simulator.objects.webhooks("agent-1"), held);
    });

  it("lets a step run that customTimeouts gives longer than Node's longest timer", async () => {
    const { id } = await plugin.read({ urn: ofWebhook, id: "agent-1/wh_1", timeout: 600 * 60 * 60 });
    assert.equal(id, "wh_1");
  });

  it("reports a wrong number of a Provider", async () => {
    const news = { ...settings, requestTimeoutSeconds: 0.05 };
    const { problems } = await plugin.check({ urn: ofProvider, news }, "checkConfig");
    assert.match(problems.join("\n"), /^The Provider's requestTimeoutSeconds must be at least 0\.1 seconds\./);
  });

  it("names the arguments of a Provider, not the settings of the stack, in messages about its resources", async () => {
    const cap = { maxDailyBudgetMicros: "1000000" };
    await plugin.configure({ ...settings, ...cap, accessToken: "wrong", [explicitKey]: "true" });
    await assert.rejects(plugin.read({ urn: ofWebhook, id: "agent-1/wh_1" }), ({ message }: Error) => {
      assert.match(message, /Credential: the Provider's accessToken\n[^]*Set the Provider's accessToken\./);
      return !/workspace-apps:|WORKSPACE_APPS_/.test(message);
    });
    const { problems } = await plugin.check({ urn: ofCampaign, news: { ...declared } });
    assert.match(
      problems.join("\n"),
      /above the limit of 1\.00 that the Provider's maxDailyBudgetMicros sets \[WA1224\]$/m,
    );
  });

  for (const [what, named, reason] of [
    ["leaves out", {}, /^has no LaunchIntent\. Declare one before it, and give its id as launchIntent\./],
    ["gives as null", { launchIntent: null }, /^has no LaunchIntent\./],
    ["gives as an empty text", { launchIntent: "" }, /^launchIntent must be the id of a LaunchIntent/],
    ["gives as an object", { launchIntent: { id: "0123abc" } }, /^launchIntent must be a string/],
  ] as const)
    it(`refuses a campaign whose intent the program named before, and now ${what}`, async () => {
      const olds = { ...declared, launchIntent: "0123abc" };
      const { problems } = await plugin.check({ urn: ofCampaign, olds, news: { ...declared, ...named } });
      assert.match(problems.join("\n"), reason);
    });
});
