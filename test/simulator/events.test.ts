import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listener, LoggedRequest, Simulator } from "../../simulator";
import { sendEvents } from "../../simulator/control/event-stream";
import { Events } from "../../simulator/events";
import { onSimulator, until, webhookBody } from "./support";

interface Received {
  event: string;
  data: unknown;
}

/** A reader of the simulator's events, on a connection of its own. */
class Reader {
  readonly received: Received[] = [];
  private rest = "";

  private constructor(
    private readonly sent: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const blocks = (this.rest + chunk).split("\n\n");
      this.rest = blocks.pop() ?? "";
      for (const block of blocks) this.take(block);
    });
    // The simulator closes, or the test does.
    response.on("error", () => undefined);
  }

  static async open({ port }: Pick<Simulator, "port">): Promise<Reader> {
    const sent = request({ host: "127.0.0.1", port, path: "/__simulator/events", agent: false });
    sent.on("error", () => undefined);
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return new Reader(sent, response);
  }

  private take(block: string): void {
    const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    if (event === "") assert.match(block, /^: /, "a comment");
    else this.received.push({ event, data: JSON.parse(data) });
  }

  /** The kinds of changes so far. */
  changes(): Set<string> {
    const changed = this.received.filter(({ event }) => event === "changed");
    return new Set(changed.flatMap(({ data }) => (data as { what: string[] }).what));
  }

  requests(): LoggedRequest[] {
    return this.received.filter(({ event }) => event === "request").map(({ data }) => data as LoggedRequest);
  }

  forget(): void {
    this.received.length = 0;
  }

  close(): void {
    this.sent.destroy();
  }

  /** Resolves when the connection is closed, by whom it may be. */
  get closed(): Promise<void> {
    return new Promise((resolve) => this.response.once("close", resolve));
  }
}

describe("The simulator's events", () => {
  const { simulator, get, post, control } = onSimulator();
  const hooks = "/api/agents/a/webhooks";
  const create = () => post(hooks, webhookBody);

  it("show a request when it arrives and when its status is known, to each of two readers", async () => {
    const readers = [await Reader.open(simulator), await Reader.open(simulator)];
    simulator.fault({ operation: "webhook.create", then: "hold" });
    const created = create();
    for (const reader of readers) {
      await until(() => reader.requests().length === 1);
      const [entry] = reader.requests();
      assert.deepEqual([entry?.operation, entry?.status, entry?.milliseconds], ["webhook.create", "none", undefined]);
    }
    await simulator.release();
    await created;
    for (const reader of readers) {
      await until(() => reader.requests().length === 2 && reader.changes().has("objects"));
      assert.deepEqual(reader.requests()[1], JSON.parse(JSON.stringify(simulator.requests[0])));
      assert.equal(reader.requests()[1]?.status, 200);
    }
  });

  it("are a stream that no cache keeps, and a HEAD gets the headers only, and ends", async () => {
    const { response } = await Reader.open(simulator);
    const { status, headers, text } = await control("HEAD", "events");
    for (const [code, { "content-type": type, "cache-control": cache }] of [
      [response.statusCode, response.headers],
      [status, headers],
    ] as const)
      assert.deepEqual([code, type, cache], [200, "text/event-stream", "no-store"]);
    assert.equal(text, "");
  });

  for (const [what, path, body, told] of [
    ["a reset", "reset", undefined, ["clock", "faults", "objects", "requests"]],
    ["a change by the control interface", "objects/folders", { id: "f" }, ["objects"]],
  ] as const)
    it(`tell of ${what}`, async () => {
      const reader = await Reader.open(simulator);
      await control(body ? "PUT" : "POST", path, body);
      await until(() => reader.changes().size >= told.length);
      assert.deepEqual([...reader.changes()].toSorted(), told);
    });

  it("tell of a fault that is used up, and nothing of objects that are only read", async () => {
    simulator.fault({ operation: "webhook.list", then: { status: 500 } });
    const reader = await Reader.open(simulator);
    await get(hooks);
    await until(() => reader.changes().has("faults"));
    await get(hooks);
    simulator.objects.all();
    await control("GET", "objects");
    simulator.clock.advance(1);
    await until(() => reader.changes().has("clock"));
    assert.deepEqual([...reader.changes()].toSorted(), ["clock", "faults"]);
  });

  it("say how long a request waited whose caller gave up", async () => {
    const reader = await Reader.open(simulator);
    simulator.fault({ operation: "webhook.create", then: "hang" });
    const abandoned = new AbortController();
    const gone = fetch(simulator.url + hooks, { method: "POST", signal: abandoned.signal });
    await until(() => reader.requests().length === 1);
    abandoned.abort();
    await assert.rejects(gone);
    await until(() => reader.requests().length === 2);
    assert.equal(reader.requests()[1]?.status, "none");
    assert.equal(typeof reader.requests()[1]?.milliseconds, "number");
  });

  it("do not show a request again that was cleared while it waited", async () => {
    const reader = await Reader.open(simulator);
    simulator.fault({ operation: "webhook.create", then: "hold" });
    const created = create();
    await until(() => reader.requests().length === 1);
    simulator.clearRequests();
    await simulator.release();
    await created;
    await until(() => reader.changes().has("objects"));
    assert.equal(reader.requests().length, 1);
  });

  it("go on for others when a reader leaves", async () => {
    const [one, other] = [await Reader.open(simulator), await Reader.open(simulator)];
    const closed = one.closed;
    one.close();
    await closed;
    other.forget();
    await create();
    await until(() => other.requests().length === 2);
    assert.deepEqual(one.received, []);
  });

  it("do not keep the simulator from closing", async () => {
    const { closed } = await Reader.open(simulator);
    await simulator.close();
    await closed;
  });

  it("end for a listener in the same process when it asks", async () => {
    const told: unknown[] = [];
    const stop = simulator.listen({ request: ({ status }) => told.push(status), changed: (what) => told.push(what) });
    await create();
    assert.deepEqual(told, ["none", "objects", 200]);
    stop();
    await create();
    assert.equal(told.length, 3);
  });
});

describe("A slow reader of the simulator's events", () => {
  const entry = (number: number, size: number) =>
    ({ number, status: 200, body: "x".repeat(size) }) as unknown as LoggedRequest;

  it("has a bounded number of bytes waiting, and is told to read the log when it has caught up", async () => {
    const events = new Events();
    const listen = (listener: Listener) => events.listen(listener);
    let outgoing: ServerResponse | undefined;
    const server = createServer((_, response) => {
      outgoing = response;
      sendEvents({ listen }, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const reader = await Reader.open({ port });
    reader.response.pause();
    // The system's own buffers take some megabytes.
    for (let number = 1; number <= 1_000; number++) {
      events.request(entry(number, 100_000));
      if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (let times = 0; times < 1_000; times++) events.changed("objects");
    assert.ok((outgoing?.writableLength ?? Infinity) < 2_000_000, "bytes that wait");
    reader.response.resume();
    await until(() => reader.changes().size === 2);
    assert.deepEqual([...reader.changes()], ["requests", "objects"]);
    assert.ok(reader.requests().length < 1_000, "some were left out");
    reader.forget();
    events.request(entry(1_001, 1));
    await until(() => reader.requests()[0]?.number === 1_001);
    reader.close();
    server.close();
    await once(server, "close");
  });
});
