import type { IncomingMessage } from "node:http";

const mebibyte = 1024 * 1024;

/** In bytes. A documented request is smaller than 1 MiB, and a record that the package accepts smaller than 4 MiB. */
export const maxRequestBytes = 10 * mebibyte;

/** In bytes. An import or a library of assets is much larger than a request to the service. */
export const maxControlBytes = 64 * mebibyte;

export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The body is larger than ${String(maxBytes / mebibyte)} MiB, the most that the simulator reads.`);
  }
}

/** Headers of its refusal. If the connection were closed at once, a client that is still sending would lose the response. */
export const readable = { connection: "keep-alive" };

/** Reads the body of a request. Throws, and reads no further, if it is larger. */
export async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLargeError(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection stays open for the response.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
