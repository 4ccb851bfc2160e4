import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { MissingObjectError } from "./collection";
import type { Exchange, ExchangedMessage } from "./types";

/** The characters of one body that are kept. The request log has every JSON body of a request in full. */
const longestBody = 64 * 1024;

/** The characters of all kept exchanges together. Beyond it, the oldest are forgotten. */
const mostCharacters = 32 * 1024 * 1024;

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
      if (this.characters <= mostCharacters) break;
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
  if (body.length <= longestBody) return { headers: kept, body };
  // Through a buffer, because a slice keeps the whole text in memory.
  return { headers: kept, body: Buffer.from(body.slice(0, longestBody)).toString(), fullLength: body.length };
}

const secret = "[secret]";

/** Whether a header may hold a credential, by its name, whatever the service makes of it. */
function isSecret(name: string): boolean {
  return /^(proxy-)?authorization$|api.?key|token|cookie|secret|password/i.test(name);
}

/** JSON of a body without the secrets that the service generated, such as that of a webhook. */
export function withoutSecrets(body: unknown): string {
  if (body === undefined) return "";
  if (typeof body === "string") return body;
  return JSON.stringify(body, (name, value: unknown) => (name === "secret" && value !== null ? secret : value));
}
