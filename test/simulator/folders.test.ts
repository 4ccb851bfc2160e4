import assert from "node:assert/strict";
import { operations } from "../../provider/service/operations";
import { bearer, onSimulator, send } from "./support";

describe("The simulator's folders", () => {
  const { simulator, restart, get } = onSimulator({
    credentials: [
      { value: "ann", kind: "personal-token", user: "ann" },
      { value: "bob", kind: "personal-token", user: "bob" },
      { value: "limited", kind: "personal-token", apps: ["mine"] },
    ],
    folders: [{ id: "shared" }, { id: "personal", owner: "ann" }],
  });

  const as = (token: string, method: string, path: string, body?: unknown) =>
    send(simulator, method, `/api/app-folders/${path}`, { headers: bearer(token), body });

  it("contain an app once, however often it is added", async () => {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, json } = await as("ann", "POST", "shared/items", { app_id: "app" });
      assert.deepEqual([status, json], [200, { folder_id: "shared", app_id: "app" }]);
    }
    assert.deepEqual(simulator.objects.folderItems("shared"), ["app"]);
  });

  it("list their apps in the shape that the provider expects, times without a Z", async () => {
    simulator.objects.addFolderItem("shared", "first");
    simulator.objects.addFolderItem("shared", "second");
    const { json } = await as("ann", "GET", "shared/items");
    const page = operations["folderItem.list"].answer.parse(json);
    assert.deepEqual(
      page.rows.map((row) => row.app_id),
      ["first", "second"],
    );
    assert.match(json.items[0]?.added_date ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+$/);
  });

  it("return the same for a removal whether the app was in the folder or not", async () => {
    simulator.objects.addFolderItem("shared", "app");
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, json } = await as("ann", "DELETE", "shared/items/app");
      assert.deepEqual([status, json], [200, { unlinked: true, folder_id: "shared", app_id: "app" }]);
    }
    assert.deepEqual(simulator.objects.folderItems("shared"), []);
  });

  it("return folder_not_found for a missing folder and another user's personal one", async () => {
    assert.equal((await as("ann", "GET", "personal/items")).status, 200);
    for (const [token, folder] of [
      ["bob", "personal"],
      ["ann", "missing"],
    ] as const)
      for (const reply of [
        await as(token, "GET", `${folder}/items`),
        await as(token, "POST", `${folder}/items`, { app_id: "app" }),
        await as(token, "DELETE", `${folder}/items/app`),
      ])
        assert.deepEqual([reply.status, reply.json.code], [404, "folder_not_found"]);
  });

  it("return 404 for an app that the token cannot access, and change nothing", async () => {
    simulator.objects.addFolderItem("shared", "mine");
    simulator.objects.addFolderItem("shared", "theirs");
    assert.equal((await as("limited", "DELETE", "shared/items/theirs")).status, 404);
    assert.equal((await as("limited", "POST", "shared/items", { app_id: "new" })).status, 404);
    assert.deepEqual(simulator.objects.folderItems("shared"), ["mine", "theirs"]);
    assert.equal((await as("limited", "GET", "shared/items")).json.items.length, 1);
    assert.equal((await as("limited", "DELETE", "shared/items/mine")).status, 200);
  });

  it("can be added and removed outside the API", async () => {
    simulator.objects.addFolderItem("shared", "app");
    simulator.objects.removeFolder("shared");
    assert.equal((await as("ann", "GET", "shared/items")).status, 404);
    simulator.objects.putFolder({ id: "shared" });
    assert.deepEqual((await as("ann", "GET", "shared/items")).json, { items: [] });
  });

  it("all exist until removed, when none is named", async () => {
    await restart({});
    const status = async () => (await get("/api/app-folders/anything/items")).status;
    assert.equal(await status(), 200);
    simulator.objects.removeFolder("anything");
    assert.equal(await status(), 404);
  });
});
