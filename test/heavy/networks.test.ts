import assert from "node:assert/strict";
import { assertDone, assertFailed, PulumiProject } from "../../tools/harness/engine";
import { companyNetwork } from "../support/company-network";

describe("Pulumi behind a company's proxy and its private authority", () => {
  const { simulator, proxyUrl, connects, authority } = companyNetwork();

  const project = (environment: Record<string, string>): Promise<PulumiProject> =>
    PulumiProject.create({
      program: `
        const apps = require("pulumi-workspace-apps");
        const w = new apps.Webhook("w", { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] });
        exports.found = apps.getWebhookOutput({ agentId: "agent-1", webhookId: w.webhookId }).targetUrl;
      `,
      baseUrl: "https://service.test",
      environment: { ...environment, NODE_EXTRA_CA_CERTS: authority() },
    });

  it("deploys, looks up and destroys through the proxy", async () => {
    const stack = await project({ HTTPS_PROXY: proxyUrl() });
    assertDone(await stack.up());
    assert.equal(simulator.objects.webhooks("agent-1").length, 1);
    assertDone(await stack.destroy());
    assert.deepEqual(simulator.objects.webhooks("agent-1"), []);
    assert.deepEqual([...new Set(connects())], ["CONNECT service.test:443"]);
  });

  it("needs no_proxy for its own processes where https_proxy is in lower case", async () => {
    assertFailed(await (await project({ https_proxy: proxyUrl() })).up(), /UNAVAILABLE: No connection established/);
    assertDone(await (await project({ https_proxy: proxyUrl(), no_proxy: "127.0.0.1" })).up());
    assert.ok(connects().includes("CONNECT service.test:443"));
  });
});
