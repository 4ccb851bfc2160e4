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

/** Calls of the other methods that change something, and the kinds of changes that listeners are told. */
const calls: [method: string, given: unknown[], told: Change[]][] = [
  ["deliver", ["a", "w", { ok: true }], ["objects"]],
  ["fault", [{ operation: "webhook.get", then: "reset" }], ["faults"]],
  ["removeFault", [1], ["faults"]],
  ["clearFaults", [], ["faults"]],
  ["clearRequests", [], ["requests"]],
  ["reset", [], ["clock", "faults", "objects", "requests"]],
  ["clock.advance", [1], ["clock"]],
  ["objects.putCampaign", ["a"], ["objects"]],
  ["advertising.trackingVerified", ["a"], ["objects"]],
];

describe("The controls of the simulator", () => {
  let simulator: Simulator;
  let told: Change[];
  beforeEach(async () => {
    simulator = await startSimulator();
    simulator.objects.putWebhook("a", { id: "w" });
    simulator.fault({ operation: "webhook.get", then: "reset" });
    told = [];
    simulator.listen({ request: () => undefined, changed: (what) => told.push(what) });
  });
  afterEach(() => simulator.close());

  for (const group of ["objects", "advertising"] as const)
    it(`tell the listeners of every method of ${group}, except the readers`, () => {
      const names = Object.keys(simulator[group]);
      const stubs = Object.fromEntries(names.map((name) => [name, () => undefined]));
      const untold = names.filter((name) => {
        const calls: string[] = [];
        const methods = announced(
          () => stubs,
          () => calls.push(name),
        );
        methods[name]?.();
        return calls.length === 0;
      });
      assert.deepEqual(untold.toSorted(), readers[group].toSorted());
    });

  for (const [method, given, expected] of calls)
    it(`tell the listeners of ${method}`, () => {
      const [name = "", group] = method.split(".").toReversed();
      const of = (group === undefined ? simulator : Reflect.get(simulator, group)) as Record<string, () => unknown>;
      of[name]?.(...(given as []));
      assert.deepEqual(told.toSorted(), expected);
    });

  it("tell the listeners of a change in another workspace", () => {
    simulator.workspace("other").putWebhook("a", { id: "w" });
    assert.deepEqual(told, ["objects"]);
  });

  it("are all in one of these lists", () => {
    const methods = Object.keys(simulator).filter((name) => typeof Reflect.get(simulator, name) === "function");
    const called = calls.map(([method]) => method).filter((method) => !method.includes("."));
    assert.deepEqual(methods.toSorted(), [...readers.simulator, ...called, "workspace"].toSorted());
  });
});
