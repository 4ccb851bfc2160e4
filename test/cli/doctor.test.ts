import assert from "node:assert/strict";
import { mock } from "node:test";
import { workspaceApps } from "../../cli/workspace-apps";
import { assertRead, idNames, neverCalled, readOperations } from "../../cli/doctor/read-operations";
import { tableOf } from "../../cli/doctor/table";
import type { OperationId } from "../../provider/service/operations";
import { closedAfterEach } from "../service/support/close-after-each";
import { httpAnswer, RawServer } from "../service/support/raw-server";
import { until } from "../simulator/support";
import { environmentOf, examined, healthySimulator, ids, run } from "./support/doctor";

const open = closedAfterEach();
afterEach(() => {
  mock.reset();
});

describe("workspace-apps doctor", () => {
  it("reports no problem with a healthy service, and calls every read", async () => {
    const simulator = open(await healthySimulator());
    const { code, report } = await examined(environmentOf(simulator.url), [
      ...ids,
      "--id",
      `session_id=${simulator.sessionId}`,
    ]);
    assert.deepEqual(
      [...report.checks, ...report.operations].filter(({ state }) => state !== "ok"),
      [],
    );
    assert.deepEqual(
      [code, report.operations.length, report.requests],
      [0, readOperations.length, readOperations.length],
    );
    assert.deepEqual(new Set(simulator.requests.map(({ operation }) => operation)), new Set(readOperations));
  });

  it("gets the ids of webhooks, records and tests from the service's lists", async () => {
    const simulator = open(await healthySimulator());
    const { operation } = await examined(environmentOf(simulator.url), ids);
    for (const id of ["webhook.get", "record.get", "test.get"] as const) assert.equal(operation(id).state, "ok");
    const [webhook] = simulator.objects.webhooks("agent-1");
    const read = simulator.requests.find(({ operation }) => operation === "webhook.get");
    assert.equal(read?.parameters["webhook_id"], webhook?.id);
  });

  it("lists operations without a given id as not checked, with the ids to pass, and does not fail", async () => {
    const simulator = open(await healthySimulator());
    const { code, operation } = await examined(environmentOf(simulator.url));
    assert.equal(code, 0);
    const wanted: Partial<Record<OperationId, string>> = {
      "webhook.list": "give --id agent_id=…",
      "webhook.get": "give --id agent_id=…",
      "record.get": "give --id app_id=… --id entity_name=…",
      "codingSession.get": "give --id app_id=… --id session_id=…",
      "folderItem.list": "give --id folder_id=…",
    };
    for (const [id, seen] of Object.entries(wanted) as [OperationId, string][]) {
      assert.equal(operation(id).state, "not checked");
      assert.equal(operation(id).seen, seen);
    }
    assert.deepEqual(
      simulator.requests.map(({ operation }) => operation),
      ["member.list"],
    );
  });

  it("reports an empty list that has no id to read", async () => {
    const simulator = open(await healthySimulator());
    const { operation } = await examined(environmentOf(simulator.url), ["--id", "agent_id=agent-without"]);
    assert.deepEqual(
      [operation("webhook.list").state, operation("webhook.get").seen],
      ["ok", "webhook.list is empty; give --id webhook_id=…"],
    );
  });

  it("prints a table without color and a summary, and nothing on stderr", async () => {
    // On a slow machine it would say that it is waiting.
    mock.timers.enable({ apis: ["setTimeout"] });
    const simulator = open(await healthySimulator());
    const { code, stdout, stderr } = await run(environmentOf(simulator.url), ids);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^STATE +CHECK +RESULT\nok +setting baseUrl +http:\/\/127/);
    assert.match(stdout, /^ok +webhook\.list +assumed +200 +- +responds \(1 row\)$/m);
    assert.match(stdout, /^ {2}codingSession\.get\n {6}give --id session_id=…$/m);
    assert.match(stdout, /0 failed, 0 warnings, \d+ ok, 1 not checked\. Requests sent: \d+, all of them reads/);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(stdout, /\x1b/);
  });
});

