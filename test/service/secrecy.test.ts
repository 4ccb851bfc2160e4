import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { OperationId } from "../../provider/service/operations";
import { type ScriptedAnswer, startSimulator } from "../../simulator";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";

const open = closedAfterEach();

const token = 'token-3f9a/+="\\x';
const apiKey = "key-77c1'&<y>";

/** Everything that the host could print about an error, and the log lines. */
function shown(error: Error, service: WatchedService): string {
  const whole = inspect(error, { depth: null, showHidden: true, getters: true });
  return [error.message, error.stack, String(error), JSON.stringify(error), whole, ...service.lines].join("\n");
}

async function answering(operation: OperationId, then: ScriptedAnswer | "reset") {
  const simulator = open(await startSimulator());
  simulator.fault({ operation, times: "always", then });
  return open(new WatchedService(simulator.url, { accessToken: token, apiKey }));
}

function assertHidden(text: string, ...secrets: string[]): void {
  for (const secret of secrets)
    for (const spelling of [secret, JSON.stringify(secret).slice(1, -1), inspect(secret).slice(1, -1)])
      assert.ok(!text.includes(spelling), `${spelling} in ${text}`);
}

describe("A token or key", () => {
  const repeated = `Bearer ${token} and ${apiKey} are not known here`;
  const bodies: unknown[] = [
    repeated,
    { message: repeated },
    { detail: [{ loc: ["header", "authorization"], msg: repeated, type: "value_error" }] },
    { request: { headers: { authorization: `Bearer ${token}`, api_key: apiKey } } },
    `${"x".repeat(285)} ${token}`,
  ];
  for (const operation of ["webhook.get", "userStats.get"] as const)
    for (const status of [400, 401, 409, 422, 429, 500])
      it(`is not in the error or the log lines when the service repeats it in a ${String(status)} of ${operation}`, async () => {
        for (const body of bodies) {
          const service = await answering(operation, { status, body, headers: { "retry-after": "3" } });
          const text = shown(await failureOf(service.callAny(operation)), service);
          assertHidden(text, token, apiKey);
          assert.doesNotMatch(text, /token-3f|key-77/);
        }
      });

  it("is not in the error when the connection breaks or the response cannot be read", async () => {
    for (const then of ["reset", { status: 200, body: { id: token, events: [apiKey] } }] as const) {
      const service = await answering("webhook.get", then);
      assertHidden(shown(await failureOf(service.callAny("webhook.get")), service), token, apiKey);
    }
  });

  it("is not in the log lines of a wait", async () => {
    const service = await answering("webhook.get", { status: 429, headers: { "retry-after": "30" } });
    await failureOf(service.callAny("webhook.get"));
    assert.notEqual(service.lines.length, 0);
    assertHidden(service.lines.join("\n"), token, apiKey);
  });
});

describe("A signing secret", () => {
  it("is not in the error when the rest of the response that generated it cannot be read", async () => {
    const body = {
      id: "hook",
      secret: "whsec_very-secret",
      events: "whsec_very-secret",
      has_secret: "whsec_very-secret",
    };
    const service = await answering("webhook.update", { status: 200, body });
    const parameters = { agent_id: "a", webhook_id: "hook" };
    const call = service.call("webhook.update", { parameters, body: { signing: "rotate" }, repeatable: false });
    const text = shown(await failureOf(call), service);
    assert.match(text, /has_secret/);
    assertHidden(text, "whsec_very-secret");
  });
});

