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