describe("workspace-apps doctor is read-only:", () => {
  it("it sends only reads, with both credentials, and leaves every object unchanged", async () => {
    const simulator = open(await healthySimulator());
    const before = JSON.stringify(simulator.objects.all());
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_API_KEY: "personal-api-key" });
    await examined(environment, [...ids, "--id", `session_id=${simulator.sessionId}`]);
    await run({ ...environment, WORKSPACE_APPS_ACCESS_TOKEN: "wrong" }, ids);
    assert.ok(simulator.requests.length > readOperations.length);
    for (const { method, operation } of simulator.requests)
      assert.ok(
        method === "GET" || (method === "POST" && operation === "member.list"),
        `${method} ${String(operation)}`,
      );
    assert.deepEqual(simulator.objects.recordWrites("app-1", "Task"), []);
    assert.equal(JSON.stringify(simulator.objects.all()), before);
    const page = simulator.requests.find(({ operation }) => operation === "member.list");
    assert.deepEqual(page?.body, { page_size: 1 });
  });

  it("it never calls operations that create, change, delete, launch or generate text", () => {
    const never: OperationId[] = [
      ...(["webhook.update", "campaign.launch", "tracking.bootstrap", "run.analyze", "searchTheme.suggest"] as const),
      ...(["webhook.delete", "codingSession.launch", "finding.restore", "record.update", "folderItem.add"] as const),
    ];
    for (const id of never) assert.ok(neverCalled.includes(id) && !readOperations.includes(id), id);
    assert.deepEqual(
      readOperations.filter((id) => neverCalled.includes(id)),
      [],
    );
  });

  it("it refuses to send anything else, whichever code requests it", () => {
    for (const [method, path] of [
      ["PATCH", "/api/agents/a/webhooks/w"],
      ["POST", "/api/apps/a/ads-platform/launch"],
      ["POST", "/api/workspace/members/list?x"],
      ["DELETE", "/api/workspace/members/list"],
    ] as const)
      assert.throws(() => {
        assertRead({ method, path });
      }, /internal error: doctor tried to send a request that is not a read/);
    assertRead({ method: "POST", path: "/api/workspace/members/list" });
  });

  it("it does not call a read that endpoints sets to another method", async () => {
    const simulator = open(await healthySimulator());
    const endpoints = {
      "webhook.list": "POST /v2/agents/{agent_id}/hooks",
      "member.list": "POST /v2/members",
      "scan.get": "DELETE /api/apps/{app_id}/security/scan",
    };
    const environment = environmentOf(simulator.url, { WORKSPACE_APPS_ENDPOINTS: JSON.stringify(endpoints) });
    const { operation } = await examined(environment, ids);
    for (const id of Object.keys(endpoints) as OperationId[]) {
      assert.equal(operation(id).state, "not checked");
      assert.match(operation(id).seen, /but doctor sends only GET requests/);
    }
    assert.deepEqual(
      simulator.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  });
});

describe("workspace-apps doctor shows no credential", () => {
  const token = "canary-token-8d1f";
  const key = "canary-key-77aa";

  it("when the service repeats it in any form, and removes terminal control characters", async () => {
    const words = `no: ${token} \u001b[2J\u202e ${key}`;
    const answers = [
      httpAnswer(401, JSON.stringify({ message: words })),
      httpAnswer(403, JSON.stringify({ unknown: { token, note: words } })),
      httpAnswer(200, `<html>${words}</html>`),
      httpAnswer(302, "", { location: `https://elsewhere.example/${token}?key=${key}` }),
      httpAnswer(500, words),
      httpAnswer(200, JSON.stringify({ [token]: key })),
    ];
    for (const answer of answers)
      for (const args of [ids, ["--json", ...ids]]) {
        const server = open(await RawServer.listen({ onRequest: ({ socket }) => socket.write(answer) }));
        const environment = environmentOf(server.url, {
          WORKSPACE_APPS_ACCESS_TOKEN: token,
          WORKSPACE_APPS_API_KEY: key,
        });
        const { stdout, stderr } = await run(environment, args);
        assert.ok(server.received.includes(token), "it was sent");
        assert.doesNotMatch(stdout + stderr, /canary/);
        assert.doesNotMatch(stdout, /[^\n\P{Cc}]|\p{Cf}/u);
      }
  });

  it("when it is malformed or in the wrong place", async () => {
    const environment = {
      WORKSPACE_APPS_BASE_URL: `https://user:${token}@service.example`,
      WORKSPACE_APPS_ACCESS_TOKEN: `${token} ${key}`,
      WORKSPACE_APPS_ENDPOINTS: JSON.stringify({ [`${token} ${key}`]: "none" }),
      WORKSPACE_APPS_REQUEST_TIMEOUT_SECONDS: key,
    };
    for (const args of [[], ["--json"]]) {
      const { code, stdout, stderr } = await run(environment, args);
      assert.equal(code, 1);
      assert.doesNotMatch(stdout + stderr, /canary/);
    }
  });

  it("and no value of a record", async () => {
    const simulator = open(await healthySimulator());
    const { stdout } = await run(environmentOf(simulator.url), ["--json", ...ids]);
    assert.doesNotMatch(stdout, /a private value/);
  });
});

