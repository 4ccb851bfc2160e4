import assert from "node:assert/strict";
import { readOperations } from "../../cli/doctor/read-operations";
import type { Cause } from "../../cli/doctor/report";
import { type OperationId, operations } from "../../provider/service/operations";
import type { ScriptedAnswer } from "../../simulator";
import { closedAfterEach } from "../service/support/close-after-each";
import { type Environment, environmentOf, examined, healthySimulator, ids } from "./support/doctor";

const open = closedAfterEach();

/** The doctor's result for one operation with a scripted response. All others are healthy. */
async function saidOf(id: OperationId, then: ScriptedAnswer | "hang" | "reset", more: Environment = {}) {
  const simulator = open(await healthySimulator({}, [id]));
  simulator.fault({ operation: id, times: "always", then });
  const session = ["--id", `session_id=${simulator.sessionId}`];
  const examination = await examined(environmentOf(simulator.url, more), [...ids, ...session]);
  assert.ok(
    simulator.requests.filter(({ operation }) => operation === id).length === 1,
    "it is called once, with any result",
  );
  return { ...examination, said: examination.operation(id) };
}

const assumedReads = readOperations.filter((id) => !operations[id].documented);

describe("workspace-apps doctor reports", () => {
  for (const id of assumedReads)
    for (const status of [404, 405])
      it(`that ${id}, an assumed path, returns ${String(status)}, and how to set the path`, async () => {
        const { code, said, failed } = await saidOf(id, { status, body: { message: "There is no such path." } });
        assert.deepEqual([code, said.state, said.source, said.results], [1, "fail", "assumed", { bearer: status }]);
        assert.deepEqual(failed(), [id]);
        assert.match(said.seen, new RegExp(`^responds with ${String(status)}: There is no such path$`));
        assert.match(
          said.fix ?? "",
          new RegExp(
            `^The request was GET http.*path of ${id} is assumed.*workspace-apps:endpoints.*"${id}": "GET /your/path`,
          ),
        );
      });

  it("that a path is wrong when the service's own list shows the object", async () => {
    for (const id of ["webhook.get", "record.get", "test.get"] as const) {
      const { said } = await saidOf(id, { status: 404, body: {} });
      assert.equal(said.cause, "wrong-path");
      assert.match(said.fix ?? "", /The service's own list has this object, so the path is wrong/);
    }
  });

  it("that an id is wrong when the service's own list does not show it", async () => {
    const simulator = open(await healthySimulator());
    const args = ["--id", "agent_id=agent-1", "--id", "webhook_id=misspelled"];
    // The list is read first, because it shows which of the two is wrong.
    const { operation } = await examined(environmentOf(simulator.url), args);
    assert.equal(operation("webhook.get").cause, "not-found");
    assert.match(
      operation("webhook.get").fix ?? "",
      /own list does not have this object\. Check the id first\. The path /,
    );
  });

  it("that either the path or the id may be wrong when there is no list to check", async () => {
    const { said } = await saidOf("folderItem.list", { status: 404, body: {} });
    assert.equal(said.cause, "not-found");
    assert.match(
      said.fix ?? "",
      /The object does not exist for this token, or the path is wrong\. Check the ids first\. The path of folderItem\.list is assumed/,
    );
  });

  it("that a path set in endpoints may be wrong", async () => {
    const simulator = open(await healthySimulator());
    const endpoints = { "campaign.list": "GET /v2/campaigns/{app_id}" };
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_ENDPOINTS: JSON.stringify(endpoints) });
    const { operation, check } = await examined(environment, ids);
    const { source, endpoint, state, fix } = operation("campaign.list");
    assert.deepEqual([source, endpoint, state], ["set", endpoints["campaign.list"], "fail"]);
    assert.match(fix ?? "", /is set in workspace-apps:endpoints\. Check the path in/);
    assert.match(check("setting endpoints").seen, /campaign\.list GET \/v2\/campaigns\/\{app_id\}/);
  });

  it("that the base URL may be incomplete when a documented path without ids returns 404", async () => {
    const { said } = await saidOf("member.list", { status: 404, body: { message: "not found" } });
    assert.match(said.fix ?? "", /points to the service, including its path/);
  });

  it("that an object was not found at a documented path", async () => {
    const { said } = await saidOf("connector.fields", { status: 404, body: { message: "no connector" } });
    assert.match(
      said.fix ?? "",
      /Check the token.*then the ids\. The object does not exist, or perhaps the token does not reach it/,
    );
  });

  const assumedPath = /path of (campaign|test)\.list is assumed/;
  const answers: [OperationId, ScriptedAnswer | "hang" | "reset", Cause, seen: RegExp, fix: RegExp][] = [
    [
      "webhook.list",
      { status: 200, body: { other: [] } },
      "shape",
      /\(200\) could not be read: webhooks: /,
      /another form\. The path of webhook\.list is assumed/,
    ],
    ["scan.get", { status: 200, body: { status: 7 } }, "shape", /status: /, /newer version of this package/],
    ["test.list", { status: 200, body: "<html>" }, "foreign-answer", /body: not JSON/, /path is probably wrong/],
    ["scan.get", { status: 200, body: "<html>" }, "foreign-answer", /body: not JSON/, /sign-in page/],
    [
      "test.list",
      { status: 302, headers: { location: "/in?to=x" } },
      "redirect",
      /redirects to \/in$/,
      /path is probably wrong/,
    ],
    ["campaign.list", { status: 500, body: { message: "down" } }, "server-error", /^responds with 500: down$/, /later/],
    ["userStats.get", { status: 501, body: {} }, "server-error", /501/, /does not support this operation/],
    [
      "member.list",
      { status: 429, body: { message: "slow" }, headers: { "retry-after": "200" } },
      "rate-limited",
      /429: slow; it asks to wait 200 s$/,
      /Run doctor again after a minute/,
    ],
    ["webhook.list", { status: 402, body: { message: "plan" } }, "plan", /402: plan/, /higher plan tier/],
    ["webhook.list", { status: 400, body: { message: "no agent" } }, "refused", /400/, /not an agent/],
    [
      "geoTarget.search",
      { status: 422, body: { detail: [{ loc: ["query", "query"], msg: "bad", type: "t" }] } },
      "refused",
      /query\.query: bad/,
      /check the ids/i,
    ],
    ["record.list", "reset", "broken-connection", /broke before the response/, /run doctor again later/],
    ["scan.get", "hang", "timeout", /no response within 0\.5 s/, /WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS/],
    [
      "campaign.list",
      { status: 200, body: { campaigns: [], has_more: true } },
      "half-list",
      /says that there is more, but gives no new next_cursor/,
      assumedPath,
    ],
    ["test.list", { status: 200, body: { flows: [], total: 3 } }, "half-list", /has 0 of 3 rows/, assumedPath],
    [
      "campaign.readiness",
      { status: 200, body: { error: "payment_provider_unavailable" } },
      "payment-provider",
      /refuses launches/,
      /payment provider/,
    ],
  ];
  for (const [id, then, cause, seen, fix] of answers)
    it(`that ${id} returns ${JSON.stringify(then)}: ${cause}`, async () => {
      const { said, code } = await saidOf(id, then, { WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: "0.5" });
      const isWarning = cause === "rate-limited" || cause === "payment-provider";
      assert.deepEqual([said.state, said.cause, code], [isWarning ? "warn" : "fail", cause, isWarning ? 0 : 1]);
      assert.match(said.seen, seen);
      assert.match(said.fix ?? "", fix);
    });

  it("that there was more than one page", async () => {
    const body = { webhooks: [], has_more: true, next_cursor: "c" };
    const { said } = await saidOf("webhook.list", { status: 200, body });
    assert.deepEqual([said.state, said.seen], ["ok", "responds (0 rows, and more)"]);
  });

  it("a rate limit without waiting for it", async () => {
    const simulator = open(await healthySimulator({ limits: { "webhook.list": 1 } }));
    await examined(environmentOf(simulator.url), ids);
    const began = Date.now();
    const { operation } = await examined(environmentOf(simulator.url), ids);
    assert.equal(operation("webhook.list").cause, "rate-limited");
    assert.ok(Date.now() - began < 5_000);
  });

  it("that documentedOnly or endpoints disables an operation, and does not call it", async () => {
    const simulator = open(await healthySimulator());
    const environment = environmentOf(simulator.url, {
      WORKSPACE_APPS_DOCUMENTED_ONLY: "true",
      WORKSPACE_APPS_ENDPOINTS: JSON.stringify({
        "scan.get": "none",
        "webhook.list": operations["webhook.list"].endpoint,
      }),
    });
    const { code, check, operation } = await examined(environment, ids);
    assert.equal(code, 0);
    assert.match(operation("test.list").seen, /documentedOnly is true/);
    assert.match(operation("scan.get").seen, /set to "none"/);
    assert.deepEqual([operation("webhook.list").state, operation("webhook.list").source], ["ok", "set"]);
    assert.match(check("setting endpoints").seen, /^scan\.get none, webhook\.list \(default\) /);
    assert.match(check("setting documentedOnly").seen, /^true /);
    const called = simulator.requests.map(({ operation }) => operation);
    assert.ok(called.includes("webhook.list") && !called.includes("test.list") && !called.includes("scan.get"));
  });
});
