import assert from "node:assert/strict";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhooks";
import { seen } from "../support/deployment";
import { onService } from "./support";

describe("getUserStats", () => {
  const { ask, simulator } = onService();

  it("returns the counts, and names those that may come from failed reads", async () => {
    assert.deepEqual(await ask(userStatsLookup, { appId: "a" }), {
      activeUsers: 12,
      liveUsers: 3,
      inactive7d: 5,
      inactive30d: 2,
      zeros: [],
      notes: [],
    });
    simulator.objects.setUserStats("b", { live_users: 0, inactive_30d: 0 });
    const { zeros, notes } = await ask(userStatsLookup, { appId: "b" });
    assert.deepEqual(zeros, ["liveUsers", "inactive30d"]);
    assert.match(notes.join(), /when it could not read a count: liveUsers, inactive30d/);
  });
});

describe("explainRun", () => {
  const { ask, failure, simulator, lines } = onService();
  const at = { appId: "a", workflowId: "w", runId: "r" };

  it("returns the explanation with the time at which it was written", async () => {
    simulator.objects.putWorkflowRun("a", "w", "r");
    assert.deepEqual(await ask(runExplanationLookup, at), {
      outcome: "explained",
      explanation: "Run r of workflow w failed at its last step.",
      generatedAt: "2026-01-01T00:00:00.000Z",
    });
    assert.equal(simulator.requests[0]?.body, undefined);
  });

  it("has a separate outcome for an unavailable model", async () => {
    simulator.objects.putWorkflowRun("a", "w", "r");
    simulator.objects.setLanguageModel("unavailable");
    assert.deepEqual(await ask(runExplanationLookup, at), { outcome: "model_unavailable" });
  });

  it("fails clearly for a run that did not fail", async () => {
    simulator.objects.putWorkflowRun("a", "w", "r", { status: "succeeded" });
    assert.match(
      await failure(runExplanationLookup, at),
      /^explainRun: run\.analyze failed: .*400\.\n.*Only failed runs.*\n {2}Request: POST .*\n {2}- .*status is not "failed"\. Only a failed run can be explained\./s,
    );
  });

  it("stays within 5 requests a minute, and says what it waits for", async () => {
    for (let run = 0; run < 6; run++) simulator.objects.putWorkflowRun("a", "w", String(run));
    for (let run = 0; run < 6; run++) await ask(runExplanationLookup, { ...at, runId: String(run) });
    assert.ok(simulator.requests.every(({ status }) => status === 200));
    assert.deepEqual(lines.said, ["explainRun: run.analyze: waiting 61 s for its rate limit."]);
  });
});

describe("getConnectorFields", () => {
  const { ask, simulator } = onService();
  const at = { appId: "a", integrationType: "example-crm" };

  it("returns the fields in camelCase, and the connection's values as a secret", async () => {
    simulator.objects.setConnection("a", "example-crm", { subdomain: "canary" });
    const { fields, connectionConfig } = await ask(connectorFieldsLookup, at);
    assert.deepEqual(fields[0], {
      name: "subdomain",
      displayName: "Subdomain",
      description: "The first part of your address",
      placeholder: "my-company",
      required: true,
      validationError: "Letters, digits and hyphens",
      validationPattern: "^[a-z0-9-]+$",
    });
    assert.deepEqual(connectionConfig, { subdomain: "canary" });
    assert.deepEqual(connectorFieldsLookup.secretResults, ["connectionConfig"]);
  });

  it("returns a pattern that is slow or invalid as text, and never runs it", async () => {
    const patterns = ["^(a+)+$", "(", "(?<x>"];
    simulator.objects.setConnector(
      "evil",
      patterns.map((validation_pattern) => ({ validation_pattern, placeholder: `${"a".repeat(64)}!` })),
    );
    const { fields } = await ask(connectorFieldsLookup, { appId: "a", integrationType: "evil" });
    assert.deepEqual(
      fields.map(({ validationPattern }) => validationPattern),
      patterns,
    );
  });

  it("returns no fields and no values when there are none", async () => {
    const { fields, connectionConfig } = await ask(connectorFieldsLookup, { appId: "a", integrationType: "none" });
    assert.deepEqual(fields, []);
    assert.deepEqual(connectionConfig, {});
  });
});

