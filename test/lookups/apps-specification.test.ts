import assert from "node:assert/strict";
import { campaignLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhooks";
import { onService } from "./support";

describe("Look-ups of an app, by the specification", () => {
  const { ask, simulator } = onService();

  it("return each group of a scan under its own name, whatever its items are", async () => {
    const result = {
      analysis_summary: "summary",
      rls_recommendations: [{ entity: "Order" }],
      hardcoded_secrets: ["text"],
      backend_functions: [7],
      dependency_vulnerabilities: [["left-pad"]],
      static_code_findings: [null],
      header_recommendations: [true],
      core_integration_recommendation: "anything at all",
    };
    simulator.objects.setScan("a", { status: "up_to_date", static_code_enabled: true, result });
    const scan = await ask(securityScanLookup, { appId: "a" });
    assert.deepEqual(scan.result, {
      analysisSummary: "summary",
      rlsRecommendations: [{ entity: "Order" }],
      hardcodedSecrets: ["text"],
      backendFunctions: [7],
      dependencyVulnerabilities: [["left-pad"]],
      staticCodeFindings: [null],
      headerRecommendations: [true],
      coreIntegrationRecommendation: "anything at all",
      scannedAt: "2026-01-01T00:00:00.000Z",
    });
    assert.deepEqual([scan.inconclusiveGroups, scan.staticCodeEnabled, scan.notes], [[], true, []]);
  });

  it("return a scan's status with any result, and its result with any status", async () => {
    for (const status of ["none", "up_to_date", "pending", "of a later version"])
      for (const [name, result] of [
        ["null", null],
        ["empty", {}],
      ] as const) {
        const body = { status, result, static_code_enabled: false, ignored_fingerprints: [] };
        simulator.fault({ operation: "scan.get", then: { status: 200, body } });
        const scan = await ask(securityScanLookup, { appId: `${status} ${name}` });
        assert.deepEqual([scan.status, scan.result], [status, result ?? undefined]);
      }
  });

  it("mark the optional fields of a connector as optional", async () => {
    const { fields } = await ask(connectorFieldsLookup, { appId: "a", integrationType: "example-crm" });
    assert.deepEqual(
      fields.map(({ name, required }) => [name, required]),
      [
        ["subdomain", true],
        ["region", false],
      ],
    );
  });

  it("accept a user count of 0 with the status 200", async () => {
    const none = { active_users: 0, live_users: 0, inactive_7d: 0, inactive_30d: 0 };
    simulator.objects.setUserStats("a", none);
    const { notes, zeros, ...counts } = await ask(userStatsLookup, { appId: "a" });
    assert.deepEqual(counts, { activeUsers: 0, liveUsers: 0, inactive7d: 0, inactive30d: 0 });
    assert.deepEqual(zeros, Object.keys(counts));
    assert.equal(notes.length, 1);
  });

  it("explain a run once: a later run of the program gets the stored text", async () => {
    const at = { appId: "a", workflowId: "w", runId: "r" };
    simulator.objects.putWorkflowRun("a", "w", "r");
    const first = await ask(runExplanationLookup, at);
    simulator.objects.setLanguageModel("unavailable");
    // A look-up that waited for a resource shares no response with the first one.
    assert.deepEqual(await ask(runExplanationLookup, at, "urn:later"), first);
    assert.equal(simulator.requests.length, 2);
  });
});

describe("Look-ups of managed objects, by the specification", () => {
  const { ask, simulator } = onService();

  it("return every field of a campaign under its own name, with any statuses, and times with a zone", async () => {
    const row = {
      id: "cmp_1",
      platform_campaign_id: "platform",
      campaign_name: "Name",
      campaign_type: "TYPE",
      status: "STATUS",
      daily_budget_micros: 7,
      landing_page: "https://a.example/",
      geo_targets: ["geo"],
      phone_number: "+41",
      review_status: "any review",
      serving_status: "any serving",
      primary_status: "any primary",
      primary_status_reasons: ["reason"],
      created_date: "2026-01-01T00:00:00",
      updated_date: "2026-01-02T00:00:00",
      learning_ends_at: "2026-01-03T00:00:00",
    };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [row] } });
    assert.deepEqual(await ask(campaignLookup, { appId: "a", campaignId: "cmp_1" }), {
      campaignId: "cmp_1",
      platformCampaignId: "platform",
      campaignName: "Name",
      campaignType: "TYPE",
      status: "STATUS",
      dailyBudgetMicros: 7,
      landingPage: "https://a.example/",
      geoTargets: ["geo"],
      phoneNumber: "+41",
      reviewStatus: "any review",
      servingStatus: "any serving",
      primaryStatus: "any primary",
      primaryStatusReasons: ["reason"],
      createdDate: "2026-01-01T00:00:00Z",
      updatedDate: "2026-01-02T00:00:00Z",
      learningEndsAt: "2026-01-03T00:00:00Z",
    });
  });

  it("return the kind of failure of a delivery without a response, and no delivery values before the first one", async () => {
    const [failing, fresh] = [simulator.objects.putWebhook("agent"), simulator.objects.putWebhook("agent")];
    simulator.deliver("agent", failing.id, { ok: false, errorType: "timeout" });
    const failed = await ask(webhookLookup, { agentId: "agent", webhookId: failing.id });
    assert.deepEqual([failed.lastError?.errorType, failed.consecutiveFailures, failed.enabled], ["timeout", 1, true]);
    assert.ok(!("statusCode" in (failed.lastError ?? {})));
    const { lastTriggerTime, lastError, disabledAt, consecutiveFailures } = await ask(webhookLookup, {
      agentId: "agent",
      webhookId: fresh.id,
    });
    assert.deepEqual(
      [lastTriggerTime, lastError, disabledAt, consecutiveFailures],
      [undefined, undefined, undefined, 0],
    );
  });
});
