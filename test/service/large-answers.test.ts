import assert from "node:assert/strict";
import { LookupRun } from "../../provider/pulumi/lookup-run";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignsLookup } from "../../provider/lookups/campaigns";
import { ServiceClient } from "../../provider/service/client";
import { readAll } from "../../provider/service/lists";
import type { OperationId } from "../../provider/service/operations";
import { pieceSize } from "../../provider/service/pieces";
import { TransportFailure } from "../../provider/service/transport";
import { goodAnswers } from "../hostile/good-answers";
import { VirtualClock } from "../support/clock";
import { connectionTo, failureOf } from "./support/client";

/** A client of a service that answers with this text. */
function answeredBy(text: string): ServiceClient {
  const transport = { send: () => Promise.resolve({ status: 200, headers: {}, text }), close: () => Promise.resolve() };
  return new ServiceClient(connectionTo("https://service.example.com"), new VirtualClock(), () => undefined, transport);
}

/** What comes of the work, and how often others in the process had their turn before it was done. */
async function watched<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    return { result: await work, turns };
  } finally {
    isDone = true;
  }
}

const parameters = { agent_id: "agent", webhook_id: "hook", app_id: "app", entity_name: "Note", entity_id: "record" };
const hooks = { agent_id: "agent" };
const webhook = (id: string): string => JSON.stringify({ ...goodAnswers["webhook.get"], id });
const listOf = (count: number, row: (id: string) => string): string =>
  `[${Array.from({ length: count }, (_, index) => row(`row-${String(index)}`)).join()}]`;

describe("A large answer", () => {
  it("of a list leaves others their turn while it is looked through, parsed and checked, and keeps its order", async () => {
    const text = listOf(5_000, webhook);
    const pieces = Math.floor(text.length / pieceSize);
    assert.ok(pieces > 20, String(pieces));
    const { result, turns } = await watched(readAll(answeredBy(text), "webhook.list", hooks));
    assert.ok(turns >= 3 * pieces, `${String(turns)} turns for ${String(pieces)} pieces`);
    assert.deepEqual(
      result.map(({ id }) => id),
      Array.from({ length: 5_000 }, (_, index) => `row-${String(index)}`),
    );
  });

  it("names the rows that are wrong as a small one does, however late they come", async () => {
    const text = `[${listOf(5_000, webhook).slice(1, -1)},{"id":"","events":[1]}]`;
    const { message } = await failureOf(readAll(answeredBy(text), "webhook.list", hooks));
    assert.match(
      message,
      /webhooks\.5000\.id: Too small.*webhooks\.5000\.events\.0: Invalid input: expected string, received number; .*received undefined\)/,
    );
  });

  it("is checked within its rows too, where one of them is large", async () => {
    const events = (last: string): string => `["${"message.completed".repeat(5)}",${'"e",'.repeat(60_000)}${last}]`;
    const text = (last: string): string => `[${webhook("one").replace('["message.completed"]', () => events(last))}]`;
    const { result, turns } = await watched(readAll(answeredBy(text('"end"')), "webhook.list", hooks));
    assert.deepEqual([result[0]?.events.length, result[0]?.events.at(-1)], [60_002, "end"]);
    assert.ok(turns >= 3 * Math.floor((60_000 * 4) / pieceSize), String(turns));
    const { message } = await failureOf(readAll(answeredBy(text("7")), "webhook.list", hooks));
    assert.match(message, /webhooks\.0\.events\.60001: Invalid input: expected string, received number/);
  });

  it("that is no list says what was expected, as a small one does", async () => {
    const { message } = await failureOf(
      readAll(answeredBy(`{"webhooks":{"a":"${"x".repeat(pieceSize)}"}}`), "webhook.list", hooks),
    );
    assert.match(message, /webhooks: Invalid input: expected array, received object/);
  });

  for (const [id, most] of [
    ["webhook.get", 20_000],
    ["record.get", 50_000],
    ["record.list", 300_000],
  ] as const satisfies [OperationId, number][])
    it(`to ${id} of more than ${String(most)} values is unreadable`, async () => {
      const call = answeredBy(`{"id":"a","list":[${"1000,".repeat(most)}0]}`).call(id, { parameters, once: true });
      const { message } = await failureOf(call);
      assert.match(message, new RegExp(`could not be read \\(body: more than ${String(most)} values\\)`));
      assert.match(message, /more than this package reads of one answer: make the object smaller/);
    });

  it("beyond its bytes is asked for three times at most, and said to be too large", async () => {
    let requests = 0;
    const send = (): Promise<never> => {
      requests++;
      return Promise.reject(new TransportFailure("the answer is larger than 1024 KiB", true, 200));
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
    assert.match(message, /larger than 1024 KiB\. .*make the object smaller/);
  });

  it("to a look-up leaves others their turn also while its result is made and copied", async () => {
    const voice = { say: () => undefined, warn: () => undefined };
    const ask = (text: string, lookup: typeof adAssetsLookup | typeof campaignsLookup): Promise<unknown> =>
      new LookupRun(answeredBy(text), new VirtualClock()).ask<{ appId: string }, unknown>(
        lookup,
        { appId: "app" },
        voice,
      );
    // In so few pieces that most turns are those of the rows.
    const assets = await watched(ask(`{"library":${listOf(60_000, () => "{}")}}`, adAssetsLookup));
    assert.ok(assets.turns >= 60 + 120, String(assets.turns));
    const campaign = (id: string): string => `{"id":"${id}","campaign_name":"","status":""}`;
    const campaigns = await watched(ask(listOf(20_000, campaign), campaignsLookup));
    assert.ok(campaigns.turns >= 20 + 20 + 40, String(campaigns.turns));
  });
});

describe("An answer of the usual size", () => {
  it("is read, checked and handed on without a turn of the event loop", async () => {
    const text = listOf(100, webhook);
    assert.ok(text.length < pieceSize);
    assert.equal((await watched(readAll(answeredBy(text), "webhook.list", hooks))).turns, 0);
  });
});
