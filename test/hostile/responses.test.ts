import { WatchedService } from "../service/support/client";
import { RawServer } from "../service/support/raw-server";
import { answerWith, wrongs } from "./responses";
import { assertEnds, callOf, hostileAnswers, ids } from "./responses-suite";
import { assertUnpolluted } from "./prototypes";
import { runs, seed } from "./run-count";

hostileAnswers(runs(500));

describe("A hostile response over a socket", () => {
  afterEach(assertUnpolluted);

  it("gives a result or an error too, when it is invalid UTF-8, compressed or without a length", async () => {
    const made = wrongs(runs(300), seed + 1);
    const bytes: Buffer[] = [];
    const server = await RawServer.listen({
      onRequest: ({ socket }) => void socket.end(bytes.shift() ?? ""),
    });
    const service = new WatchedService(server.url);
    const odd = ["", "content-encoding: gzip\r\n", "content-type: text/html; charset=utf-16\r\n", "x-odd: \u00ff\r\n"];
    try {
      for (const [index, wrong] of made.entries()) {
        const id = ids[index % ids.length] ?? "webhook.get";
        const { status, text } = answerWith(id, wrong);
        const head = `HTTP/1.1 ${String(status)} Odd\r\n${odd[index % odd.length] ?? ""}connection: close\r\n\r\n`;
        const noise = index % 3 === 0 ? Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]) : Buffer.alloc(0);
        // Once for each attempt.
        bytes.length = 0;
        for (let attempt = 0; attempt < 5; attempt++)
          bytes.push(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(text), noise]));
        await assertEnds(id, service.call(id, callOf(id)));
      }
    } finally {
      await service.close();
      await server.close();
    }
  });
});
