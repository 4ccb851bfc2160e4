import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { MissingObjectError } from "./collection";
import type { Exchange, ExchangedMessage } from "./types";

/** The characters of one body that are kept. The request log has every JSON body of a request in full. */
const maxBodyLength = 64 * 1024;

/** The characters of all kept exchanges together. Beyond it, the oldest are forgotten. */
const maxCharacters = 32 * 1024 * 1024;

/** The exchanges of logged requests, by number. No credential is kept: their values are replaced before. */
export class Exchanges {
  private readonly kept = new Map<number, Exchange>();
  private characters = 0;

  received(number: number, request: Exchange["request"]): void {
    this.keep(number, { request, response: "none" });
  }

  responded(number: number, response: Exchange["response"]): void {
    const exchange = this.kept.get(number);
    if (exchange !== undefined) this.keep(number, { ...exchange, response });
  }

  get(number: number): Exchange {
    const exchange = this.kept.get(number);
    if (exchange !== undefined) return structuredClone(exchange);
    throw new MissingObjectError(
      `The exchange of request ${String(number)} is not kept: there is no such request, or it was long ago.`,
    );
  }

  clear(): void {
    this.kept.clear();
    this.characters = 0;
  }

  private keep(number: number, exchange: Exchange): void {
    this.characters += sizeOf(exchange) - sizeOf(this.kept.get(number));
    this.kept.set(number, exchange);
    for (const [oldest, forgotten] of this.kept) {
      if (this.characters <= maxCharacters) break;
      this.kept.delete(oldest);
      this.characters -= sizeOf(forgotten);
    }
  }
}

function sizeOf(exchange: Exchange | undefined): number {
  if (exchange === undefined) return 0;
  const { request, response } = exchange;
  return request.path.length + lengthOf(request) + (typeof response === "string" ? 0 : lengthOf(response));
}

function lengthOf({ headers, body }: ExchangedMessage): number {
  return body.length + Object.entries(headers).flat().join("").length;
}

/** A message to keep. */
export function messageOf(headers: IncomingHttpHeaders | OutgoingHttpHeaders, body: string): ExchangedMessage {
  const shown = Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? secret : String(value)]);
  const kept = Object.fromEntries(shown) as Record<string, string>;
  if (body.length <= maxBodyLength) return { headers: kept, body };
  // Through a buffer, because a slice keeps the whole text in memory.
  return { headers: kept, body: Buffer.from(body.slice(0, maxBodyLength)).toString(), fullLength: body.length };
}

const secret = "[secret]";

/** Whether a header or a query parameter may hold a credential, by its name, whatever the service makes of it. */
function isSecret(name: string): boolean {
  return /\bauth(orization|entication)?\b|api.?key|^key$|token|cookie|secret|password|credential/i.test(
    name.replaceAll("_", "-"),
  );
}

/** The request target without credentials in its query. */
export function pathWithoutSecrets(path: string): string {
  const [before = "", ...query] = path.split("?");
  if (query.length === 0) return path;
  const parameters = query.join("?").split("&");
  const shown = parameters.map((parameter) => {
    const [name = "", ...value] = parameter.split("=");
    return value.length > 0 && isSecret(decoded(name)) ? `${name}=${secret}` : parameter;
  });
  return `${before}?${shown.join("&")}`;
}

function decoded(name: string): string {
  return [...new URLSearchParams(name).keys()].join();
}

/**
 * The text of a response body without the secret of a webhook and the values of a connection. No operation takes a
 * credential in the body of its request, so those are kept as sent.
 */
export function withoutSecrets(body: unknown): string {
  if (body === undefined) return "";
  if (typeof body !== "string") return JSON.stringify(body, masked);
  const json = jsonIn(body);
  const text = JSON.stringify(json, masked);
  // As it was written, if there is nothing to mask.
  return text === JSON.stringify(json) ? body : text;
}

/** Undefined if it is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces secrets in `JSON.stringify`. */
function masked(name: string, value: unknown): unknown {
  if (value === null) return value;
  if (name === "secret") return secret;
  if (name !== "connection_config") return value;
  return typeof value === "object" ? Object.fromEntries(Object.keys(value).map((key) => [key, secret])) : secret;
}
