import assert from "node:assert/strict";
import { type Credential, defaultCredentials, type SimulatorOptions } from "../../simulator";
import { closedAfterEach } from "../service/support/close-after-each";
import { environmentOf, examined, healthySimulator, ids, run } from "./support/doctor";

const open = closedAfterEach();

/** Faults respond without checking the credential, so operations that only a fault answers are left out. */
async function judged(
  { token, key }: { token: string; key?: string },
  { more = ids, ...options }: SimulatorOptions & { more?: string[] } = {},
) {
  const simulator = open(await healthySimulator(options, ["member.list"]));
  const taken = [...defaultCredentials, ...(options.credentials ?? [])].map(({ value }) => value);
  const status = taken.includes(token) ? 200 : 401;
  const body = status === 200 ? { members: [], next_cursor: null, has_more: false, total: 0 } : { message: "no" };
  simulator.fault({ operation: "member.list", times: "always", then: { status, body } });
  const lookUps = ["geoTarget.search", "searchTerm.report", "asset.list", "userStats.get", "connector.fields"];
  const environment = environmentOf(simulator.url, {
    WORKSPACE_APPS_ACCESS_TOKEN: token,
    WORKSPACE_APPS_ENDPOINTS: JSON.stringify(Object.fromEntries(lookUps.map((id) => [id, "none"]))),
    ...(key === undefined ? {} : { WORKSPACE_APPS_API_KEY: key }),
  });
  return { simulator, ...(await examined(environment, more)) };
}