describe("getSecurityScan", () => {
  const { ask, failure, simulator, clock, lines } = onService();
  const finding = { fingerprint: "f" };

  it("returns the findings as sent, and says what empty groups do not prove", async () => {
    simulator.objects.setScan("a", {
      status: "up_to_date",
      result: { hardcoded_secrets: [finding], analysis_summary: "One secret." },
      ignored_fingerprints: ["f"],
    });
    const scan = await ask(securityScanLookup, { appId: "a" });
    const { status, findingsAreStale, staticCodeEnabled, ignoredFingerprints, result } = scan;
    assert.deepEqual(
      [status, findingsAreStale, staticCodeEnabled, ignoredFingerprints],
      ["up_to_date", false, false, ["f"]],
    );
    assert.deepEqual([result?.hardcodedSecrets, result?.analysisSummary], [[finding], "One secret."]);
    assert.equal(result?.scannedAt, "2026-01-01T00:00:00.000Z");
    const reasons = Object.fromEntries(scan.inconclusiveGroups.map(({ group, reason }) => [group, reason]));
    assert.deepEqual(Object.keys(reasons), [
      "rlsRecommendations",
      "backendFunctions",
      "dependencyVulnerabilities",
      "staticCodeFindings",
      "headerRecommendations",
    ]);
    assert.match(reasons["staticCodeFindings"] ?? "", /is off for this app/);
    assert.match(reasons["dependencyVulnerabilities"] ?? "", /not rolled out to the caller/);
    assert.match(scan.notes.join(), /rlsRecommendations is empty, which proves nothing/);
  });

  it("says when findings belong to an earlier state of the app, and when there is no result", async () => {
    assert.match(
      (await ask(securityScanLookup, { appId: "never" })).notes.join(),
      /There is no scan result \(status none\)/,
    );
    for (const status of ["out_of_date", "pending", "scanning", "scan_failed"] as const) {
      simulator.objects.setScan(status, { status, result: { hardcoded_secrets: [finding] } });
      const scan = await ask(securityScanLookup, { appId: status });
      assert.deepEqual([scan.status, scan.findingsAreStale], [status, true]);
      assert.match(scan.notes.join(), /Run a new scan before you act/);
    }
    simulator.objects.setScan("other", { status: "out_of_date", result: null });
    const { result, findingsAreStale } = await ask(securityScanLookup, { appId: "other" });
    assert.deepEqual([result, findingsAreStale], [undefined, false]);
  });

  it("does not treat an unreadable result as a result without findings", async () => {
    const body = { status: "up_to_date", result: { hardcoded_secrets: "none" }, ignored_fingerprints: [] };
    simulator.fault({ operation: "scan.get", then: { status: 200, body } });
    assert.match(await failure(securityScanLookup, { appId: "a" }), /could not be read: result\.hardcoded_secrets: /);
  });

  it("does not treat a response without ignored_fingerprints as one without ignored findings", async () => {
    for (const missing of [{}, { ignored_fingerprints: null }]) {
      simulator.fault({ operation: "scan.get", then: { status: 200, body: { status: "none", ...missing } } });
      const scan = await ask(securityScanLookup, { appId: JSON.stringify(missing).replaceAll("/", "") });
      assert.equal(Object.hasOwn(scan, "ignoredFingerprints"), false);
      assert.match(scan.notes.join("\n"), /^The response does not say which findings are ignored/m);
    }
    const none = await ask(securityScanLookup, { appId: "none-ignored" });
    assert.deepEqual(none.ignoredFingerprints, []);
    assert.doesNotMatch(none.notes.join(), /which findings are ignored/);
  });

  it("waits with growing intervals while a scan is pending or running, and says so", async () => {
    for (const status of ["pending", "scanning", "scanning"])
      simulator.fault({ operation: "scan.get", then: { status: 200, body: { status, result: null } } });
    simulator.objects.setScan("a", { status: "up_to_date" });
    const scan = await ask(securityScanLookup, { appId: "a", waitForScan: { timeoutSeconds: 60 } });
    assert.equal(scan.status, "up_to_date");
    assert.deepEqual(clock.sleeps, [2_000, 4_000, 8_000]);
    assert.deepEqual(lines.said, [
      "getSecurityScan: the security scan of app a is pending; checking again in 2 s.",
      "getSecurityScan: the security scan of app a is scanning; checking again in 4 s.",
      "getSecurityScan: the security scan of app a is scanning; checking again in 8 s.",
    ]);
  });

  it("stops at the timeout, with the status and what to do", async () => {
    simulator.objects.setScan("a", { status: "scanning" });
    assert.match(
      await failure(securityScanLookup, { appId: "a", waitForScan: { timeoutSeconds: 5 } }),
      /^getSecurityScan: The security scan of app a is still scanning after 5 s .*\n {2}- .*remove waitForScan/s,
    );
    assert.deepEqual(clock.sleeps, [2_000, 3_000]);
  });

  it("does not wait for any other status, and only waits on request", async () => {
    for (const status of ["none", "out_of_date", "scan_failed", "up_to_date"] as const) {
      simulator.objects.setScan(status, { status });
      await ask(securityScanLookup, { appId: status, waitForScan: { timeoutSeconds: 5 } });
    }
    simulator.objects.setScan("a", { status: "scanning" });
    assert.equal((await ask(securityScanLookup, { appId: "a" })).status, "scanning");
    assert.deepEqual(clock.sleeps, []);
  });

  it("refuses a timeout out of bounds without a request", async () => {
    for (const timeoutSeconds of [0, -1, 3601, "5", undefined])
      assert.match(
        await failure(securityScanLookup, { appId: "a", waitForScan: { timeoutSeconds } }),
        /waitForScan\.timeoutSeconds must be a number of seconds above 0 and up to 3600/,
      );
    assert.match(await failure(securityScanLookup, { appId: "a", waitForScan: true }), /waitForScan must be an object/);
    assert.deepEqual(simulator.requests, []);
  });
});

