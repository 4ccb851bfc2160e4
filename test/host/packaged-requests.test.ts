import assert from "node:assert/strict";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { identityKey } from "../../provider/pulumi/hidden-inputs";
import { explicitKey } from "../../provider/pulumi/provider-config";
import { fromStruct, toStruct } from "../../provider/pulumi/packaged/properties";
import { ProviderServer } from "../../provider/pulumi/packaged/server";
import type { Properties } from "../../provider/pulumi/steps";
import { type Simulator, startSimulator } from "../../simulator";
import { declared } from "../support/campaigns";
import { call } from "../support/plugin";

const urn = (type: string): string => `urn:pulumi:dev::tested::${type}::named`;
const ofWebhook = urn("workspace-apps:index:Webhook");
const ofProvider = urn("pulumi:providers:workspace-apps");

describe("The plugin", () => {
  let simulator: Simulator;
  let plugin: ProviderServer;
  let settings: Properties;
  beforeEach(async () => {
    simulator = await startSimulator();
    simulator.objects.putWebhook("agent-1", {
      id: "wh_1",
      target_url: "https://hooks.example.com/",
      events: ["message.created"],
    });
    plugin = new ProviderServer("1.0.0", undefined);
    settings = { baseUrl: simulator.url, accessToken: "full-access-token" };
    const request = new messages.ConfigureRequest();
    request.setArgs(toStruct(settings));
    await call(plugin.handlers.configure, request);
  });
  afterEach(() => simulator.close());

  async function read(id: string, inputs: Properties, state: Properties): Promise<messages.ReadResponse> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setUrn(ofWebhook);
    request.setInputs(toStruct(inputs));
    request.setProperties(toStruct(state));
    return (await call<messages.ReadResponse>(plugin.handlers.read, request)) ?? assert.fail("no response");
  }

  it("reads by id in a get that gives properties too, as other languages can, and by the state in a refresh", async () => {
    const given = { description: "of the program" };
    const found = await read("agent-1/wh_1", given, given);
    const outputs = fromStruct(found.getProperties());
    assert.deepEqual([found.getId(), outputs["agentId"], outputs["description"]], ["wh_1", "agent-1", undefined]);
    await assert.rejects(read("agent-1/wh_9", given, given), {
      message: /webhook wh_9 of agent agent-1 was not found/,
    });
    const refreshed = await read("wh_1", fromStruct(found.getInputs()), outputs);
    assert.equal(refreshed.getId(), "wh_1");
  });

  async function differences(oldInputs: Properties, olds: Properties, news: Properties) {
    const request = new messages.DiffRequest();
    request.setUrn(ofWebhook);
    request.setOldInputs(toStruct(oldInputs));
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    return kindsIn(await call<messages.DiffResponse>(plugin.handlers.diff, request));
  }

  function kindsIn(response: messages.DiffResponse | undefined): Record<string, string> {
    const kinds = Object.entries(messages.PropertyDiff.Kind);
    const named = (kind: number): string => kinds.find(([, value]) => Number(value) === kind)?.[0] ?? "";
    const found: Record<string, string> = {};
    response?.getDetaileddiffMap().forEach((difference: messages.PropertyDiff, path: string) => {
      found[path] = named(difference.getKind());
    });
    return found;
  }

  it("shows a first id as added, although the state has one", async () => {
    const inputs = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
    const news = { ...inputs, enabled: true, webhookId: "wh_2" };
    const olds = { ...inputs, enabled: true, webhookId: "wh_1" };
    assert.deepEqual(await differences({ ...inputs, enabled: true }, olds, news), { webhookId: "ADD_REPLACE" });
    assert.deepEqual(await differences(olds, olds, news), { webhookId: "UPDATE_REPLACE" });
  });

  it("shows how the settings of a Provider change", async () => {
    const request = new messages.DiffRequest();
    request.setUrn(ofProvider);
    request.setOlds(toStruct({ ...settings, documentedOnly: "true" }));
    request.setNews(toStruct({ ...settings, accessToken: "other", apiKey: "added" }));
    assert.deepEqual(kindsIn(await call<messages.DiffResponse>(plugin.handlers.diffConfig, request)), {
      accessToken: "UPDATE",
      apiKey: "ADD",
      documentedOnly: "DELETE",
    });
  });

  const inputs = { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] };
  const state = { ...inputs, webhookId: "wh_1", hasSecret: false };
  /** Each step that changes the webhook, with its request and the operation that it calls. */
  const timed = {
    create: () => {
      const request = new messages.CreateRequest();
      request.setProperties(toStruct({ ...inputs, [identityKey]: "1f0c9a2" }));
      return { request, operation: "webhook.create" } as const;
    },
    update: () => {
      const request = new messages.UpdateRequest();
      request.setId("wh_1");
      request.setOlds(toStruct(state));
      request.setNews(toStruct({ ...inputs, description: "changed" }));
      return { request, operation: "webhook.update" } as const;
    },
    delete: () => {
      const request = new messages.DeleteRequest();
      request.setId("wh_1");
      request.setProperties(toStruct(state));
      return { request, operation: "webhook.delete" } as const;
    },
  };
  for (const [step, of] of Object.entries(timed))
    it(`ends the ${step} of a resource when its timeout is over`, async () => {
      const { request, operation } = of();
      const held = structuredClone(simulator.objects.webhooks("agent-1"));
      request.setUrn(ofWebhook);
      request.setTimeout(0.5);
      simulator.fault({ operation, then: { status: 429, headers: { "retry-after": "60" } } });
      await assert.rejects(call(plugin.handlers[step as keyof typeof timed], request), {
        message: /The step did not finish within the 0\.5 s that customTimeouts allows\./,
      });
      assert.deepEqual(simulator.objects.webhooks("agent-1"), held);
    });

  it("reports a wrong number of a Provider under its property", async () => {
    const request = new messages.CheckRequest();
    request.setUrn(ofProvider);
    request.setNews(toStruct({ ...settings, requestTimeoutSeconds: 0.05 }));
    const response = await call<messages.CheckResponse>(plugin.handlers.checkConfig, request);
    const [failure] = response?.getFailuresList() ?? [];
    assert.equal(failure?.getProperty(), "requestTimeoutSeconds");
    assert.match(failure.getReason(), /^must be at least 0\.1 seconds\./);
  });

  it("names the arguments of a Provider, not the settings of the stack, in messages about its resources", async () => {
    const request = new messages.ConfigureRequest();
    const cap = { maxDailyBudgetMicros: "1000000" };
    request.setArgs(toStruct({ ...settings, ...cap, accessToken: "wrong", [explicitKey]: "true" }));
    await call(plugin.handlers.configure, request);
    const refused = await read("agent-1/wh_1", {}, {}).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    assert.match(refused, /Credential: the Provider's accessToken\n[^]*Set the Provider's accessToken\./);
    assert.doesNotMatch(refused, /workspace-apps:|WORKSPACE_APPS_/);
    const check = new messages.CheckRequest();
    check.setUrn(urn("workspace-apps:index:AdCampaign"));
    check.setNews(toStruct(declared));
    const problems = (await call<messages.CheckResponse>(plugin.handlers.check, check))?.getFailuresList() ?? [];
    assert.match(
      problems.map((failure) => failure.getReason()).join("\n"),
      /above the limit of 1\.00 that the Provider's maxDailyBudgetMicros sets$/m,
    );
  });

  for (const [what, { named, reason }] of Object.entries({
    "leaves out": {
      named: {},
      reason: /^has no LaunchIntent\. Declare one before it, and give its id as launchIntent\./,
    },
    "gives as null": { named: { launchIntent: null }, reason: /^has no LaunchIntent\./ },
    "gives as an empty text": { named: { launchIntent: "" }, reason: /^launchIntent must be the id of a LaunchIntent/ },
    "gives as an object": { named: { launchIntent: { id: "0123abc" } }, reason: /^launchIntent must be a string/ },
  }))
    it(`refuses a campaign whose intent the program named before, and now ${what}`, async () => {
      const check = new messages.CheckRequest();
      check.setUrn(urn("workspace-apps:index:AdCampaign"));
      check.setOlds(toStruct({ ...declared, launchIntent: "0123abc" }));
      check.setNews(toStruct({ ...declared, ...named }));
      const problems = (await call<messages.CheckResponse>(plugin.handlers.check, check))?.getFailuresList() ?? [];
      assert.match(problems.map((failure) => failure.getReason()).join("\n"), reason);
    });

  it("lets a step run that customTimeouts gives longer than Node's longest timer", async () => {
    const request = new messages.ReadRequest();
    request.setUrn(ofWebhook);
    request.setId("agent-1/wh_1");
    request.setTimeout(600 * 60 * 60);
    assert.equal((await call<messages.ReadResponse>(plugin.handlers.read, request))?.getId(), "wh_1");
  });
});