describe("workspace-apps doctor checks the credentials:", () => {
  it("a token that works, although its write access cannot be known yet", async () => {
    const { code, check } = await judged({ token: "full-access-token" });
    assert.equal(code, 0);
    assert.match(
      check("credential bearer").seen,
      /^works for member\.list, .*\. Doctor cannot tell whether it may make changes$/,
    );
    assert.equal(check("credential api_key").seen, "not set: every operation uses the token");
  });

  it("an invalid token", async () => {
    const { code, check, operation } = await judged({ token: "not-a-token" });
    assert.equal(code, 1);
    const { state, cause, seen, fix } = check("credential bearer");
    assert.deepEqual([state, cause], ["fail", "unauthorized"]);
    assert.match(seen, /^refused \(401\) for member\.list, webhook\.list/);
    assert.match(fix ?? "", /Set workspace-apps:accessToken \(or WORKSPACE_APPS_ACCESS_TOKEN\)/);
    assert.deepEqual(operation("webhook.list").results, { bearer: 401 });
    assert.equal(operation("webhook.list").fix, "See credential bearer above.");
  });

  it("an invalid token, with the reference to its row only once in the table", async () => {
    const simulator = open(await healthySimulator());
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_ACCESS_TOKEN: "not-a-token" });
    const { stdout } = await run(environment, ids);
    assert.equal(stdout.match(/fix: See credential bearer above\./g)?.length, 1);
    assert.ok((stdout.match(/^FAIL/gm)?.length ?? 0) > 2);
  });

  it("an API key that is an ordinary word, without redacting that word in the advice", async () => {
    const { check } = await judged({ token: "full-access-token", key: "wrong" });
    assert.match(check("credential api_key").fix ?? "", /^The key is wrong or was turned off/);
  });

  it("a read-only token, recognized by the service's error code", async () => {
    const { code, check, operation } = await judged({ token: "read-only-token" });
    assert.equal(code, 1);
    const { state, cause, seen, fix } = check("credential bearer");
    assert.deepEqual([state, cause], ["fail", "read-only"]);
    assert.match(seen, /works for .*scan\.get.*; refused as read-only \(403\) for webhook\.list/);
    assert.match(fix ?? "", /read-only\. Create one with full access/);
    assert.equal(operation("webhook.list").cause, "read-only");
    assert.equal(operation("scan.get").state, "ok");
  });

  it("a workspace key, which agents refuse", async () => {
    const { code, check, operation } = await judged({ token: "workspace-key" });
    assert.equal(code, 1);
    const { state, cause, seen, fix } = check("credential bearer");
    assert.deepEqual([state, cause], ["fail", "forbidden"]);
    assert.match(seen, /works for .*scan\.get.*; refused \(403\) for webhook\.list/);
    assert.match(fix ?? "", /is an editor of the agent\. Viewers, read-only keys and workspace keys are refused/);
    assert.equal(operation("webhook.list").cause, "forbidden");
    assert.match(operation("webhook.list").fix ?? "", /workspace keys are refused/);
  });

  it("a token that cannot access the app", async () => {
    const credentials: Credential[] = [
      { value: "full-access-token", kind: "personal-token" },
      { value: "narrow", kind: "personal-token", apps: ["other"] },
    ];
    const { check, operation } = await judged({ token: "narrow" }, { credentials });
    assert.equal(operation("scan.get").cause, "forbidden");
    assert.equal(operation("record.list").cause, "not-found");
    assert.match(operation("record.list").fix ?? "", /does not exist for this token, or the path is wrong/);
    assert.equal(check("credential bearer").state, "fail");
  });

  it("an API key that works where the token would work as well", async () => {
    const { code, check, operation } = await judged({ token: "full-access-token", key: "personal-api-key" });
    assert.equal(code, 0);
    assert.match(check("credential api_key").seen, /works for campaign\.list, campaign\.readiness, scan\.get/);
    assert.match(check("credential api_key").seen, /The token works for these too/);
    assert.deepEqual(operation("scan.get").results, { api_key: 200, bearer: 200 });
    assert.deepEqual(operation("webhook.list").results, { bearer: 200 }, "the key is sent only where it is accepted");
  });

  it("an API key that was disabled while the token works", async () => {
    const { code, check, operation } = await judged({ token: "full-access-token", key: "switched-off" });
    assert.equal(code, 1);
    const { state, cause, seen, fix } = check("credential api_key");
    assert.deepEqual([state, cause], ["fail", "key-refused"]);
    assert.match(seen, /refused \(401\) for campaign\.list, .*; the token works for campaign\.list, /);
    assert.match(fix ?? "", /was turned off.*The token is enough: unset WORKSPACE_APPS_API_KEY\./);
    assert.equal(check("credential bearer").state, "ok");
    assert.deepEqual(
      [operation("scan.get").state, operation("scan.get").results],
      ["fail", { api_key: 401, bearer: 200 }],
    );
    assert.match(operation("scan.get").seen, /401.*; the token works$/);
    assert.equal(operation("scan.get").fix, "See credential api_key above.");
  });

  it("an API key and a token that are both wrong", async () => {
    const { check } = await judged({ token: "wrong-token", key: "wrong-key" });
    assert.equal(check("credential bearer").cause, "unauthorized");
    assert.equal(check("credential api_key").cause, "unauthorized");
    assert.match(check("credential api_key").fix ?? "", /Fix the token first/);
  });

  it("a token that is refused only where the API key is used (a warning, because API keys may be retired)", async () => {
    const simulator = open(await healthySimulator());
    simulator.fault({ operation: "scan.get", skip: 1, then: { status: 401, body: { message: "use a key" } } });
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_API_KEY: "personal-api-key" });
    const { code, check, operation } = await examined(environment, ids);
    assert.equal(code, 0);
    const { state, cause, fix } = check("credential bearer");
    assert.deepEqual([state, cause], ["warn", "form-refused"]);
    assert.match(fix ?? "", /keys are being phased out/);
    assert.equal(operation("scan.get").state, "warn");
    assert.match(operation("scan.get").seen, /responds with the key; the token is refused/);
  });

  it("a token that is valid but refused where the specification lists the API key", async () => {
    const simulator = open(await healthySimulator());
    for (const operation of ["scan.get", "campaign.list"] as const)
      simulator.fault({ operation, then: { status: 401, body: { message: "use a key" } } });
    const { code, check } = await examined(environmentOf(simulator.url), ids);
    assert.equal(code, 1);
    const { cause, seen, fix } = check("credential bearer");
    assert.equal(cause, "form-refused");
    assert.match(seen, /works for .*webhook\.list.*; refused \(401\) for campaign\.list, scan\.get/);
    assert.match(fix ?? "", /pulumi config set --secret workspace-apps:apiKey/);
  });

  it("sends only one credential form when the rate limit has no room for two", async () => {
    const simulator = open(await healthySimulator({ limits: { "scan.get": 1 } }));
    const environment = environmentOf(simulator.url, {
      WORKSPACE_APPS_API_KEY: "personal-api-key",
      WORKSPACE_APPS_RATE_LIMITS: '{"scan.get": 1}',
    });
    const { operation } = await examined(environment, ids);
    assert.deepEqual([operation("scan.get").state, operation("scan.get").results], ["ok", { api_key: 200 }]);
  });

  it("reports nothing about a token that no response confirms or rejects", async () => {
    const simulator = open(await healthySimulator({}, ["member.list"]));
    simulator.fault({ operation: "member.list", then: { status: 500, body: { message: "down" } } });
    const { check } = await examined(environmentOf(simulator.url));
    assert.deepEqual(
      [check("credential bearer").state, check("credential bearer").seen],
      ["not checked", "no response shows whether it is valid"],
    );
  });
});
