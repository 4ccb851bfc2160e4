import assert from "node:assert/strict";
import { type Change, type Simulator, startSimulator } from "../../simulator";
import { announced } from "../../simulator/events";

/** The methods that change nothing, so that no listener is told. Any other method must tell the listeners. */
const readers = {
  objects: [
    ...["webhooks", "webhook", "folderItems", "campaigns", "campaign", "launches", "spending", "advertisingAccount"],
    ...["records", "record", "recordWrites", "tests", "test", "cancelledRuns", "scan", "ignoredFindings"],
    ...["conversionGoals", "codingSessions", "members", "geoTargets", "searchTerms", "userStats", "workflowRun", "all"],
  ],
  advertising: [],
  // Responses that are released tell by themselves what they change.
  simulator: ["waitingFaults", "exchange", "listen", "release", "close"],
};

describe("The controls of the simulator", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  for (const group of ["objects", "advertising"] as const)
    it(`tell the listeners of every method of ${group}, except the readers`, () => {
      const names = Object.keys(simulator[group]);
      const stubs = Object.fromEntries(names.map((name) => [name, () => undefined]));
      const untold = names.filter((name) => {
        const told: string[] = [];
        const methods = announced(
          () => stubs,
          () => told.push(name),
        );
        methods[name]?.();
        return told.length === 0;
      });
      assert.deepEqual(untold.toSorted(), readers[group].toSorted());
    });

  /** Calls of the other methods that change something. */
  const calls: Record<string, () => void> = {
    deliver: () => {
      simulator.deliver("a", "w", { ok: true });
    },
    fault: () => {
      simulator.fault({ operation: "webhook.get", then: "reset" });
    },
    removeFault: () => {
      simulator.removeFault(1);
    },
    clearFaults: () => {
      simulator.clearFaults();
    },
    clearRequests: () => {
      simulator.clearRequests();
    },
    reset: () => {
      simulator.reset();
    },
    workspace: () => {
      simulator.workspace("other").putWebhook("a", { id: "w" });
    },
  };
  for (const [name, call] of Object.entries(calls))
    it(`tell the listeners of ${name}`, () => {
      simulator.objects.putWebhook("a", { id: "w" });
      simulator.fault({ operation: "webhook.get", then: "reset" });
      const told: Change[] = [];
      simulator.listen({ request: () => undefined, changed: (what) => told.push(what) });
      call();
      assert.notDeepEqual(told, []);
    });

  it("are all in one of these lists", () => {
    const methods = Object.keys(simulator).filter((name) => typeof Reflect.get(simulator, name) === "function");
    assert.deepEqual(methods.toSorted(), [...readers.simulator, ...Object.keys(calls)].toSorted());
  });
});
