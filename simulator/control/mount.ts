import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { z } from "zod";
import { BodyTooLargeError, maxControlBytes, readable, readText } from "../body";
import { MissingObjectError } from "../collection";
import type { SimulatorContext } from "../exchange";
import { type ControlRoute, type Controls, hasBody, InvalidRequestError } from "./route";
import { controlRoutes } from "./routes";

/** Lets other processes control the simulator: JSON over HTTP, without a credential. */
export function controlInterface(controls: Controls) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const route of controlRoutes) {
    const [method = "", path = ""] = route.endpoint.split(" ");
    app.on(method, `/${path}`, async (context) => {
      const { outgoing } = context.env;
      const result = await route.handle(controls, await inputOf(route, context), outgoing);
      return outgoing.headersSent ? RESPONSE_ALREADY_SENT : context.json(result ?? { done: true });
    });
  }
  app.all("*", (context) =>
    context.json({ error: "No such control path or method. See workspace-apps simulator --help." }, 404),
  );
  app.onError((error, context) => {
    if (error instanceof z.ZodError) return context.json({ error: messageOf(error) }, 400);
    if (error instanceof InvalidRequestError || error instanceof MissingObjectError)
      return context.json({ error: error.message }, 400);
    if (error instanceof BodyTooLargeError) return context.json({ error: error.message }, 413, readable);
    // The clock would go beyond its end, or a value is nested too deeply for the stack.
    if (error instanceof RangeError) return context.json({ error: `Invalid request: ${error.message}` }, 400);
    throw error;
  });
  return app;
}

async function inputOf({ endpoint, input }: ControlRoute, { req, env }: SimulatorContext): Promise<unknown> {
  if (input === undefined) return undefined;
  return input.parse(hasBody(endpoint) ? jsonIn(await readText(env.incoming, maxControlBytes)) : req.query());
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequestError("The body must be JSON.");
  }
}

function messageOf({ issues }: z.ZodError): string {
  const problems = issues.map(({ path, message }) => `${path.map(String).join(".") || "the request"}: ${message}`);
  return `Invalid request: ${problems.join("; ")}.`;
}
