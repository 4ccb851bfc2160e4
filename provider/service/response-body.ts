import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";

const kibibyte = 1024;

/** The text of a body, or why it was not read: a sentence about the response without its subject. */
type BodyText = { readonly text: string } | { readonly unread: string; readonly isTooLarge: boolean };

/** No encoding is asked for, but a server or a proxy may compress nevertheless. */
const decoders = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["deflate", () => zlib.createInflate()],
  ["br", () => zlib.createBrotliDecompress()],
]);

/** Reads a body to its end, decompressed. One of more than `maxBytes` is not read any further, and its connection closed. */
export async function readText(response: Dispatcher.ResponseData, maxBytes: number): Promise<BodyText> {
  const { body } = response;
  const encoding = encodingOf(response);
  const decoder = decoders.get(encoding);
  if (decoder === undefined && encoding !== "identity") {
    body.on("error", () => undefined).destroy();
    return { unread: `is encoded as ${encoding}, which is not supported`, isTooLarge: false };
  }
  // The reader below gets the errors of the whole pipeline.
  const plain = decoder === undefined ? body : pipeline(body, decoder(), () => undefined);
  const text = await textOf(plain, maxBytes);
  return text === undefined
    ? { unread: `is larger than ${String(maxBytes / kibibyte)} KiB and was not read to its end`, isTooLarge: true }
    : { text };
}

/** An empty body is not encoded, whatever its headers say. */
function encodingOf({ statusCode, headers }: Dispatcher.ResponseData): string {
  const isEmpty = statusCode === 204 || headers["content-length"] === "0";
  return isEmpty ? "identity" : String(headers["content-encoding"] ?? "identity").toLowerCase();
}

async function textOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | undefined> {
  // As in fetch: a byte order mark is dropped, and invalid UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
