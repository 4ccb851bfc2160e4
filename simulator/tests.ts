import { checkEditor, checkReach } from "./app-access";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import type { TestFlow, TestOptions, TestStore } from "./test-store";
import { isoTime, readBack } from "./times";
import { anyObject, validated } from "./validation";

/** Beside the definition's own names, which are not shown, a test has these of the service. */
const assignedFields = new Set(["id", "flow_id", "created_date", "updated_date"]);

export function testHandlers(store: TestStore, { testAnswers = {} }: TestOptions, now: () => number): Handlers {
  const { objects } = store;
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

    // Replaces the whole definition: that it merges, as the update of a record does, is not shown.
    "test.update": ({ parameters, caller, body }) => {
      const definition = definitionIn(validated(anyObject, body));
      checkEditor(parameters.app_id, caller, "tests");
      const test = { ...find(parameters), definition, updated_date: isoTime(now()) };
      return wire(objects.putTest(parameters.app_id, test));
    },

    // "If the test has a run going, the run is cancelled and its browser session closed first." What a missing test
    // answers is not shown.
    "test.delete": ({ parameters: { app_id, flow_id }, caller }) => {
      checkEditor(app_id, caller, "tests");
      if (!store.delete(app_id, flow_id)) throw testNotFound();
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
