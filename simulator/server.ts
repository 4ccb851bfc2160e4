import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { operations } from "../provider/service/operations";
import { BodyTooLargeError, readable } from "./body";
import { controlInterface } from "./control/mount";
import type { Controls } from "./control/route";
import { announced } from "./events";
import { exchange, isGone, receive, send } from "./exchange";
import { originRefusal } from "./origins";
import { page } from "./page/serve";
import { Service } from "./service";
import type { OperationId, Simulator, SimulatorOptions } from "./types";

/** Loopback only, because anyone who reaches the port can control the simulator. */
const hostname = "127.0.0.1";

/** Starts the service in memory, over real HTTP. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const service = new Service(options);
  const controls = controlsOf(service);
  const closing = new AbortController();
  const { fetch } = routes(service, controls, options.hosts, closing.signal);
  // Room for several ids of some thousand characters in one path.
  const serverOptions = { maxHeaderSize: 131_072 };
  // By default the adapter replaces the process's Request and Response.
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false, serverOptions }) as Server;
  server.listen(options.port ?? 0, hostname);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(controls, {
    url: `http://${hostname}:${String(port)}`,
    port,
    close: async () => {
      closing.abort();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}

/** Methods are looked up at each call, because a reset opens other areas. */
function controlsOf(service: Service): Controls {
  const { log, faults, held, clock, events } = service;
  const changed = (): void => {
    events.changed("objects");
  };
  return {
    get requests() {
      return log.all();
    },
    clock,
    objects: announced(() => service.areas.objects, changed),
    workspace: (name) => announced(() => service.workspace(name).areas.objects, changed),
    advertising: announced(() => service.areas.advertising, changed),
    ...announced(() => ({ deliver: service.areas.deliver }), changed),
    fault: (fault) => {
      faults.add(fault);
    },
    waitingFaults: () => faults.all(),
    removeFault: (number) => faults.remove(number),
    clearFaults: () => {
      faults.clear();
    },
    release: () => held.release(),
    exchange: (number) => log.exchange(number),
    clearRequests: () => {
      log.clear();
    },
    listen: (listener) => events.listen(listener),
    reset: () => {
      service.reset();
    },
  };
}

function routes(service: Service, controls: Controls, hosts: readonly string[] | undefined, closing: AbortSignal) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use((context, next) => {
    const refusal = originRefusal(context.env.incoming, hosts);
    return refusal === undefined ? next() : Promise.resolve(context.json(refusal, 403));
  });
  app.route("/", page());
  app.route("/__simulator", controlInterface(controls));

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
    // The simulator closes, or the caller closed the connection while sending its body.
    if (closing.aborted || isGone(context.env.outgoing)) return RESPONSE_ALREADY_SENT;
    if (error instanceof BodyTooLargeError) {
      const date = new Date(service.clock.now()).toUTCString();
      return context.json({ code: "body_too_large", message: error.message }, 413, { date, ...readable });
    }
    return context.json({ code: "simulator_failure", message: error.message }, 500);
  });
  return app;
}
