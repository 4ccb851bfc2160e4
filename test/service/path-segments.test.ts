import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { EndpointMap } from "../../provider/service/endpoints";
import { type OperationId, operations, parameterNames } from "../../provider/service/operations";
import { connectionTo, WatchedService } from "./support/client";
import { anyText } from "./support/any-text";

const baseUrl = "https://service.example.com";
const ids = Object.keys(operations) as OperationId[];

/** Text that has a meaning in a URL, in an HTTP request or for a proxy that decodes too much. */
const piece = fc.constantFrom(
  ...["/", "\\", "..", ".", "%", "%2f", "%2e%2e", "%00", "?", "#", ";", "&", "=", ":", "@", "+", " ", "\t", "\r\n"],
  ...["{app_id}", "$&", "$1", "é", "日本", "😀", "\u0000", "\u202e", "\ufeff", "a"],
);
const longest = 4096;
const hostile = fc.oneof(
  anyText(1),
  fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join("")),
  piece.map((one) => one.repeat(Math.ceil(longest / one.length)).slice(0, longest)),
);
/** Every text except those that cannot be one segment, which are refused. */
const anyId = hostile.filter((text) => text !== "." && text !== ".." && text.isWellFormed());

/** The parameters that a server finds in a path of this template, each decoded once. */
function parametersIn(path: string, template: string): Record<string, string> {
  const [segments, expected] = [path.split("/"), template.split("/")];
  assert.equal(segments.length, expected.length, `${path} has another number of segments than ${template}`);
  return Object.fromEntries(
    expected.flatMap((part, index) => {
      const segment = segments[index] ?? "";
      const name = /^\{(.*)\}$/.exec(part)?.[1];
      if (name !== undefined) return [[name, decodeURIComponent(segment)]];
      assert.equal(segment, part);
      return [];
    }),
  );
}

function pathOf(id: OperationId): string {
  return operations[id].endpoint.split(" ")[1] ?? "";
}

function anyParameters(id: OperationId): fc.Arbitrary<Record<string, string>> {
  return fc.record(Object.fromEntries(parameterNames(operations[id].endpoint).map((name) => [name, anyId])), {
    noNullPrototype: true,
  });
}

describe("Ids with any text", () => {
  it("stay in their own segment, in every operation", () => {
    const map = new EndpointMap(connectionTo(baseUrl));
    for (const id of ids)
      fc.assert(
        fc.property(anyParameters(id), (parameters) => {
          const { path } = map.target(id, parameters);
          assert.match(path, /^[!-~]+$/, "a path is printable ASCII");
          const parsed = new URL(baseUrl + path);
          assert.equal(parsed.href, baseUrl + path, "no URL parser may change it");
          assert.deepEqual(parametersIn(parsed.pathname, pathOf(id)), parameters);
        }),
        { numRuns: 60 },
      );
  });

  it("reach the service unchanged, in every operation", async () => {
    const targets: string[] = [];
    const server = http.createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
      targets.push(request.url ?? "");
      request.resume().on("end", () => response.writeHead(403).end("{}"));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const service = new WatchedService(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    try {
      for (const id of ids)
        await fc.assert(
          fc.asyncProperty(anyParameters(id), async (parameters) => {
            targets.length = 0;
            await assert.rejects(service.callAny(id, parameters), /403/);
            assert.deepEqual(
              targets.map((target) => parametersIn(target, pathOf(id))),
              [parameters],
            );
          }),
          { numRuns: 5 },
        );
    } finally {
      await service.close();
      server.close();
    }
  });

  it("are refused before any request when they cannot be one segment, in every operation", () => {
    const map = new EndpointMap(connectionTo(baseUrl));
    for (const id of ids)
      for (const name of parameterNames(operations[id].endpoint))
        for (const bad of ["", ".", "..", "a\ud800", "\udc00b"]) {
          const good = Object.fromEntries(parameterNames(operations[id].endpoint).map((other) => [other, "good"]));
          assert.throws(() => map.target(id, { ...good, [name]: bad }), new RegExp(`^ProviderError: ${name} must`));
        }
  });
});
