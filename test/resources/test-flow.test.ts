import assert from "node:assert/strict";
import { testFlowLifecycle } from "../../provider/resources/test-flow";
import { type Bench, driven, seen, startBench } from "../support/deployment";

const flow = driven(testFlowLifecycle);
const declared = { appId: "app-1", definition: { name: "Checkout", steps: ["Buy a mug"] } };

describe("TestFlow", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const requests = (): string[] => {
    const all = seen(bench.simulator);
    bench.simulator.clearRequests();
    return all;
  };

  for (const idField of ["id", "flow_id"] as const)
    it(`is created from its definition where the service calls its id ${idField}, and shows no difference`, async () => {
      await bench.close();
      bench = await startBench({}, { testAnswers: { idField } });
      const state = await flow.create(declared, bench);
      assert.deepEqual(requests(), [`test.create ${JSON.stringify(declared.definition)}`, "test.get"]);
      assert.equal(state.flowId, bench.simulator.objects.tests("app-1")[0]?.id);
      assert.deepEqual(await flow.read(state, bench.later()), state);
    });

  it("is changed as a whole, and only when its definition differs in meaning", async () => {
    const state = await flow.create(declared, bench);
    requests();
    await flow.update(state, { appId: "app-1", definition: { steps: ["Buy a mug"], name: "Checkout" } }, bench);
    assert.deepEqual(requests(), []);
    const definition = { name: "Checkout", steps: ["Buy a cup"] };
    await flow.update(state, { appId: "app-1", definition }, bench);
    assert.deepEqual(requests(), [`test.update ${JSON.stringify(definition)}`, "test.get"]);
  });

  it("is retained after adoption, and deleted for good where it was created", async () => {
    const { id } = bench.simulator.objects.putTest("app-1", { definition: { name: "Theirs" } });
    const adopted = await flow.create({ appId: "app-1", flowId: id }, bench);
    await flow.delete(adopted, bench);
    assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    await flow.delete({ ...adopted, deletionPolicy: "delete" }, bench);
    assert.equal(bench.simulator.objects.tests("app-1").length, 0);
    await flow.delete({ ...adopted, deletionPolicy: "delete" }, bench);
  });

  it("is adopted and deleted where tests can be neither created, read nor changed", async () => {
    const { id } = bench.simulator.objects.putTest("app-1", {});
    const documented = bench.later({ documentedOnly: "true" });
    const state = await flow.create({ appId: "app-1", flowId: id, deletionPolicy: "delete" }, documented);
    assert.match(documented.said.join(), /adopted unseen/);
    assert.deepEqual(await flow.read(state, documented), state);
    await flow.delete(state, documented);
    assert.deepEqual(requests(), ["test.delete"]);
  });

  for (const dates of [true, false])
    it(`is ${dates ? "found" : "not created again"} after a lost answer, the list ${dates ? "" : "not "}telling when it was made`, async () => {
      await bench.close();
      bench = await startBench({}, { testAnswers: { dates } });
      bench.simulator.fault({ operation: "test.create", commit: true, then: "reset" });
      const made = flow.create(declared, bench);
      if (dates) assert.equal((await made).flowId, bench.simulator.objects.tests("app-1")[0]?.id);
      else await assert.rejects(made, /It cannot be told whether this is it: .* A copy of this test may exist/);
      assert.equal(bench.simulator.objects.tests("app-1").length, 1);
    });
});