describe("workspace-apps doctor on the command line", () => {
  const invoke = async (...args: string[]) => {
    let [stdout, stderr] = ["", ""];
    const output = { out: (text: string) => (stdout += text), err: (text: string) => (stderr += text) };
    return { code: await workspaceApps(args, output), stdout, stderr };
  };

  it("prints help with examples, exit codes and the name of every id", async () => {
    const { code, stdout } = await invoke("doctor", "--help");
    assert.equal(code, 0);
    assert.match(stdout, /Examples:\n {2}npx --no -- workspace-apps doctor\n/);
    assert.match(stdout, /Exit codes:\n {2}0 /);
    for (const name of idNames) assert.match(stdout, new RegExp(`\\b${name}\\b`));
    assert.match((await invoke("--help")).stdout, /^ {2}doctor /m);
  });

  it("exits with code 2 on wrong usage, reports the problem on stderr, and sends no request", async () => {
    const wrong: [string[], RegExp][] = [
      [["--jsno"], /--jsno/],
      [["extra"], /extra/],
      [["--id", "app_id"], /--id must be NAME=VALUE, where NAME is one of agent_id, app_id/],
      [["--id", "campaign_id=c"], /--id must be NAME=VALUE/],
      [["--id", "app_id="], /--id app_id must not be empty/],
      [["--id", "app_id=.."], /--id app_id must not be "\.\."/],
      [["--id", "app_id=a", "--id", "app_id=b"], /--id app_id is given twice/],
      [["--cwd", "."], /--cwd requires --stack/],
      [["--stack", ""], /--stack must name a stack/],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await invoke("doctor", ...args);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, message);
    }
  });

  it("reports on stderr that it is waiting when a response takes longer than two seconds", async () => {
    const simulator = open(await healthySimulator({}, ["member.list"]));
    simulator.fault({ operation: "member.list", then: "hold" });
    mock.timers.enable({ apis: ["setTimeout"] });
    const time = mock.method(performance, "now", () => 0);
    const running = run(environmentOf(simulator.url), []);
    await until(() => simulator.requests.some(({ operation }) => operation === "member.list"));
    time.mock.mockImplementation(() => 2_000);
    mock.timers.tick(2_000);
    await simulator.release();
    const { stdout, stderr } = await running;
    assert.match(stderr, /^workspace-apps doctor: waiting for responses \(2 s\)\n$/);
    assert.doesNotMatch(stdout, /waiting/);
  });
});

describe("The doctor's table", () => {
  const report = (seen: string, fix: string) => ({
    checks: [{ check: "reachability", state: "fail" as const, cause: "dns" as const, seen, fix }],
    operations: [],
    neverCalled: [],
    requests: 1,
  });

  it("wraps long texts within their column, and does not break a word that is too long for it", () => {
    const url = `https://${"long-".repeat(30)}.example/`;
    const table = tableOf(report("many words ".repeat(30).trim(), `open ${url} now`), 80);
    const lines = table.split("\n");
    assert.equal(lines[1]?.slice(0, 21), "FAIL   reachability  ");
    for (const line of lines.slice(2, 6)) assert.equal(line.slice(0, 21).trim(), "");
    assert.deepEqual(
      lines.filter((line) => line.length > 80),
      [`${" ".repeat(21)}${url}`],
    );
  });

  it("stays readable on a very narrow or very wide terminal", () => {
    for (const [columns, maxWidth] of [
      [10, 72],
      [1000, 140],
    ] as const) {
      const lines = tableOf(report("word ".repeat(200).trim(), "fix it"), columns).split("\n");
      assert.ok(Math.max(...lines.map(({ length }) => length)) <= maxWidth);
    }
  });
});
