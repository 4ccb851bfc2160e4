import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { bodyOf, ControlError, id } from "./control-request";
import { codingSessionFields, entitySchema, recordFields, scanFields } from "./control-shapes";
import type { Service } from "./service";
import { anyObject } from "./validation";

const ofApp = z.strictObject({ appId: id });
const ofEntity = ofApp.extend({ entityName: id });
const ofRecord = ofEntity.extend({ recordId: id });
const ofTest = ofApp.extend({ flowId: id });
const ofSession = ofApp.extend({ sessionId: id });

const recordPut = ofEntity.extend({ recordId: id.optional(), fields: recordFields });
const entityPut = ofEntity.extend({ schema: entitySchema });
const testPut = ofApp.extend({ flowId: id.optional(), definition: anyObject });
const scanPut = ofApp.extend({ fields: scanFields });
const sessionPut = ofSession.extend({ fields: codingSessionFields });
const repositoryPut = ofApp.extend({ fullName: id });

/** The part of the control interface that is about an app's records, tests, security scan and coding sessions. */
export function appControl({ areas: { objects } }: Service) {
  const done = { done: true };
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.put("/objects/records", async (context) => {
    const { appId, entityName, recordId, fields } = recordPut.parse(await bodyOf(context.req));
    if (recordId === undefined) return context.json(objects.putRecord(appId, entityName, fields));
    const exists = objects.record(appId, entityName, recordId) !== undefined;
    return context.json(
      exists
        ? objects.changeRecord(appId, entityName, recordId, fields)
        : objects.putRecord(appId, entityName, { ...fields, id: recordId }),
    );
  });
  app.delete("/objects/records", (context) => {
    const { appId, entityName, recordId } = ofRecord.parse(context.req.query());
    return context.json({ removed: objects.removeRecord(appId, entityName, recordId) });
  });
  app.get("/record-writes", (context) => {
    const { appId, entityName } = ofEntity.partial().parse(context.req.query());
    return context.json({ writes: objects.recordWrites(appId, entityName) });
  });
  app.put("/entities", async (context) => {
    const { appId, entityName, schema } = entityPut.parse(await bodyOf(context.req));
    objects.setEntity(appId, entityName, schema);
    return context.json(done);
  });

  app.put("/objects/tests", async (context) => {
    const { appId, flowId, definition } = testPut.parse(await bodyOf(context.req));
    const present = flowId === undefined ? undefined : (objects.test(appId, flowId) ?? { id: flowId });
    return context.json(objects.putTest(appId, { ...present, definition }));
  });
  app.delete("/objects/tests", (context) => {
    const { appId, flowId } = ofTest.parse(context.req.query());
    return context.json({ removed: objects.removeTest(appId, flowId) });
  });
  app.post("/test-runs", async (context) => {
    const { appId, flowId } = ofTest.parse(await bodyOf(context.req));
    if (objects.test(appId, flowId) === undefined) throw new ControlError(`App ${appId} has no test ${flowId}.`);
    return context.json({ run: objects.startRun(appId, flowId) });
  });
  app.get("/cancelled-runs", (context) => {
    const { appId } = ofApp.partial().parse(context.req.query());
    return context.json({ runs: objects.cancelledRuns(appId) });
  });

  app.put("/objects/scans", async (context) => {
    const { appId, fields } = scanPut.parse(await bodyOf(context.req));
    return context.json(objects.setScan(appId, fields));
  });

  app.put("/objects/coding-sessions", async (context) => {
    const { appId, sessionId, fields } = sessionPut.parse(await bodyOf(context.req));
    if (!objects.codingSessions(appId).some((session) => session.id === sessionId))
      throw new ControlError(`App ${appId} has no coding session ${sessionId}.`);
    return context.json(objects.changeCodingSession(appId, sessionId, fields));
  });
  app.put("/repositories", async (context) => {
    const { appId, fullName } = repositoryPut.parse(await bodyOf(context.req));
    objects.setRepository(appId, fullName);
    return context.json(done);
  });

  return app;
}
