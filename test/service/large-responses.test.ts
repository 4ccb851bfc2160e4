import assert from "node:assert/strict";
import { ServiceClient } from "../../provider/service/client";
import { readAll } from "../../provider/service/lists";
import { TransportFailure } from "../../provider/service/transport";
import { validResponses } from "../hostile/valid-responses";
import { VirtualClock } from "../support/clock";
import { connectionTo, failureOf } from "./support/client";

/** A client of a service that responds with this text. */
function answeredBy(text: string): ServiceClient {
  const transport = { send: () => Promise.resolve({ status: 200, headers: {}, text }), close: () => Promise.resolve() };
  return new ServiceClient(connectionTo("https://service.example.com"), new VirtualClock(), () => undefined, transport);
}

const parameters = { agent_id: "agent", webhook_id: "hook" };
const hooks = { agent_id: "agent" };
const webhook = (id: string): string => JSON.stringify({ ...validResponses["webhook.get"], id });
const listOf = (count: number, row: (id: string) => string): string =>
  `[${Array.from({ length: count }, (_, index) => row(`row-${String(index)}`)).join()}]`;

describe("A large response", () => {
  it("of a list is read completely and keeps its order", async () => {
    const text = listOf(5_000, webhook);
    assert.ok(text.length > 1024 * 1024, String(text.length));
    const rows = await readAll(answeredBy(text), "webhook.list", hooks);
    assert.deepEqual(
      rows.map(({ id }) => id),
      Array.from({ length: 5_000 }, (_, index) => `row-${String(index)}`),
    );
  });

  it("names the wrong rows like a small one, however late they come", async () => {
    const text = `[${listOf(5_000, webhook).slice(1, -1)},{"id":"","events":[1]}]`;
    const { message } = await failureOf(readAll(answeredBy(text), "webhook.list", hooks));
    assert.match(
      message,
      /webhooks\.5000\.id: Too small.*webhooks\.5000\.events\.0: Invalid input: expected string, received number; .*received undefined\./,
    );
  });

  it("is also validated within its rows, when one of them is large", async () => {
    const events = (last: string): string => `["${"message.completed".repeat(5)}",${'"e",'.repeat(60_000)}${last}]`;
    const text = (last: string): string => `[${webhook("one").replace('["message.completed"]', () => events(last))}]`;
    const rows = await readAll(answeredBy(text('"end"')), "webhook.list", hooks);
    assert.deepEqual([rows[0]?.events.length, rows[0]?.events.at(-1)], [60_002, "end"]);
    const { message } = await failureOf(readAll(answeredBy(text("7")), "webhook.list", hooks));
    assert.match(message, /webhooks\.0\.events\.60001: Invalid input: expected string, received number/);
  });

  it("that is not a list says what was expected, like a small one", async () => {
    const { message } = await failureOf(
      readAll(answeredBy(`{"webhooks":{"a":"${"x".repeat(100_000)}"}}`), "webhook.list", hooks),
    );
    assert.match(message, /webhooks: Invalid input: expected array, received object/);
  });

  it("above the byte limit is requested at most three times, and reported as too large", async () => {
    let requests = 0;
    const send = (): Promise<never> => {
      requests++;
      return Promise.reject(new TransportFailure("the response is larger than 1024 KiB", true, 200));
    };
    const transport = { send, close: () => Promise.resolve() };
    const service = new ServiceClient(
      connectionTo("https://service.example.com"),
      new VirtualClock(),
      () => undefined,
      transport,
    );
    const { message } = await failureOf(service.call("webhook.get", { parameters }));
    assert.equal(requests, 3);
    assert.match(message, /larger than 1024 KiB\..*Make the object smaller/s);
  });
});
