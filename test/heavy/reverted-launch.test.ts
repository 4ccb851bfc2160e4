import assert from "node:assert/strict";
import { killDuring } from "../../tools/harness/crash";
import { assertDone, programOf } from "../../tools/harness/engine";
import { testedType } from "../../tools/harness/form";
import { declared } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { assertFailedWith } from "../support/steps";

const program = (more: object = {}): string => programOf("AdCampaign", { ...declared, ...more });
const [campaignType, intentType] = [testedType("AdCampaign"), testedType("LaunchIntent")];

describe("A campaign whose launch was interrupted, and whose budget was changed and reverted", () => {
  const { simulator, project } = onSimulator();
  const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" };
  const held = (): string[] => simulator.objects.campaigns(declared.appId).map(({ id, status }) => `${id} ${status}`);
  const newOperations = (): string[] => {
    const all = simulator.requests.map(({ operation }) => String(operation));
    simulator.clearRequests();
    return all;
  };

  it("is named in the error of the changed budget, and adopted as the stack's own once that is reverted", async () => {
    const stack = await project(program(), { environment });
    await killDuring({ stack, simulator }, "up", "host", { operation: "campaign.launch", commit: true, then: "hang" });
    newOperations();
    const changed = await stack.apply(program({ dailyBudgetMicros: 7_000_000 }));
    assertFailedWith(
      "tested",
      changed,
      /A live campaign has this name: cmp_1 \(ENABLED, differs in dailyBudgetMicros\).*declare its id as campaignId/s,
    );
    assert.deepEqual([newOperations(), held()], [["campaign.list"], ["cmp_1 ENABLED"]]);
    assertDone(await stack.apply(program()), { create: 1 });
    assert.deepEqual([[...new Set(newOperations())], held()], [["campaign.list"], ["cmp_1 ENABLED"]]);
    assert.deepEqual(
      (await stack.stored())
        .map(({ type, outputs }) => [type, outputs?.["campaignId"], outputs?.["origin"]])
        .toSorted(),
      [
        [campaignType, "cmp_1", undefined],
        [intentType, undefined, undefined],
      ],
    );
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual([newOperations(), held()], [["campaign.delete"], ["cmp_1 REMOVED"]]);
  });
});
