import assert from "node:assert/strict";
import type { Scan } from "../../simulator";
import { operations } from "../../provider/service/operations";
import { onSimulator } from "./support";

describe("The simulator's security scans", () => {
  const { simulator, get, post, remove } = onSimulator();

  const security = "/api/apps/a/security/scan";
  const scan = async () => (await get(security)).json as unknown as Scan;
  const ignore = (fingerprint: unknown) => post(`${security}/ignore`, { fingerprint });
  const restore = (fingerprint: string) => remove(`${security}/ignore/${encodeURIComponent(fingerprint)}`);
  const ignored = () => simulator.objects.ignoredFindings("a");

  it("of an app that was never scanned have the status none and no result", async () => {
    const never = { status: "none", result: null, static_code_enabled: false, ignored_fingerprints: [] };
    assert.deepEqual(await scan(), never);
    assert.equal(operations["scan.get"].answer.parse(await scan()).status, "none");
  });

  it("can be set, and the result's time has no Z when read", async () => {
    simulator.objects.setScan("a", { status: "up_to_date" });
    assert.deepEqual((await scan()).result, {
      ...{ analysis_summary: "", rls_recommendations: [], hardcoded_secrets: [], backend_functions: [] },
      ...{ dependency_vulnerabilities: [], static_code_findings: [], header_recommendations: [] },
      ...{ core_integration_recommendation: "", scanned_at: "2026-11-01T12:00:00.000" },
    });
    simulator.objects.setScan("a", { result: { hardcoded_secrets: [{ fingerprint: "f" }] } });
    for (const status of ["out_of_date", "pending", "scanning", "scan_failed"] as const) {
      simulator.objects.setScan("a", { status });
      const { result, ...rest } = await scan();
      assert.equal(rest.status, status);
      assert.deepEqual(result?.hardcoded_secrets, [{ fingerprint: "f" }], "an earlier result stays");
    }
    simulator.objects.setScan("a", { status: "out_of_date", result: null });
    assert.equal((await scan()).result, null);
    simulator.objects.setScan("a", { status: "none", result: { analysis_summary: "x" } });
    assert.equal((await scan()).result, null);
  });

  it("show static findings only when code-reading analysis is on", async () => {
    simulator.objects.setScan("a", { status: "up_to_date", result: { static_code_findings: [1] } });
    assert.deepEqual((await scan()).result?.static_code_findings, []);
    simulator.objects.setScan("a", { static_code_enabled: true });
    assert.deepEqual((await scan()).result?.static_code_findings, [1]);
  });

  it("ignore a finding once, in any status, and keep it in the result", async () => {
    simulator.objects.setScan("a", { status: "scanning", result: { hardcoded_secrets: [{ fingerprint: "f" }] } });
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, json } = await ignore("f");
      assert.deepEqual([status, json], [200, { status: "ok" }]);
    }
    await ignore("g");
    const { ignored_fingerprints, result, status } = await scan();
    assert.deepEqual([ignored_fingerprints, status], [["f", "g"], "scanning"]);
    assert.deepEqual(result?.hardcoded_secrets, [{ fingerprint: "f" }]);
  });

  it("restore a finding, and return the same when it was not ignored", async () => {
    await ignore("f");
    await ignore("g");
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, json } = await restore("f");
      assert.deepEqual([status, json], [200, { status: "ok" }]);
      assert.deepEqual(ignored(), ["g"]);
    }
    assert.deepEqual(simulator.objects.ignoredFindings("b"), []);
  });

  it("accept any fingerprint of 1 to 128 characters, decoded once", async () => {
    const fingerprints = ["a/b", "../../../x", "%2F", "a%20b", "é 💾?#&+", "..%2e", "💾".repeat(128), "x".repeat(128)];
    for (const fingerprint of fingerprints) {
      await ignore(fingerprint);
      assert.deepEqual(ignored(), [fingerprint]);
      assert.equal((await restore(fingerprint)).status, 200, fingerprint);
      assert.deepEqual(ignored(), []);
    }
  });

  it("refuse other fingerprints with 422", async () => {
    for (const fingerprint of ["", "x".repeat(129), 7, undefined]) {
      const { status, json } = await ignore(fingerprint);
      assert.equal(status, 422);
      assert.deepEqual(json.detail[0]?.loc, ["body", "fingerprint"]);
    }
    const { status, json } = await restore("x".repeat(129));
    assert.equal(status, 422);
    assert.deepEqual(json.detail[0]?.loc, ["path", "fingerprint"]);
    assert.deepEqual(simulator.objects.all().scans, {});
  });

  it("are returned as copies", () => {
    const given = simulator.objects.setScan("a", { ignored_fingerprints: ["f"] });
    given.ignored_fingerprints.push("g");
    simulator.objects.scan("b").ignored_fingerprints.push("h");
    assert.deepEqual(ignored(), ["f"]);
    assert.deepEqual(simulator.objects.ignoredFindings("b"), []);
    assert.deepEqual(simulator.objects.all().scans, { a: simulator.objects.scan("a") });
  });
});
