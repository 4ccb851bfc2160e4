import assert from "node:assert/strict";
import dns from "node:dns";
import { type HttpRequest, Transport, type TransportFailure } from "../../provider/service/transport";
import { closedAfterEach } from "./support/close-after-each";
import { closedPort, httpAnswer, type RawBehaviour, type RawConnection, RawServer } from "./support/raw-server";
import { get, post, transportFailureOf } from "./support/transport";

const open = closedAfterEach();

function transportTo(url: string, timeoutMilliseconds = 5_000): Transport {
  return open(new Transport(url, timeoutMilliseconds));
}

async function serverThat(behaviour: RawBehaviour): Promise<RawServer> {
  return open(await RawServer.listen(behaviour));
}

/** Writes to a connection that the client may have closed. */
function write({ socket }: RawConnection, text: string): void {
  if (socket.writable) socket.write(text);
}

const answering = (text: string): RawBehaviour => ({
  onRequest: (connection) => {
    write(connection, text);
  },
});

describe("A request of a step that is interrupted", () => {
  const interrupted = async (request: HttpRequest): Promise<TransportFailure> => {
    const interruption = new AbortController();
    const server = await serverThat({
      onRequest: () => {
        interruption.abort();
      },
    });
    return transportFailureOf(transportTo(server.url, 60_000).send({ ...request, interruption: interruption.signal }));
  };

  it("has 5 s more for its response, if it is a write, and counts as sent", async () => {
    const { message, sent } = await interrupted(post);
    assert.deepEqual([message, sent], ["no response within 5 s after the step was interrupted", true]);
  });

  it("ends at once, if it is a read", async () => {
    for (const request of [get, { ...post, isRead: true }])
      assert.equal((await interrupted(request)).message, "no response when the step was interrupted");
  });
});

describe("A request", () => {
  it("arrives as HTTP/1.1, byte for byte, and its response is returned completely", async () => {
    const server = await serverThat(answering(httpAnswer(201, '{"ünï":true}', { "X-Header": "value" })));
    const answer = await transportTo(`${server.url}/prefix/`).send({ ...post, headers: { "x-own": "1" } });
    assert.deepEqual([answer.status, answer.text, answer.headers["x-header"]], [201, '{"ünï":true}', "value"]);
    assert.deepEqual(server.received.toLowerCase().split("\r\n"), [
      "post /prefix/things http/1.1",
      `host: 127.0.0.1:${String(server.port)}`,
      "connection: close",
      "x-own: 1",
      "content-length: 7",
      "",
      '{"a":1}',
    ]);
  });

  for (const status of [301, 302, 303, 307, 308])
    it(`does not follow a ${String(status)} redirect`, async () => {
      const server = await serverThat(answering(httpAnswer(status, "", { location: "/elsewhere" })));
      const answer = await transportTo(server.url).send(post);
      assert.equal(answer.status, status);
      assert.deepEqual(server.requestLines, ["POST /things"]);
    });

  for (const status of [408, 421, 425, 500, 503])
    for (const request of [post, get])
      it(`is not repeated on ${String(status)} (${request.method})`, async () => {
        const server = await serverThat(answering(httpAnswer(status, "", { "retry-after": "0" })));
        const answer = await transportTo(server.url).send(request);
        assert.equal(answer.status, status);
        assert.deepEqual(server.requestLines, [`${request.method} /things`]);
      });
});

