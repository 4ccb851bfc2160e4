import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject } from "../../tools/harness/engine";
import { declared as campaign } from "../support/campaigns";
import { newRequests } from "../support/requests";
import { declared as webhook } from "../support/webhooks";

describe("A Provider", () => {
  let [here, there]: Simulator[] = [];
  before(async () => {
    const otherToken = { value: "other-token", kind: "personal-token" } as const;
    [here, there] = [await startSimulator(), await startSimulator({ credentials: [otherToken] })];
  });
  after(() => Promise.all([here?.close(), there?.close()]));

  it("manages and reads another workspace, gets nothing of the stack's configuration, and lets look-ups wait for its token", async () => {
    assert.ok(here !== undefined && there !== undefined);
    const [stackUrl, baseUrl] = [here.url, there.url];
    /** `eu` is known at preview, `late` only after its webhook is created. */
    const program = (eu: string, body = ""): string => `
      const pulumi = require("@pulumi/pulumi");
      const apps = require("pulumi-workspace-apps");
      const webhook = ${JSON.stringify(webhook)};
      const eu = new apps.Provider("eu", { baseUrl: "${baseUrl}", ${eu} });
      const hook = new apps.Webhook("here", webhook);
      new apps.AdCampaign("there", ${JSON.stringify(campaign)}, { provider: eu });
      const other = new apps.Webhook("there", webhook, { provider: eu });
      const read = apps.getWebhookOutput({ agentId: "agent-1", webhookId: other.webhookId }, { provider: eu }).targetUrl;
      const accessToken = hook.webhookId.apply(() => "full-access-token");
      const late = new apps.Provider("late", { baseUrl: "${stackUrl}", accessToken });
      const parent = new pulumi.ComponentResource("tested:Group", "group", {}, { providers: [late] });
      const total = apps.getMembersOutput({}, { parent }).apply(({ total }) => "total " + total);
      module.exports = async () => { ${body} return { read, total }; };`;
    const known = 'accessToken: "other-token"';
    const stack = await PulumiProject.create({
      program: program(known, "await apps.getMembers({}, { parent });"),
      baseUrl: stackUrl,
      // Each would refuse the launch there.
      config: {
        "workspace-apps:apiKey": "personal-api-key",
        "workspace-apps:endpoints": '{"campaign.launch":"none"}',
        "workspace-apps:maxDailyBudgetMicros": "1",
      },
      environment: { WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS: "1" },
    });
    assertFailed(
      await stack.preview(),
      /getMembers: an argument of its Provider is not known yet\. Use the look-up's Output function\./,
    );
    await stack.write(program(known));
    assertDone(await stack.preview(), { create: 3 });
    assert.deepEqual([newRequests(here), newRequests(there)], [[], []]);

    assertDone(await stack.up(), { create: 3 });
    assert.equal(there.objects.campaigns("app-1").length, 1);
    assert.deepEqual([here.objects.webhooks().length, there.objects.webhooks().length], [1, 1]);
    const { stdout } = await stack.pulumi("stack", "output", "--json", "--show-secrets");
    const { read, total } = JSON.parse(stdout) as Record<string, string>;
    assert.equal(read, webhook.targetUrl);
    assert.match(String(total), /^total \d$/);
    assert.ok(!(await stack.rawState()).includes("other-token"), "a token is in the state");

    newRequests(there);
    for (const [wrong, problem] of [
      [
        `${known}, maxDailyBudgetMicro: 1`,
        /Provider "eu": unknown argument "maxDailyBudgetMicro"\. Did you mean "maxDailyBudgetMicros"\?/,
      ],
      ['accessToken: "wrong-token"', /getWebhook: [^]*Set the Provider's accessToken\./],
    ] as const) {
      await stack.write(program(wrong));
      assertFailed(await stack.preview(), problem);
    }
    assert.deepEqual(
      newRequests(there).filter((request) => !request.startsWith("webhook.get")),
      [],
    );
    assertDone(await stack.destroy());
    assert.deepEqual([here.objects.webhooks(), there.objects.webhooks()], [[], []]);
  });
});
