import assert from "node:assert/strict";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, programOf } from "../../tools/harness/engine";
import { onSimulator } from "../support/on-simulator";

const membership = (more: object = {}): string => programOf("FolderMembership", { folderId: "f", appId: "a", ...more });

describe("FolderMembership on the real engine", () => {
  const { simulator, project } = onSimulator();
  const items = (folder = "f"): string[] => simulator.objects.folderItems(folder);

  it("is added, shows no change in preview and refresh, is restored after a failed move, and is removed", async () => {
    const stack = await project(membership());
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(items(), ["a"]);
    simulator.clearRequests();
    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(seen(simulator), []);
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assert.deepEqual(seen(simulator), ["folderItem.list"]);

    simulator.objects.removeFolder("typo");
    assertFailed(await stack.apply(membership({ folderId: "typo" })), /no such folder/);
    assertDone(await stack.apply(membership()));
    assert.deepEqual(items(), ["a"]);
    assertDone(await stack.preview("--expect-no-changes"), {});
    simulator.clearRequests();
    assertDone(await stack.apply(membership({ deletionPolicy: "delete" })), { update: 1 });
    assert.deepEqual(seen(simulator), [], "a changed deletionPolicy is saved without a request");
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(items(), []);
  });

  it("survives a rename of its resource and a shift in a list of resources", async () => {
    const memberships = (names: string[], appIds: string[]): string => `
      const apps = require("pulumi-workspace-apps");
      for (const [name, appId] of ${JSON.stringify(appIds.map((appId, index) => [names[index], appId]))})
        new apps.FolderMembership(name, { folderId: "f", appId });`;
    const stack = await project(memberships(["m0", "m1", "m2"], ["a", "b", "c"]));
    assertDone(await stack.up(), { create: 3 });
    assertDone(await stack.apply(memberships(["n0", "n1", "n2"], ["a", "b", "c"])), { create: 3, delete: 3 });
    assert.deepEqual(items().toSorted(), ["a", "b", "c"]);
    for (const [remaining, parallel] of [
      [["b", "c"], "16"],
      [["c"], "1"],
    ] as const) {
      await stack.write(memberships(["n0", "n1"], [...remaining]));
      assertDone(await stack.up("--parallel", parallel));
      assert.deepEqual(items().toSorted(), remaining);
    }
    assertDone(await stack.preview("--expect-no-changes"));
    assertDone(await stack.refresh("--expect-no-changes"));
    assertDone(await stack.destroy());
    assert.deepEqual(items(), []);
  });
});