describe("A failed request", () => {
  it("was certainly not sent when every address of the host refuses, and the error names each", async () => {
    const port = await closedPort();
    const original = dns.lookup;
    const addresses = [
      { address: "127.0.0.1", family: 4 },
      { address: "127.0.0.2", family: 4 },
    ];
    const lookup = (_: string, __: unknown, done: (error: null, found: typeof addresses) => void): void => {
      done(null, addresses);
    };
    Object.assign(dns, { lookup });
    try {
      const failure = await transportFailureOf(transportTo(`http://service.test:${String(port)}`).send(post));
      assert.equal(failure.sent, false);
      assert.match(failure.message, /ECONNREFUSED 127\.0\.0\.1:\d+; .*ECONNREFUSED 127\.0\.0\.2/);
    } finally {
      Object.assign(dns, { lookup: original });
    }
  });

  it("counts as sent when the response is larger than the request allows, whatever its length header says", async () => {
    const body = "x".repeat(2_000);
    const chunks = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n${body}\r\n0\r\n\r\n`;
    for (const text of [httpAnswer(200, body), chunks]) {
      const transport = transportTo((await serverThat(answering(text))).url);
      assert.equal((await transport.send({ ...get, maxBytes: 2_000 })).text, body);
      const failure = await transportFailureOf(transport.send({ ...get, maxBytes: 1_024 }));
      assert.deepEqual(
        [failure.sent, failure.message],
        [true, "the response is larger than 1 KiB and was not read to its end"],
      );
    }
  });

  it("gives the same text however its bytes are split on the way", async () => {
    const bytes = Buffer.concat([
      Buffer.from("\ufeff\ufeffä€😀"),
      Buffer.from([0xff, 0xe2, 0x82, 0x41, 0xed, 0xa0, 0x80, 0xf0, 0x9f]),
    ]);
    const chunks = [...bytes].map((byte) => Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte, 13, 10])]));
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    const answer = Buffer.concat([Buffer.from(head), ...chunks, Buffer.from("0\r\n\r\n")]);
    const server = await serverThat({ onRequest: ({ socket }) => void socket.write(answer) });
    assert.equal((await transportTo(server.url).send(get)).text, new TextDecoder().decode(bytes));
  });

  it("keeps its status when the body of an error is too large", async () => {
    for (const [size, isTooLarge] of [
      [65_536, false],
      [65_537, true],
    ] as const) {
      const server = await serverThat(answering(httpAnswer(404, "x".repeat(size))));
      const answer = await transportTo(server.url).send({ ...get, maxBytes: 1_000_000 });
      assert.deepEqual([answer.status, answer.unread !== undefined], [404, isTooLarge]);
      assert.equal(answer.text.length, isTooLarge ? 0 : size);
    }
  });
});

describe("The timeout", () => {
  const timeout = 150;

  it("ends a request that gets no response", async () => {
    const server = await serverThat({});
    for (const request of [post, get]) {
      const failure = await transportFailureOf(transportTo(server.url, timeout).send(request));
      assert.deepEqual([failure.message, failure.sent], ["no response within 0.15 s", true]);
    }
    assert.deepEqual(server.requestLines, ["POST /things", "GET /things"]);
  });

  it("covers the whole exchange, so that a very slow response ends too", async () => {
    const server = await serverThat({
      onRequest: ({ socket }) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
        const dropping = setInterval(() => {
          if (socket.writable) socket.write("x");
        }, 10);
        socket.on("close", () => {
          clearInterval(dropping);
        });
      },
    });
    const failure = await transportFailureOf(transportTo(server.url, timeout).send(get));
    assert.equal(failure.message, "no response within 0.15 s");
    await server.drained();
  });

  it("ends requests that wait for a connection, as certainly not sent", async () => {
    const server = await serverThat({});
    const transport = transportTo(server.url, timeout);
    const paths = Array.from({ length: 100 }, (_, index) => `/waiting/${String(index)}/`);
    const failures = await Promise.all(paths.map((path) => transportFailureOf(transport.send({ ...get, path }))));
    await server.drained();
    const unsent = paths.filter((_, index) => failures[index]?.sent === false);
    assert.notEqual(unsent.length, 0);
    assert.deepEqual(
      unsent.filter((path) => server.received.includes(path)),
      [],
    );
    assert.deepEqual(new Set(failures.map(({ message }) => message)), new Set(["no response within 0.15 s"]));
  });
});

describe("Connections", () => {
  const ok = answering(httpAnswer(200, "{}"));

  it("are pooled: two serve any number of sequential requests", async () => {
    const server = await serverThat(ok);
    const transport = transportTo(server.url);
    for (let index = 0; index < 20; index++) await transport.send({ ...get, method: index % 2 ? "GET" : "PATCH" });
    assert.equal(server.requestLines.length, 20);
    // undici starts the next request while it still returns the last connection to the pool.
    assert.ok(server.connections.length <= 2, String(server.connections.length));
  });

  it("are pooled: at most 32 serve many concurrent requests", async () => {
    const server = await serverThat(ok);
    const transport = transportTo(server.url);
    await Promise.all(Array.from({ length: 200 }, () => transport.send(get)));
    assert.equal(server.requestLines.length, 200);
    assert.ok(server.connections.length <= 32, String(server.connections.length));
  });

  it("carry one request at a time, so that a broken connection leaves only one request uncertain", async () => {
    let most = 0;
    const server = await serverThat({
      onRequest: (connection) => {
        const { received, requests } = connection;
        most = Math.max(most, (received.match(/ HTTP\/1\.1\r\n/g) ?? []).length - (requests - 1));
        setImmediate(() => {
          write(connection, httpAnswer(200, "{}"));
        });
      },
    });
    const transport = transportTo(server.url);
    await Promise.all(Array.from({ length: 100 }, () => transport.send(get)));
    assert.equal(most, 1);
  });

  it("are opened for a single request on demand", async () => {
    const server = await serverThat(ok);
    const transport = transportTo(server.url);
    await transport.send(get);
    for (let index = 0; index < 5; index++) await transport.send(post);
    await Promise.all(Array.from({ length: 10 }, () => transport.send(post)));
    assert.equal(server.connections.length, 16);
    for (const { received, requests } of server.connections) {
      assert.equal(requests, 1);
      assert.match(received, received.startsWith("POST") ? /connection: close/i : /connection: keep-alive/i);
    }
  });
});
