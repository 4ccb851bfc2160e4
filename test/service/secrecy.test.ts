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

describe("An error hides what the service repeats", () => {
  const record = { app_id: "app", entity_name: "Person", entity_id: "p-1", flow_id: "f-1" };
  const hook = { agent_id: "a", webhook_id: "hook" };
  const url = "https://hooks.example.com/services/T0/canary-1234";
  const calls: [what: string, operation: OperationId, call: object, repeated: string][] = [
    ["of a record", "record.update", { parameters: record, body: { a: [{ b: "canary" }] } }, "canary"],
    ["of a number of a record", "record.update", { parameters: record, body: { born: 1906 } }, "1906"],
    ["of a test", "test.update", { parameters: record, body: { password: "canary" } }, "canary"],
    [
      "of a webhook's URL",
      "webhook.update",
      { parameters: hook, body: { target_url: url } },
      "services/T0/canary-1234",
    ],
    [
      "of a new webhook's URL",
      "webhook.create",
      { parameters: hook, body: { target_url: url } },
      "services/T0/canary-1234",
    ],
    ["of a webhook's description", "webhook.update", { parameters: hook, body: { description: "canary" } }, "canary"],
    [
      "of what the caller names",
      "webhook.get",
      { parameters: hook, hidden: { url: [url] } },
      "services/T0/canary-1234",
    ],
    ["of a coding session", "codingSession.launch", { parameters: record, body: { prompt: "canary" } }, "canary"],
  ];
  for (const [what, operation, call, repeated] of calls)
    it(what, async () => {
      for (const answer of [
        { status: 422, body: { detail: [{ loc: ["body", "name"], msg: `${repeated} is refused`, type: "x" }] } },
        { status: 400, body: { message: `Wrong: ${repeated}` } },
        { status: 409, body: { existing: repeated } },
        { status: 500, body: `Traceback: ${repeated}` },
      ]) {
        const service = await answering(operation, answer);
        const failure = await failureOf(service.call(operation, { repeatable: false, ...call } as never));
        assert.doesNotMatch(shown(failure, service).replaceAll(/Request: .*/g, ""), new RegExp(repeated));
        assert.match(failure.message, new RegExp(`${operation} failed: the service answered ${String(answer.status)}`));
      }
    });

  it("but not the names of refused fields", async () => {
    const detail = [{ loc: ["body", "title"], msg: "canary is taken", type: "unique" }];
    const service = await answering("codingSession.launch", { status: 422, body: { detail } });
    const body = { prompt: "canary" };
    const { message } = await failureOf(service.call("codingSession.launch", { parameters: record, body }));
    assert.match(message, /The service said: title: \(message hidden: it may repeat submitted data\)\n/);
  });
});
