import assert from "node:assert/strict";
import type { TestFlow } from "../../simulator";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

const app = "app-1";
const definition = { name: "Checkout", steps: ["Buy a mug", { expect: "a receipt", within: 0 }], owner: null };
const test = (more: object): string => programOf("TestFlow", { appId: app, ...more });

describe("TestFlow on the real engine", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => newRequests(simulator);
  const live = (): TestFlow[] => simulator.objects.tests(app);

  it("is created, changed, repaired, and deleted with its run; an adopted test is retained", async () => {
    simulator.objects.putTest(app, { id: "existing", definition: { name: "Old", theirs: true } });
    const both = (declared: object): string => `
      ${test({ definition: declared })}
      new apps.TestFlow("adopted", { appId: "${app}", flowId: "existing" });`;
    const stack = await project(both(definition));
    assertDone(await stack.up(), { create: 2 });
    const created = live().find(({ id }) => id !== "existing");
    const { id = "" } = created ?? {};
    assert.deepEqual(created?.definition, definition);
    assert.deepEqual(
      (await stack.stored()).map((stored) => [stored.outputs?.["flowId"], stored.outputs?.["definition"]]).toSorted(),
      [
        ["existing", undefined],
        [id, definition],
      ],
    );

    requests();
    const changed = { ...definition, name: "Purchase" };
    assertDone(await stack.apply(both(changed)), { update: 1, same: 1 });
    assert.equal(requests()[0], `test.update ${JSON.stringify(sorted(changed))}`, "the whole definition is sent");
    assert.deepEqual(simulator.objects.test(app, id)?.definition, changed);

    simulator.objects.putTest(app, { id, definition: { ...changed, steps: [] } });
    assertDone(await stack.refresh(), { update: 1, same: 1 });
    const inState = (await stack.stored()).find((stored) => stored.id === id);
    assert.deepEqual(inState?.inputs?.["definition"], { ...changed, steps: [] });
    assertDone(await stack.up(), { update: 1, same: 1 });
    assert.deepEqual(simulator.objects.test(app, id)?.definition, changed);

    const run = simulator.objects.startRun(app, id);
    simulator.objects.startRun(app, "existing");
    const destroyed = await stack.destroy();
    assertDone(destroyed, { delete: 2 });
    assert.match(destroyed.output, /test existing of app app-1 is retained/);
    assert.deepEqual(
      simulator.objects.cancelledRuns(app).map((cancelled) => [cancelled.id, cancelled.flow_id]),
      [[run, id]],
    );
    assert.deepEqual(
      live().map((left) => [left.id, left.definition]),
      [["existing", { name: "Old", theirs: true }]],
    );
  });

  it("is not lost when flowId is wrong: it is deleted only after the other test was adopted", async () => {
    const stack = await project(test({ definition }));
    assertDone(await stack.up(), { create: 1 });
    assertFailed(
      await stack.apply(test({ definition, flowId: "misspelled" })),
      /The test misspelled of app app-1 was not found\. Nothing was changed/,
    );
    assert.equal(live().length, 1);
    simulator.objects.putTest(app, { id: "existing", definition });
    assertDone(await stack.apply(test({ definition, flowId: "existing" })));
    assert.deepEqual(
      live().map(({ id }) => id),
      ["existing"],
    );
    const [stored] = await stack.stored();
    assertDone(await stack.up("--replace", stored?.urn ?? ""));
    assert.equal(live().length, 1, "its replacement is the same test");
  });
});

/** The definition as it comes through the engine, which does not keep the order of keys. */
function sorted(fields: object): object {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}
