import { Ids } from "./ids";
import { isoTime } from "./times";

/** How tests are answered. */
export interface TestOptions {
  /** How a test is answered, which is not shown. */
  testAnswers?: {
    /** The name under which its id is. @default "id" */
    idField?: "id" | "flow_id";
    /** Whether it has `created_date` and `updated_date`. @default true */
    dates?: boolean;
  };
}

/** An automated test as stored. Times carry a `Z` here. */
export interface TestFlow {
  id: string;
  /** As it was sent. */
  definition: Record<string, unknown>;
  /** The ids of its runs that are going. */
  running: string[];
  created_date: string;
  updated_date: string;
}

/** A run that was going when its test was deleted. */
export interface CancelledRun {
  id: string;
  flow_id: string;
  cancelled_at: string;
}

/** The tests that the service holds. */
export interface TestObjects {
  /** Copies, oldest first. */
  tests(appId?: string): TestFlow[];
  /** Undefined when there is none. */
  test(appId: string, flowId: string): TestFlow | undefined;
  /** Adds a test, or replaces the one of the same id; what is left out is as of one just created. */
  putTest(appId: string, fields?: Partial<TestFlow>): TestFlow;
  /** Without cancelling a run. Whether there was one. */
  removeTest(appId: string, flowId: string): boolean;
  /** The new run's id. Fails when there is no such test. */
  startRun(appId: string, flowId: string): string;
  /** The runs that deletions cancelled, in order. */
  cancelledRuns(appId?: string): CancelledRun[];
}

export interface TestStore {
  objects: TestObjects;
  /** Cancels what is running first. Whether there was one. */
  delete: (appId: string, flowId: string) => boolean;
  all: () => Record<string, TestFlow[]>;
}

/** The automated tests of all apps. What it gives out are copies. */
export function openTestStore(now: () => number): TestStore {
  const byApp = new Map<string, Map<string, TestFlow>>();
  const cancelled: { appId: string; run: CancelledRun }[] = [];
  const ids = new Ids("flow");
  const runIds = new Ids("run");

  const testsOf = (appId: string) => structuredClone([...(byApp.get(appId)?.values() ?? [])]);

  return {
    objects: {
      tests: (appId) => (appId === undefined ? [...byApp.keys()].flatMap(testsOf) : testsOf(appId)),

      test: (appId, flowId) => structuredClone(byApp.get(appId)?.get(flowId)),

      putTest: (appId, fields = {}) => {
        const test = structuredClone({ ...justCreated(fields.id ?? ids.next(), isoTime(now())), ...fields });
        ids.keep(test.id);
        byApp.set(appId, (byApp.get(appId) ?? new Map<string, TestFlow>()).set(test.id, test));
        return structuredClone(test);
      },

      removeTest: (appId, flowId) => byApp.get(appId)?.delete(flowId) ?? false,

      startRun: (appId, flowId) => {
        const test = byApp.get(appId)?.get(flowId);
        if (test === undefined) throw new Error(`App ${appId} has no test ${flowId}.`);
        const run = runIds.next();
        test.running.push(run);
        return run;
      },

      cancelledRuns: (appId) =>
        cancelled.filter((one) => appId === undefined || one.appId === appId).map(({ run }) => ({ ...run })),
    },

    delete: (appId, flowId) => {
      const cancelled_at = isoTime(now());
      for (const id of byApp.get(appId)?.get(flowId)?.running ?? [])
        cancelled.push({ appId, run: { id, flow_id: flowId, cancelled_at } });
      return byApp.get(appId)?.delete(flowId) ?? false;
    },

    all: () => Object.fromEntries([...byApp.keys()].map((appId) => [appId, testsOf(appId)])),
  };
}

function justCreated(id: string, at: string): TestFlow {
  return { id, definition: {}, running: [], created_date: at, updated_date: at };
}
