import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { bearer, onSimulator, send } from "./support";

const mebibyte = 1024 * 1024;
const records = "/api/apps/a/entities/Note";
const headers = { "content-type": "application/json", ...bearer("full-access-token") };

describe("A request body, to the simulator,", () => {
  const { simulator } = onSimulator();

  /** Sends a body that never ends, and returns the response. */
  async function sendWithoutEnd(method: string, path: string) {
    const outgoing = request({ host: "127.0.0.1", port: simulator.port, path, method, headers, agent: false });
    const chunk = Buffer.alloc(mebibyte, "x");
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    // The simulator closes the connection after its response.
    outgoing.on("error", () => undefined);
    const more = (): void => {
      while (!outgoing.destroyed && outgoing.write(chunk));
    };
    outgoing.on("drain", more);
    more();
    const [incoming] = await answered;
    const body = JSON.parse(await text(incoming)) as { code?: string; error?: string };
    outgoing.destroy();
    return { status: incoming.statusCode, body };
  }

  const record = (bytes: number): string => `{"note":"${"x".repeat(bytes - '{"note":""}'.length)}"}`;

  it("is read up to 10 MiB, and refused with 413 above, which changes and logs nothing", async () => {
    assert.equal((await send(simulator, "POST", records, { body: record(10 * mebibyte) })).status, 200);
    const { status, json } = await send(simulator, "POST", records, { body: record(10 * mebibyte + 1) });
    const message = "The body is larger than 10 MiB, the most that the simulator reads.";
    assert.deepEqual([status, json], [413, { code: "body_too_large", message }]);
    assert.deepEqual([simulator.objects.records("a", "Note").length, simulator.requests.length], [1, 1]);
  });

  it("is counted in bytes", async () => {
    const body = `{"note":"${"é".repeat(6 * mebibyte)}"}`;
    assert.equal((await send(simulator, "POST", records, { body })).status, 413);
  });

  it("is refused while it is still being sent, without its length", async () => {
    for (const path of [records, "/elsewhere"]) {
      const { status, body } = await sendWithoutEnd("POST", path);
      assert.deepEqual([status, body.code], [413, "body_too_large"], path);
    }
    assert.equal((await send(simulator, "POST", records, { body: { note: "x" } })).status, 200);
  });

  it("is refused before it is sent, by its length", async () => {
    const declared = { ...headers, "content-length": String(950 * mebibyte) };
    const { status, json } = await send(simulator, "POST", records, { body: "{", headers: declared });
    assert.deepEqual([status, json.code], [413, "body_too_large"]);
  });

  it("of the control interface is read up to 64 MiB, and refused with 413 above", async () => {
    const path = "/__simulator/advertising/assets";
    const body = { appId: "a", library: [{ note: "x".repeat(12 * mebibyte) }] };
    assert.equal((await send(simulator, "PUT", path, { body })).status, 200);
    const refused = await sendWithoutEnd("PUT", path);
    const error = "The body is larger than 64 MiB, the most that the simulator reads.";
    assert.deepEqual(refused, { status: 413, body: { error } });
  });
});
