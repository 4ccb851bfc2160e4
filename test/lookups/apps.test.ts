import assert from "node:assert/strict";
import { codingSessionLookup } from "../../provider/lookups/coding-session";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { launchReadinessLookup } from "../../provider/lookups/launch-readiness";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhooks";
import { seen } from "../support/deployment";
import { onService } from "./support";

describe("getUserStats", () => {
  const { ask, simulator } = onService();

  it("names the counts of 0, which may come from failed reads", async () => {
    const none = { active_users: 0, live_users: 0, inactive_7d: 0, inactive_30d: 0 };
    for (const [given, zeros] of [
      [{}, []],
      [{ live_users: 0, inactive_30d: 0 }, ["liveUsers", "inactive30d"]],
      [none, ["activeUsers", "liveUsers", "inactive7d", "inactive30d"]],
    ] as const) {
      const appId = `app with ${zeros.join()}`;
      simulator.objects.setUserStats(appId, given);
      const result = await ask(userStatsLookup, { appId });
      assert.deepEqual(result.zeros, zeros);
      const note = `These counts are 0, which the service also returns when it could not read a count: ${zeros.join(", ")}.`;
      assert.deepEqual(result.notes, zeros.length === 0 ? [] : [note]);
    }
    assert.deepEqual((await ask(userStatsLookup, { appId: "another" })).zeros, []);
  });
});

describe("explainRun", () => {
  const { ask, failure, simulator } = onService();
  const at = { appId: "a", workflowId: "w", runId: "r" };

  it("returns the explanation once it is stored, and a separate outcome while the model is unavailable", async () => {
    const explained = {
      outcome: "explained",
      explanation: "Run r of workflow w failed at its last step.",
      generatedAt: "2026-01-01T00:00:00.000Z",
    };
    simulator.objects.putWorkflowRun("a", "w", "r");
    simulator.objects.setLanguageModel("unavailable");
    assert.deepEqual(await ask(runExplanationLookup, at, "urn:first"), { outcome: "model_unavailable" });
    simulator.objects.setLanguageModel("available");
    assert.deepEqual(await ask(runExplanationLookup, at, "urn:second"), explained);
    simulator.objects.setLanguageModel("unavailable");
    // A look-up that waited for another resource shares no response with the ones before.
    assert.deepEqual(await ask(runExplanationLookup, at, "urn:third"), explained);
    assert.deepEqual(
      simulator.requests.map(({ body }) => body),
      [undefined, undefined, undefined],
    );
  });

  it("fails where the response has no explanation, unlike a blank one while the model is unavailable", async () => {
    simulator.fault({ operation: "run.analyze", times: 5, then: { status: 200, body: { detail: "internal" } } });
    assert.match(await failure(runExplanationLookup, at), /could not be read: explanation/);
    for (const explanation of ["", " \n", null]) {
      simulator.fault({ operation: "run.analyze", then: { status: 200, body: { explanation, generated_at: "" } } });
      const result = await ask(runExplanationLookup, at, String(explanation));
      assert.deepEqual(result, { outcome: "model_unavailable" });
    }
  });

  it("leaves out a time that it cannot read", async () => {
    const body = { explanation: "Because.", generated_at: "yesterday" };
    simulator.fault({ operation: "run.analyze", then: { status: 200, body } });
    assert.deepEqual(await ask(runExplanationLookup, at), { outcome: "explained", explanation: "Because." });
  });

  it("fails clearly for a run that did not fail", async () => {
    simulator.objects.putWorkflowRun("a", "w", "r", { status: "succeeded" });
    assert.match(
      await failure(runExplanationLookup, at),
      /^explainRun: run\.analyze failed: .*400\. \[WA1507\]\n.*Only failed runs.*\n {2}Request: POST .*\n {2}- .*status is not "failed"\. Only a failed run can be explained\./s,
    );
  });
});