describe("getWebhook", () => {
  const { ask, failure, simulator, later } = onService();

  it("returns delivery counters and the last error, times with a zone, and never a secret", async () => {
    const { id } = simulator.objects.putWebhook("agent", { has_secret: true });
    for (let delivery = 0; delivery < 20; delivery++)
      simulator.deliver("agent", id, { ok: false, status: 500, body: "oops" });
    const webhook = await ask(webhookLookup, { agentId: "agent", webhookId: id });
    const now = "2026-01-01T00:00:00.000Z";
    assert.deepEqual(webhook, {
      webhookId: id,
      targetUrl: "https://example.com/hook",
      events: ["message.created"],
      hasSecret: true,
      enabled: false,
      disabledAt: now,
      lastTriggerTime: now,
      lastError: { message: webhook.lastError?.message, attemptedAt: now, statusCode: 500, responseBody: "oops" },
      consecutiveFailures: 20,
      createdDate: now,
      updatedDate: now,
    });
    assert.deepEqual(seen(simulator), ["webhook.get"]);
  });

  it("reads with the documented empty update when the assumed read must not be called", async () => {
    const { id } = simulator.objects.putWebhook("agent");
    later({ documentedOnly: "true" });
    assert.equal((await ask(webhookLookup, { agentId: "agent", webhookId: id })).enabled, true);
    assert.deepEqual(seen(simulator), ["webhook.update {}"]);
  });

  it("fails for a webhook that does not exist", async () => {
    assert.match(
      await failure(webhookLookup, { agentId: "agent", webhookId: "wh" }),
      /^getWebhook: webhook\.get failed: the service answered 404\..*\n {2}Request: GET http:\/\/\S*\/api\/agents\/agent\/webhooks\/wh\n/s,
    );
  });
});