describe("A record's value", () => {
  const parameters = { app_id: "app", entity_name: "Person", entity_id: "p-1" };
  const body = { name: "Grace Hopper", born: 1906, notes: ['said "bug"', { rank: "Rear Admiral" }] };
  const values = ["Grace Hopper", "1906", 'said "bug"', "Rear Admiral"];
  const echo = JSON.stringify(body);

  for (const answer of [
    { status: 422, body: { detail: [{ loc: ["body", "name"], msg: `${echo} is refused`, type: "x" }] } },
    { status: 400, body: { message: `Bad record: ${echo}` } },
    { status: 409, body: { existing: body } },
    { status: 500, body: `Traceback: ${echo}` },
  ])
    it(`is not in the error when the service repeats it in a ${String(answer.status)}`, async () => {
      const service = await answering("record.update", answer);
      const failure = await failureOf(service.call("record.update", { parameters, body }));
      assertHidden(shown(failure, service), ...values);
    });

  it("does not hide the names of the refused fields in the error", async () => {
    const detail = [{ loc: ["body", "name"], msg: "Grace Hopper is taken", type: "unique" }];
    const service = await answering("record.update", { status: 422, body: { detail } });
    const { message } = await failureOf(service.call("record.update", { parameters, body }));
    assert.match(
      message,
      /answered 422\.\n {2}The service said: name: \[value\] is taken\n.*\n {2}Nothing was changed\./,
    );
  });
});

describe("A part of a secret targetUrl", () => {
  const target = "https://hooks.example.com/services/T0%2F1/B%20secret?key=Zm9v%2FYmFyLWJheg%3D%3D&v=2&bare-key-12345";
  const parameters = { agent_id: "a", webhook_id: "hook" };
  const repeated = {
    "its path": "/services/T0%2F1/B%20secret",
    "its path without escapes": "/services/T0/1/B secret",
    "its path without the first slash": "services/T0%2F1/B%20secret",
    "its path as JSON with escaped slashes": "\\/services\\/T0%2F1\\/B%20secret",
    "its path and query": "/services/T0%2F1/B%20secret?key=Zm9v%2FYmFyLWJheg%3D%3D",
    "a query value": "Zm9v%2FYmFyLWJheg%3D%3D",
    "a query value without escapes": "Zm9v/YmFyLWJheg==",
    "a query value with lower-case escapes": "Zm9v%2fYmFyLWJheg%3d%3d",
    "a query without a name": "bare-key-12345",
  };
  const calls = {
    "webhook.update": { parameters, body: { target_url: target } },
    "webhook.create": { parameters, body: { target_url: target } },
    "webhook.get": { parameters, secrets: [target] },
    "webhook.list": { parameters, hidden: target },
  };

  for (const [operation, call] of Object.entries(calls) as [keyof typeof calls, object][])
    for (const [name, part] of Object.entries(repeated))
      it(`is not in the error when the service repeats ${name} (${operation})`, async () => {
        const service = await answering(operation, {
          status: 400,
          body: { detail: `hooks.example.com refuses "${part}", see v=2` },
        });
        const failure = await failureOf(service.call(operation, call as { parameters: typeof parameters }));
        const text = shown(failure, service);
        assert.doesNotMatch(text, /T0|secret\?|B%20|B secret|Zm9v|YmFy|bare-key/);
        assert.match(text, /hooks\.example\.com refuses "\[(secret|value)\]/, "the host stays readable");
        assert.match(text, /see v=2/, "a short query value is no key");
      });

  it("may be a long segment of its path", async () => {
    const service = await answering("webhook.update", {
      status: 400,
      body: { detail: "K123456789012345678901 is old" },
    });
    const body = { target_url: "https://hooks.example.com/in/K123456789012345678901" };
    const { message } = await failureOf(service.call("webhook.update", { parameters, body }));
    assert.match(message, /The service said: \[secret\] is old/);
  });

  it("may be its path without the last slash", async () => {
    const detail = "/services/T01/key-123456 is old";
    const service = await answering("webhook.update", { status: 400, body: { detail } });
    const body = { target_url: "https://hooks.example.com/services/T01/key-123456/?a=b" };
    const { message } = await failureOf(service.call("webhook.update", { parameters, body }));
    assert.match(message, /The service said: \[secret\] is old/);
  });

  it("is hidden only where there is one", async () => {
    for (const target_url of [
      "https://hooks.example.com",
      "https://hooks.example.com/",
      "https://hooks.example.com/?a=b",
    ]) {
      const detail = "GET /api/agents?a=b answers / for hooks.example.com";
      const service = await answering("webhook.update", { status: 400, body: { detail } });
      const { message } = await failureOf(service.call("webhook.update", { parameters, body: { target_url } }));
      assert.ok(message.includes(detail), message);
    }
  });
});