describe("getConnectorFields", () => {
  const { ask, failure, simulator } = onService();

  it("returns the required and optional fields, and the connection's values as a secret", async () => {
    simulator.objects.setConnection("a", "example-crm", { subdomain: "canary" });
    const at = { appId: "a", integrationType: "example-crm" };
    const { fields, connectionConfig } = await ask(connectorFieldsLookup, at);
    assert.deepEqual(
      fields.map(({ name, required }) => [name, required]),
      [
        ["subdomain", true],
        ["region", false],
      ],
    );
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

  it("fails where the response has no values, and repeats none of them in an error", async () => {
    simulator.fault({ operation: "connector.fields", times: 5, then: { status: 200, body: { fields: [] } } });
    const at = { appId: "a", integrationType: "crm" };
    assert.match(await failure(connectorFieldsLookup, at), /connection_config/);
    const body = { connection_config: { pw: "canary-pw", host: "canary-host" } };
    simulator.fault({ operation: "connector.fields", then: { status: 400, body } });
    assert.doesNotMatch(await failure(connectorFieldsLookup, at), /canary/);
  });

  it("returns no fields and no values when there are none", async () => {
    const nothing = await ask(connectorFieldsLookup, { appId: "a", integrationType: "none" });
    assert.deepEqual(nothing, { fields: [], connectionConfig: {} });
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

  it("returns any status with any result", async () => {
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

  it("returns the kind of failure of a delivery without a response, and no delivery values before the first", async () => {
    const [failing, fresh] = [simulator.objects.putWebhook("agent"), simulator.objects.putWebhook("agent")];
    simulator.deliver("agent", failing.id, { ok: false, errorType: "timeout" });
    const failed = await ask(webhookLookup, { agentId: "agent", webhookId: failing.id });
    const { message, attemptedAt, ...rest } = failed.lastError ?? {};
    assert.ok(message !== undefined && attemptedAt !== undefined);
    assert.deepEqual([rest, failed.consecutiveFailures, failed.enabled], [{ errorType: "timeout" }, 1, true]);
    const unused = await ask(webhookLookup, { agentId: "agent", webhookId: fresh.id });
    for (const name of ["lastTriggerTime", "lastError", "disabledAt"]) assert.ok(!(name in unused), name);
    assert.equal(unused.consecutiveFailures, 0);
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

describe("getLaunchReadiness", () => {
  const { ask, failure, simulator } = onService();

  it("returns the landing page and whether payment is possible, and says what is left open", async () => {
    simulator.advertising.setLandingPage("app", "https://shop.example.com/");
    const ready = await ask(launchReadinessLookup, { appId: "app" });
    assert.equal(ready.landingPage, "https://shop.example.com/");
    assert.equal(ready.paymentProviderUnavailable, false);
    assert.deepEqual(ready.notes, []);
    simulator.advertising.setPaymentProvider("unreachable");
    assert.equal((await ask(launchReadinessLookup, { appId: "other" })).paymentProviderUnavailable, true);
    const body = { detail: { code: "payment_provider_unavailable" } };
    simulator.fault({ operation: "campaign.readiness", then: { status: 400, body } });
    const refused = await ask(launchReadinessLookup, { appId: "third" });
    assert.equal(refused.paymentProviderUnavailable, true);
    assert.match(refused.notes.join(), /names no landing page/);
  });

  it("treats an empty landing page as none, and a reason with details as a reason", async () => {
    const body = { landing_page: "", reasons: { payment_provider_unavailable: { since: "today" } } };
    simulator.fault({ operation: "campaign.readiness", then: { status: 200, body } });
    const ready = await ask(launchReadinessLookup, { appId: "app" });
    assert.deepEqual([ready.landingPage, ready.paymentProviderUnavailable, ready.notes.length], [undefined, true, 1]);
  });

  it("does not treat a response without these fields as readiness", async () => {
    simulator.fault({ operation: "campaign.readiness", then: { status: 200, body: { ready: true } } });
    assert.match(
      await failure(launchReadinessLookup, { appId: "app" }),
      /has neither landing_page nor currency_code.*is assumed.*endpoints/s,
    );
  });
});

describe("getCodingSession", () => {
  const { ask, failure, simulator } = onService();
  const session = { id: "s", state: "completed" };
  const answering = (body: object): void => {
    simulator.clearFaults();
    simulator.fault({ operation: "codingSession.get", times: "always", then: { status: 200, body } });
  };

  it("leaves out a malformed value, and needs the state", async () => {
    answering({ ...session, pull_request: "7", summary: 1 });
    assert.deepEqual(await ask(codingSessionLookup, { appId: "app", sessionId: "s" }), {
      sessionId: "s",
      state: "completed",
    });
    answering({ id: "s" });
    assert.match(await failure(codingSessionLookup, { appId: "other", sessionId: "s" }), /state/);
  });

  it("fails for a session that does not exist", async () => {
    assert.match(await failure(codingSessionLookup, { appId: "app", sessionId: "gone" }), /404/);
  });
});
