import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { advertisingControl } from "./control-advertising";
import { appControl } from "./control-apps";
import { lookupControl } from "./control-lookups";
import { bodyOf, ControlError, id } from "./control-request";
import { deliveryOutcome, folderShape, webhookFields } from "./control-shapes";
import type { Service } from "./service";

const ofWebhook = z.strictObject({ agentId: id, webhookId: id });
const ofFolderItem = z.strictObject({ folderId: id, appId: id });

const delivery = ofWebhook.extend({ outcome: deliveryOutcome });
const webhookPut = z.strictObject({ agentId: id, webhookId: id.optional(), fields: webhookFields });

/** The same for other processes as a Simulator is for its own: JSON, no credential, off the service's paths. */
export function controlInterface(service: Service) {
  const { log, faults, held, areas } = service;
  const { objects } = areas;
  const done = { done: true };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.get("/requests", (context) => context.json({ requests: log.all() }));
  app.delete("/requests", (context) => {
    log.clear();
    return context.json(done);
  });

  app.post("/faults", async (context) => {
    faults.add(await bodyOf(context.req));
    return context.json(done);
  });
  app.delete("/faults", (context) => {
    faults.clear();
    return context.json(done);
  });

  app.post("/release", async (context) => context.json({ released: await held.release() }));

  app.post("/deliveries", async (context) => {
    const { agentId, webhookId, outcome } = delivery.parse(await bodyOf(context.req));
    existingWebhook(agentId, webhookId);
    return context.json(areas.deliver(agentId, webhookId, outcome));
  });

  app.get("/objects", (context) => context.json(objects.all()));
  app.put("/objects/webhooks", async (context) => {
    const { agentId, webhookId, fields } = webhookPut.parse(await bodyOf(context.req));
    if (webhookId === undefined) return context.json(objects.putWebhook(agentId, fields));
    const exists = objects.webhook(agentId, webhookId) !== undefined;
    return context.json(
      exists
        ? objects.changeWebhook(agentId, webhookId, fields)
        : objects.putWebhook(agentId, { ...fields, id: webhookId }),
    );
  });
  app.delete("/objects/webhooks", (context) => {
    const { agentId, webhookId } = ofWebhook.parse(context.req.query());
    return context.json({ removed: objects.removeWebhook(agentId, webhookId) });
  });
  app.put("/objects/folders", async (context) => {
    objects.putFolder(folderShape.parse(await bodyOf(context.req)));
    return context.json(done);
  });
  app.delete("/objects/folders", (context) => {
    objects.removeFolder(z.strictObject({ folderId: id }).parse(context.req.query()).folderId);
    return context.json(done);
  });
  app.put("/objects/folder-items", async (context) => {
    const { folderId, appId } = ofFolderItem.parse(await bodyOf(context.req));
    objects.addFolderItem(folderId, appId);
    return context.json(done);
  });
  app.delete("/objects/folder-items", (context) => {
    const { folderId, appId } = ofFolderItem.parse(context.req.query());
    return context.json({ removed: objects.removeFolderItem(folderId, appId) });
  });

  app.route("/", advertisingControl(service));
  app.route("/", appControl(service));
  app.route("/", lookupControl(service));

  app.all("*", (context) => context.json({ error: "The control interface has no such path or method." }, 404));
  app.onError((error, context) => {
    if (error instanceof z.ZodError) return context.json({ error: sentence(error) }, 400);
    if (error instanceof ControlError) return context.json({ error: error.message }, 400);
    throw error;
  });

  function existingWebhook(agentId: string, webhookId: string): void {
    if (objects.webhook(agentId, webhookId) === undefined)
      throw new ControlError(`Agent ${agentId} has no webhook ${webhookId}.`);
  }

  return app;
}

function sentence(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => `${path.map(String).join(".") || "the body"}: ${message}`);
  return `The request is not understood: ${problems.join("; ")}.`;
}
