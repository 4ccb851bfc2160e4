import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { type OperationId, operations } from "../provider/service/operations";
import { controlInterface } from "./control";
import { exchange, isGone, receive, send } from "./exchange";
import { Service } from "./service";
import type { Simulator, SimulatorOptions } from "./types";

/** Test tool: anyone who reaches the port can script it, so it listens on loopback alone. */
const hostname = "127.0.0.1";

/** Starts the service in memory, over real HTTP. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const service = new Service(options);
  const closing = new AbortController();
  const { fetch } = routes(service, closing.signal);
  // Left to itself the adapter replaces the process's Request and Response.
  // Room for several ids of some thousand characters in one path.
  const serverOptions = { maxHeaderSize: 131_072 };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server;
  server.listen(options.port ?? 0, hostname);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostname}:${String(port)}`,
    port,
    get requests() {
      return service.log.all();
    },
    objects: service.areas.objects,
    advertising: service.areas.advertising,
    fault: (fault) => {
      service.faults.add(fault);
    },
    clearFaults: () => {
      service.faults.clear();
    },
    release: () => service.held.release(),
    clearRequests: () => {
      service.log.clear();
    },
    deliver: (agentId, webhookId, outcome) => {
      service.areas.deliver(agentId, webhookId, outcome);
    },
    close: async () => {
      closing.abort();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function routes(service: Service, closing: AbortSignal) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.route("/__simulator", controlInterface(service));

  const methodsOf = new Map<string, string[]>();
  for (const [id, { endpoint }] of Object.entries(operations)) {
    const [method = "", template = ""] = endpoint.split(" ");
    const path = template.replace(/\{([^{}]*)\}/g, ":$1");
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    app.on(method, path, (context) => exchange(service, context, id as OperationId, closing));
  }
  for (const [path, methods] of methodsOf)
    app.all(path, async (context) => {
      const { entry } = await receive(service, context, undefined);
      const body = { code: "method_not_allowed", message: "The path does not have this method." };
      return send(service, context.env.outgoing, entry, { status: 405, body, headers: { allow: methods.join(", ") } });
    });

  app.notFound(async (context) => {
    const { entry } = await receive(service, context, undefined);
    const body = { code: "not_found", message: "There is no such path." };
    return send(service, context.env.outgoing, entry, { status: 404, body });
  });
  app.onError((error, context) => {
    // The simulator closes, or the caller went while it sent its body.
    if (closing.aborted || isGone(context.env.outgoing)) return RESPONSE_ALREADY_SENT;
    return context.json({ code: "simulator_failure", message: error.message }, 500);
  });
  return app;
}
