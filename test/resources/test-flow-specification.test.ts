import assert from "node:assert/strict";
import { testFlowLifecycle } from "../../provider/resources/test-flow/lifecycle";
import { type Bench, driven, startBench } from "../support/deployment";

const flow = driven(testFlowLifecycle);
const declared = { appId: "app-1", definition: { name: "Checkout" } };

describe("TestFlow, by the specification", () => {
  let bench: Bench;
  beforeEach(async () => {
    const credentials = [
      { value: "full-access-token", kind: "personal-token" },
      { value: "workspace", kind: "workspace-key" },
      { value: "viewer", kind: "personal-token", role: "viewer" },
    ] as const;
    bench = await startBench({}, { credentials: [...credentials] });
  });
  afterEach(() => bench.close());

  it("is deleted also while it runs, which cancels the run", async () => {
    const state = await flow.create(declared, bench);
    const run = bench.simulator.objects.startRun("app-1", state.flowId);
    await flow.delete(state, bench);
    assert.deepEqual(bench.simulator.objects.tests("app-1"), []);
    assert.deepEqual(
      bench.simulator.objects.cancelledRuns("app-1").map(({ id }) => id),
      [run],
    );
  });

  it("cannot be deleted with a workspace key or by a viewer, and the error says so", async () => {
    const state = await flow.create(declared, bench);
    for (const accessToken of ["workspace", "viewer"])
      await assert.rejects(
        flow.delete(state, bench.later({ accessToken })),
        /403\..*editor access, not a workspace key/s,
      );
    assert.equal(bench.simulator.objects.tests("app-1").length, 1);
  });
});
