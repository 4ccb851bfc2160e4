import assert from "node:assert/strict";
import zlib from "node:zlib";
import { Transport } from "../../provider/service/transport";
import { failureOf, WatchedService } from "./support/client";
import { closedAfterEach } from "./support/close-after-each";
import { httpAnswer, RawServer } from "./support/raw-server";
import { get, post, transportFailureOf } from "./support/transport";

const open = closedAfterEach();

async function serverThatWrites(...parts: (string | Buffer)[]): Promise<RawServer> {
  return open(
    await RawServer.listen({
      onRequest: ({ socket }) => {
        for (const part of parts) if (socket.writable) socket.write(part);
      },
    }),
  );
}

function answerWith(body: Buffer, encoding: string, status = 200): Buffer {
  const headers = { "content-encoding": encoding, "content-length": String(body.length) };
  return Buffer.concat([Buffer.from(httpAnswer(status, "", headers)), body]);
}

function sending(server: RawServer, request = get) {
  return open(new Transport(server.url, 5_000)).send(request);
}

describe("An interim response", () => {
  for (const interim of ["103 Early Hints\r\nlink: </style.css>; rel=preload", "102 Processing", "110 Something new"])
    it(`of ${interim.slice(0, 3)} is ignored, and the final response is returned`, async () => {
      const server = await serverThatWrites(`HTTP/1.1 ${interim}\r\n\r\n`.repeat(2), httpAnswer(200, '{"a":1}'));
      for (const request of [post, get, get]) {
        const { status, text, headers } = await sending(server, request);
        assert.deepEqual([status, text, headers["link"]], [200, '{"a":1}', undefined]);
      }
      assert.equal(server.requestLines.length, 3);
    });
});

describe("A compressed response that was not asked for", () => {
  const text = JSON.stringify({ ünï: "x".repeat(2000) });
  const encodings: [string, Buffer][] = [
    ["gzip", zlib.gzipSync(text)],
    ["x-gzip", zlib.gzipSync(text)],
    ["GZIP", zlib.gzipSync(text)],
    ["deflate", zlib.deflateSync(text)],
    ["br", zlib.brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
  ];
  for (const [encoding, body] of encodings)
    it(`with ${encoding} is decompressed`, async () => {
      const server = await serverThatWrites(answerWith(body, encoding));
      assert.equal((await sending(server)).text, text);
      assert.doesNotMatch(server.received, /accept-encoding/i);
    });

  it("of a refusal is decompressed too, so that the service's words are shown", async () => {
    const body = zlib.gzipSync(JSON.stringify({ detail: "the budget is too low" }));
    const server = await serverThatWrites(answerWith(body, "gzip", 400));
    const service = open(new WatchedService(server.url));
    const failure = await failureOf(service.callAny("campaign.launch"));
    assert.deepEqual([failure.certainty, failure.serviceMessage], ["refused", "the budget is too low"]);
  });

  it("that unpacks to more than is read, fails at the limit and not in memory", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(64 * 1024 * 1024, "x"));
    assert.ok(bomb.length < 100_000);
    const failure = await transportFailureOf(sending(await serverThatWrites(answerWith(bomb, "gzip"))));
    assert.match(failure.message, /larger than 1024 KiB/);
    assert.deepEqual([failure.sent, failure.status], [true, 200]);
  });

  it("that is broken leaves the outcome uncertain", async () => {
    const half = zlib.gzipSync(text).subarray(0, 40);
    for (const body of [half, Buffer.from("not gzip at all")]) {
      const failure = await transportFailureOf(sending(await serverThatWrites(answerWith(body, "gzip")), post));
      assert.equal(failure.sent, true);
    }
  });

  it("in an encoding that this package does not know, is an error that names the encoding", async () => {
    const server = await serverThatWrites(answerWith(Buffer.from("{}"), "compress"));
    const failure = await transportFailureOf(sending(server, post));
    assert.deepEqual([failure.sent, failure.status], [true, undefined]);
    assert.match(failure.message, /encoded as compress, which is not supported/);
  });

  it("in such an encoding does not hide that the service refused", async () => {
    const server = await serverThatWrites(answerWith(Buffer.from("?"), "compress", 403));
    const failure = await failureOf(open(new WatchedService(server.url)).callAny("campaign.launch"));
    assert.deepEqual([failure.certainty, failure.status], ["refused", 403]);
  });

  it("without a body is an empty response", async () => {
    for (const answer of [
      answerWith(Buffer.alloc(0), "gzip"),
      "HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n",
    ])
      assert.equal((await sending(await serverThatWrites(answer))).text, "");
  });
});

describe("A 204 to the removal of an app from a folder", () => {
  it("counts as done", async () => {
    const server = await serverThatWrites("HTTP/1.1 204 No Content\r\n\r\n");
    await open(new WatchedService(server.url)).callAny("folderItem.remove");
    assert.equal(server.requestLines.length, 1);
  });

  it("is needed where there is no body: an empty 200 proves nothing", async () => {
    const server = await serverThatWrites(httpAnswer(200));
    const failure = await failureOf(open(new WatchedService(server.url)).callAny("folderItem.remove"));
    assert.equal(failure.certainty, "uncertain");
  });
});
