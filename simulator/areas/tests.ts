import { z } from "zod";
import { checkEditor, checkReach } from "../app-access";
import type { Area } from "../area";
import { Collection, MissingObjectError } from "../collection";
import { id, ofApp, route, time } from "../control/route";
import { byName, listBy } from "../exported";
import type { Handlers } from "../handler";
import { Ids } from "../ids";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { AllObjects, CancelledRun, TestFlow, TestObjects, TestOptions } from "../types";
import { anyObject, validated } from "../validation";

interface TestStore {
  objects: TestObjects;
  snapshot: () => { tests: Record<string, TestFlow[]> };
  restore: (objects: AllObjects) => void;
}

/** The automated tests of all apps. All returned objects are copies. */
function openStore(now: () => number): TestStore {
  const stored = new Collection<TestFlow>();
  const cancelled: { appId: string; run: CancelledRun }[] = [];
  const ids = new Ids("flow");
  const runIds = new Ids("run");

  return {
    objects: {
      tests: (appId) => structuredClone(stored.list(appId)),
      test: (appId, flowId) => structuredClone(stored.get(appId, flowId)),
      putTest: (appId, fields = {}) => {
        const test = structuredClone({ ...newTest(fields.id ?? ids.next(), isoTime(now())), ...fields });
        ids.keep(test.id);
        stored.set(appId, test.id, test);
        return structuredClone(test);
      },
      removeTest: (appId, flowId) => {
        const cancelled_at = isoTime(now());
        for (const runId of stored.get(appId, flowId)?.running ?? [])
          cancelled.push({ appId, run: { id: runId, flow_id: flowId, cancelled_at } });
        return stored.delete(appId, flowId);
      },
      startRun: (appId, flowId) => {
        const test = stored.get(appId, flowId);
        if (test === undefined) throw new MissingObjectError(`App ${appId} has no test ${flowId}.`);
        const run = runIds.next();
        test.running.push(run);
        return run;
      },
      cancelledRuns: (appId) =>
        cancelled.filter((one) => appId === undefined || one.appId === appId).map(({ run }) => ({ ...run })),
    },

    snapshot: () => ({ tests: stored.byOwner((test) => structuredClone(test)) }),

    restore: ({ tests }) => {
      stored.replaceAll(tests, (test) => test.id);
      for (const test of stored.list()) {
        ids.keep(test.id);
        for (const run of test.running) runIds.keep(run);
      }
    },
  };
}

function newTest(flowId: string, at: string): TestFlow {
  return { id: flowId, definition: {}, running: [], created_date: at, updated_date: at };
}

/** The fields that the service assigns, besides the fields of the definition, which are not shown. */
const assignedFields = new Set(["id", "flow_id", "created_date", "updated_date"]);

function handlersOf(objects: TestObjects, { testAnswers = {} }: TestOptions, now: () => number): Handlers {
  const { idField = "id", dates = true } = testAnswers;

  /** "A record just created carries a Z suffix." */
  const fresh = ({ id, definition, created_date, updated_date }: TestFlow) => ({
    ...definition,
    [idField]: id,
    ...(dates ? { created_date, updated_date } : {}),
  });

  const wire = (test: TestFlow) =>
    fresh({ ...test, created_date: readBack(test.created_date), updated_date: readBack(test.updated_date) });

  function find({ app_id, flow_id }: TestPath): TestFlow {
    const test = objects.test(app_id, flow_id);
    if (test === undefined) throw testNotFound();
    return test;
  }

  return {
    "test.create": ({ parameters: { app_id }, caller, body }) => {
      const definition = definitionIn(validated(anyObject, body));
      checkEditor(app_id, caller, "tests");
      return fresh(objects.putTest(app_id, { definition }));
    },

    "test.list": ({ parameters: { app_id }, caller, isListed }) => {
      checkReach(app_id, caller);
      const listed = objects.tests(app_id).filter((test) => isListed(test.created_date));
      return { flows: listed.map(wire) };
    },

    "test.get": ({ parameters, caller }) => {
      checkReach(parameters.app_id, caller);
      return wire(find(parameters));
    },

    // Replaces the whole definition: the specification does not say that it merges, as for a record.
    "test.update": ({ parameters, caller, body }) => {
      const definition = definitionIn(validated(anyObject, body));
      checkEditor(parameters.app_id, caller, "tests");
      const test = { ...find(parameters), definition, updated_date: isoTime(now()) };
      return wire(objects.putTest(parameters.app_id, test));
    },

    // "If the test has a run going, the run is cancelled and its browser session closed first".
    // The response for a missing test is not shown.
    "test.delete": ({ parameters: { app_id, flow_id }, caller }) => {
      checkEditor(app_id, caller, "tests");
      if (!objects.removeTest(app_id, flow_id)) throw testNotFound();
      return { success: true };
    },
  };
}

interface TestPath {
  app_id: string;
  flow_id: string;
}

function definitionIn(sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !assignedFields.has(name)));
}

function testNotFound() {
  return refusal(404, "test_not_found", "There is no such test.");
}

const testShape = z.strictObject({
  id,
  definition: anyObject,
  running: z.array(z.string()),
  created_date: time,
  updated_date: time,
});

const ofTest = ofApp.extend({ flowId: id });

export const tests = {
  open: ({ options, now }) => {
    const { objects, snapshot, restore } = openStore(now);
    return { objects, handlers: handlersOf(objects, options, now), snapshot, restore };
  },
  exported: { tests: byName(listBy((test: TestFlow) => test.id, testShape)) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/tests",
      description: "Changes a test without Pulumi, or adds it. Without `flowId`, it gets a new id.",
      input: ofApp.extend({ flowId: id.optional(), definition: anyObject }),
      examples: [{ appId: "a", flowId: "f", definition: { name: "changed" } }],
      handle: ({ objects }, { appId, flowId, definition }) => {
        const present = flowId === undefined ? undefined : (objects.test(appId, flowId) ?? { id: flowId });
        return objects.putTest(appId, { ...present, definition });
      },
    }),
    route({
      endpoint: "DELETE objects/tests",
      description: "Removes a test and cancels its runs, as the service does.",
      input: ofTest,
      examples: [{ appId: "a", flowId: "f" }],
      handle: ({ objects }, { appId, flowId }) => ({ removed: objects.removeTest(appId, flowId) }),
    }),
    route({
      endpoint: "POST test-runs",
      description: "Starts a run of a test.",
      input: ofTest,
      examples: [{ appId: "a", flowId: "f" }],
      handle: ({ objects }, { appId, flowId }) => ({ run: objects.startRun(appId, flowId) }),
    }),
    route({
      endpoint: "GET cancelled-runs",
      description: "Returns the runs that were cancelled because their test was deleted. Without `appId`, of all apps.",
      input: ofApp.partial(),
      examples: [{ appId: "a" }],
      handle: ({ objects }, { appId }) => ({ runs: objects.cancelledRuns(appId) }),
    }),
  ],
} satisfies Area;
