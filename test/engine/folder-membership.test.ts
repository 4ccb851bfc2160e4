import assert from "node:assert/strict";
import { seen } from "../support/deployment";
import { assertDone, assertFailed, onSimulator, programOf } from "../../tools/harness/engine";

const membership = (more: object = {}): string => programOf("FolderMembership", { folderId: "f", appId: "a", ...more });

describe("FolderMembership on the real engine", () => {
  const { simulator, project } = onSimulator();
  const items = (folder = "f"): string[] => simulator.objects.folderItems(folder);

  it("is added, shows no change in preview and refresh, and is removed", async () => {
    const stack = await project(membership());
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(items(), ["a"]);
    simulator.clearRequests();
    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(seen(simulator), []);
    assertDone(await stack.refresh("--expect-no-changes"), { same: 1 });
    assertDone(await stack.apply(membership({ deletionPolicy: "delete" })), { update: 1 });
    assert.deepEqual(seen(simulator), ["folderItem.list"], "a changed deletionPolicy is saved without a request");
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(items(), []);
  });

  it("moves to another folder or app by replacement", async () => {
    const stack = await project(membership());
    assertDone(await stack.up());
    assertDone(await stack.apply(membership({ folderId: "g" })), {
      "delete-replaced": 1,
      replace: 1,
      "create-replacement": 1,
    });
    assert.deepEqual([items(), items("g")], [[], ["a"]]);
    assertDone(await stack.apply(membership({ folderId: "g", appId: "b" })));
    assert.deepEqual(items("g"), ["b"]);
  });

  it("goes back to where it was after a failed move", async () => {
    const stack = await project(membership());
    assertDone(await stack.up());
    simulator.objects.removeFolder("typo");
    assertFailed(await stack.apply(membership({ folderId: "typo" })), /no such folder/);
    assertDone(await stack.apply(membership()));
    assert.deepEqual(items(), ["a"]);
    assertDone(await stack.preview("--expect-no-changes"));
  });

  it("survives a renaming of its resource, and a shift of a list of resources", async () => {
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

  it("is added again after it disappeared behind Pulumi's back", async () => {
    const stack = await project(membership());
    assertDone(await stack.up());
    simulator.objects.removeFolderItem("f", "a");
    simulator.fault({ operation: "folderItem.list", times: 5, then: { status: 503 } });
    assertFailed(await stack.refresh(), /folderItem\.list \(GET .*503/);
    assertDone(await stack.refresh(), { delete: 1 });
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(items(), ["a"]);
  });

  it("is adopted, after a failed attempt too, and retained on destroy", async () => {
    const stack = await project(membership({ adopt: true }));
    assertFailed(await stack.up(), /App a is not in folder f/);
    simulator.objects.addFolderItem("f", "a");
    simulator.clearRequests();
    assertDone(await stack.up(), { create: 1 });
    assert.deepEqual(seen(simulator), ["folderItem.list"]);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(items(), ["a"]);
  });

  it("heals after a lost answer, a failed look and a failed removal", async () => {
    simulator.fault({ operation: "folderItem.add", commit: true, then: "reset" });
    simulator.fault({ operation: "folderItem.list", then: { status: 403 } });
    const stack = await project(membership());
    assertFailed(await stack.up(), /folderItem\.list \(GET .*403/);
    assert.equal((await stack.stored()).length, 1);
    assertDone(await stack.up(), { update: 1 });
    assertDone(await stack.refresh("--expect-no-changes"));
    simulator.fault({ operation: "folderItem.remove", then: { status: 403 } });
    assertFailed(await stack.destroy(), /folderItem\.remove \(DELETE .*403/);
    assertDone(await stack.destroy(), { delete: 1 });
    assert.deepEqual(items(), []);
  });

  it("says which meanings folder_not_found can have", async () => {
    simulator.objects.removeFolder("f");
    const stack = await project(membership());
    assertFailed(await stack.up(), /no such folder, or it is the personal folder of another user/);
    assert.deepEqual(await stack.stored(), []);
  });
});
