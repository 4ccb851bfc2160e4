import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { operations, parameterNames } from "../provider/service/operations";
import { maxRequestBytes, readText } from "./body";
import { presented } from "./credentials";
import { messageOf, pathWithoutSecrets, withoutSecrets } from "./exchanges";
import type { Service, ServiceAnswer } from "./service";
import type { LoggedRequest, OperationId, RequestFault } from "./types";
import { readBody } from "./validation";

export type SimulatorContext = Context<{ Bindings: HttpBindings }>;

/** Reads and logs a request. `operation` is undefined if no operation has this method and path. */
export async function receive(service: Service, context: SimulatorContext, operation: OperationId | undefined) {
  const { incoming, outgoing } = context.env;
  const text = await readText(incoming, maxRequestBytes);
  const request = {
    operation,
    parameters: operation === undefined ? {} : parametersOf(context, operation),
    body: readBody(text, incoming.headers["content-type"]),
    presented: presented(incoming.headers),
    query: context.req.query(),
    language: incoming.headers["accept-language"],
    idempotencyKey: headerOf(incoming, "idempotency-key"),
  };
  const received = {
    operation,
    method: incoming.method ?? "",
    path: pathWithoutSecrets(incoming.url ?? ""),
    parameters: request.parameters,
    body: "json" in request.body ? request.body.json : undefined,
    credential: request.presented.form,
    ...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
  };
  const entry = service.log.add(received, messageOf(incoming.headers, text));
  outgoing.once("close", () => {
    service.log.closed(entry);
  });
  return { request, entry };
}

/** A header as one string: Node joins the values of most headers that are sent twice. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function parametersOf(context: SimulatorContext, operation: OperationId): Record<string, string> {
  const names = parameterNames(operations[operation].endpoint);
  return Object.fromEntries(names.map((name) => [name, context.req.param(name) ?? ""]));
}

/** Carries out one request of an operation, and sends the response or what a fault replaces it with. */
export async function exchange(
  service: Service,
  context: SimulatorContext,
  operation: OperationId,
  closing: AbortSignal,
): Promise<Response> {
  const { outgoing } = context.env;
  const { request, entry } = await receive(service, context, operation);
  const own = () => service.answer({ ...request, operation });
  const fault = service.faults.meet(operation, request.parameters);
  if (fault === undefined) return send(service, outgoing, entry, own());

  const committed = fault.commit === true ? own() : undefined;
  if (fault.delayMilliseconds !== undefined) await delay(fault.delayMilliseconds, undefined, { signal: closing });
  const answer = (given = committed ?? own()) => send(service, outgoing, entry, given);
  const reset = () => {
    service.log.responded(entry, "reset");
    outgoing.socket?.resetAndDestroy();
  };
  if (fault.then !== "hold") return finish(fault.then, answer, reset);
  const release = () => {
    answer();
    return sent(outgoing);
  };
  service.held.add({ send: release, reset });
  return RESPONSE_ALREADY_SENT;
}

function finish(
  then: Exclude<RequestFault["then"], "hold">,
  answer: (given?: ServiceAnswer) => Response,
  reset: () => void,
): Response {
  switch (then) {
    case "hang":
      return RESPONSE_ALREADY_SENT;
    case "reset":
      reset();
      return RESPONSE_ALREADY_SENT;
    case "pass":
      return answer();
    default: {
      const { contentType, ...scripted } = then;
      const headers = contentType === undefined ? {} : { "content-type": contentType };
      return answer({ ...scripted, headers: { ...headers, ...scripted.headers } });
    }
  }
}

/** Whether the caller has closed the connection. */
export function isGone(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || outgoing.socket === null || outgoing.socket.destroyed;
}

/** Waits until the whole response was handed to the network or the caller has gone. */
async function sent(outgoing: ServerResponse): Promise<void> {
  if (!isGone(outgoing)) await once(outgoing, "close");
}

/** Writes to Node's own response, because a fetch Response cannot carry every status, body and header. */
export function send(
  { clock, log }: Pick<Service, "clock" | "log">,
  outgoing: ServerResponse,
  entry: LoggedRequest,
  answer: ServiceAnswer,
): Response {
  const { status, body, headers = {} } = answer;
  if (isGone(outgoing)) return RESPONSE_ALREADY_SENT;
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  // The service's clock: `doctor` compares it with this machine's.
  outgoing.setHeader("date", new Date(clock.now()).toUTCString());
  outgoing.writeHead(status, { ...(body === undefined ? {} : { "content-type": type }), ...headers });
  log.responded(entry, { status, ...messageOf(outgoing.getHeaders(), withoutSecrets(body)) });
  outgoing.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  return RESPONSE_ALREADY_SENT;
}
