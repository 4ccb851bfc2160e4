import assert from "node:assert/strict";
import { unknownValue } from "../../provider/serializable";
import { folderMembershipLifecycle } from "../../provider/resources/folder-membership/lifecycle";
import type { Credential } from "../../simulator";
import { type Bench, driven, leftBy, startBench, unchanged } from "../support/deployment";
import { newRequests } from "../support/requests";
import { PartialFailure } from "../../provider/resources/shared/partial-failure";

const membership = driven(folderMembershipLifecycle);
const declared = { folderId: "folder-1", appId: "app-1" };

describe("FolderMembership", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench();
  });
  afterEach(() => bench.close());

  const items = (folder = "folder-1"): string[] => bench.simulator.objects.folderItems(folder);
  const requests = (): string[] => newRequests(bench.simulator);

  describe("adding", () => {
    it("adds the app and looks once for it", async () => {
      const state = await membership.create(declared, bench);
      assert.deepEqual(requests(), [`folderItem.add {"app_id":"app-1"}`, "folderItem.list"]);
      assert.deepEqual(items(), ["app-1"]);
      assert.equal(state.origin, undefined);
      assert.equal(folderMembershipLifecycle.idOf(state), "folder-1/app-1");
    });

    for (const commit of [true, false])
      it(`repeats an uncertain add (${commit ? "carried out" : "not carried out"}), which is harmless`, async () => {
        bench.simulator.fault({ operation: "folderItem.add", commit, then: "reset" });
        await membership.create(declared, bench);
        assert.deepEqual(items(), ["app-1"]);
      });

    it("explains both possible meanings of folder_not_found", async () => {
      bench.simulator.objects.removeFolder("folder-1");
      await assert.rejects(
        membership.create(declared, bench),
        (error: Error) =>
          error.message.includes("The folder does not exist, or it is another user's personal folder") &&
          !(error instanceof PartialFailure),
      );
    });

    it("says that the app is missing when the folder exists", async () => {
      bench.simulator.fault({ operation: "folderItem.add", then: { status: 404, body: { code: "folder_not_found" } } });
      await assert.rejects(
        membership.create(declared, bench),
        /Folder folder-1 exists, but this token does not reach app app-1/,
      );
    });

    it("finds the app in a list that can be read only in part", async () => {
      const body = { items: [{ app_id: "app-1" }], has_more: true };
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 200, body } });
      assert.ok((await membership.create(declared, bench)).readBy);
    });

    it("keeps the membership in state when it cannot be looked up, and the next update looks again", async () => {
      bench.simulator.fault({ operation: "folderItem.list", times: 5, then: { status: 500 } });
      const { state } = await leftBy(membership.create(declared, bench));
      const healed = await membership.update(state, declared, bench.later());
      assert.ok(healed.readBy);
      assert.deepEqual(await membership.preview(healed, declared, bench.later()), unchanged);
      assert.deepEqual(await membership.read(healed, bench.later()), healed);
    });

    it("keeps it in state when the response was lost and the list is refused", async () => {
      bench.simulator.fault({ operation: "folderItem.add", commit: true, then: "reset" });
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 403 } });
      const { state, message } = await leftBy(membership.create(declared, bench));
      assert.match(message, /folderItem\.list failed: the service answered 403\..*Request: GET /s);
      assert.ok((await membership.update(state, declared, bench.later())).readBy);
      assert.deepEqual(items(), ["app-1"]);
    });

    it("says when the list does not exist, and stores no evidence", async () => {
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 404 } });
      const state = await membership.create(declared, bench);
      assert.ok(!bench.service.endpoints.isEvidence("folderItem.list", state.readBy));
      assert.match(bench.said.join(), /can be managed but not refreshed.*path of folderItem\.list is assumed/s);
    });

    it("refuses a second declaration of the same membership in a deployment", async () => {
      await membership.create(declared, bench);
      await assert.rejects(membership.create(declared, bench), /managed by another resource/);
    });
  });

  describe("adopting", () => {
    it("reads, changes nothing, and retains on destroy", async () => {
      bench.simulator.objects.addFolderItem("folder-1", "app-1");
      const state = await membership.create({ ...declared, adopt: true }, bench);
      assert.deepEqual(requests(), ["folderItem.list"]);
      await membership.delete(state, bench);
      assert.deepEqual(requests(), []);
      await membership.delete({ ...state, deletionPolicy: "delete" }, bench);
      assert.deepEqual(items(), []);
    });

    it("fails clearly when the app is not in the folder", async () => {
      await assert.rejects(membership.create({ ...declared, adopt: true }, bench), /app-1 is not in folder folder-1/);
      assert.deepEqual(items(), []);
    });

    it("succeeds after a failed attempt, and shows no difference with, without or with an unknown adopt", async () => {
      const inputs = { ...declared, adopt: true };
      await assert.rejects(membership.create(inputs, bench));
      bench.simulator.objects.addFolderItem("folder-1", "app-1");
      requests();
      const state = await membership.create(inputs, bench.later());
      assert.deepEqual(requests(), ["folderItem.list"]);
      for (const program of [inputs, declared, { ...declared, adopt: unknownValue }])
        assert.deepEqual(await membership.preview(state, program, bench.later()), unchanged);
    });
  });

  describe("moving", () => {
    for (const [argument, moved] of Object.entries({
      folderId: { ...declared, folderId: "folder-2" },
      appId: { ...declared, appId: "app-2" },
    }))
      it(`replaces it when ${argument} changes, and leaves only the new one`, async () => {
        const state = await membership.create(declared, bench);
        const next = bench.later();
        assert.deepEqual(await membership.preview(state, moved, next), { changes: true, replaces: [argument] });
        await membership.create(moved, next);
        await membership.delete(state, next);
        assert.deepEqual(
          ["folder-1", "folder-2"].flatMap((folder) => items(folder).map((app) => `${folder}/${app}`)),
          [`${moved.folderId}/${moved.appId}`],
        );
      });
  });

  describe("refreshing", () => {
    it("finds the membership, and detects when it is gone", async () => {
      const state = await membership.create(declared, bench);
      assert.deepEqual(await membership.read(state, bench.later()), state);
      bench.simulator.objects.removeFolderItem("folder-1", "app-1");
      assert.equal(await membership.read(state, bench.later()), undefined);
      await membership.create(declared, bench.later());
      assert.deepEqual(items(), ["app-1"]);
    });

    it("detects when it is gone with its folder", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.objects.removeFolder("folder-1");
      assert.equal(await membership.read(state, bench.later()), undefined);
    });

    it("does not treat absence from a list that never showed it as a removal", async () => {
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 200, body: [] } });
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 200, body: [] } });
      await assert.rejects(
        membership.read(state, bench.later()),
        /is not treated as removed: folderItem\.list does not show it, but has not shown it before.*workspace-apps:endpoints/s,
      );
    });

    it("does not treat absence from a partial list as a removal", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({
        operation: "folderItem.list",
        then: { status: 200, body: { items: [], has_more: true } },
      });
      await assert.rejects(membership.read(state, bench.later()), /cannot be read to its end/);
    });

    it("fails when the service cannot be reached", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.list", times: 5, then: { status: 503 } });
      await assert.rejects(membership.read(state, bench.later()), /503/);
      await assert.rejects(membership.read(state, bench.later({ documentedOnly: "true" })), /documentedOnly/);
    });
  });

  describe("removing", () => {
    it("succeeds also when it does not exist", async () => {
      const state = await membership.create(declared, bench);
      await membership.delete(state, bench);
      assert.deepEqual(items(), []);
      await membership.delete(state, bench);
    });

    it("leaves it with deletionPolicy retain", async () => {
      const state = await membership.create({ ...declared, deletionPolicy: "retain" }, bench);
      await membership.delete(state, bench);
      assert.deepEqual(items(), ["app-1"]);
      assert.match(bench.said.join(), /App app-1 stays in folder folder-1: it is removed from the stack, not from the/);
    });

    it("succeeds when the folder is gone", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.objects.removeFolder("folder-1");
      await membership.delete(state, bench);
      assert.match(bench.said.join(), /Folder folder-1 is gone, and app app-1 with it/);
    });

    it("does not succeed when the token cannot access the app", async () => {
      await bench.close();
      const kind = "personal-token";
      const credentials = [
        { value: "full-access-token", kind },
        { value: "limited", kind, apps: ["app-2"] },
      ] satisfies Credential[];
      bench = await startBench({}, { credentials });
      const state = await membership.create(declared, bench);
      requests();
      await assert.rejects(
        membership.delete(state, bench.later({ accessToken: "limited" })),
        /was not found\. This proves nothing: the token has changed/,
      );
      assert.deepEqual(requests(), ["folderItem.list"]);
      assert.deepEqual(items(), ["app-1"]);
    });

    it("does not succeed with a 404 while the folder's list shows the app", async () => {
      const state = await membership.create(declared, bench);
      const body = { code: "folder_not_found" };
      bench.simulator.fault({ operation: "folderItem.remove", then: { status: 404, body } });
      await assert.rejects(
        membership.delete(state, bench.later()),
        /Folder folder-1 exists, but this token does not reach app app-1/,
      );
      assert.deepEqual(items(), ["app-1"]);
    });

    it("does not succeed with a 404 when there is no list, or when the list never showed it", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.remove", times: 2, then: { status: 404, body: {} } });
      await assert.rejects(
        membership.delete(state, bench.later({ documentedOnly: "true" })),
        /does not prove that the folder is gone.*folderItem\.list is not called.*`pulumi state delete --force '<URN>'`/s,
      );
      bench.simulator.fault({ operation: "folderItem.list", then: { status: 404, body: {} } });
      await assert.rejects(
        membership.delete({ ...state, readBy: bench.service.endpoints.readBy("folderItem.add") }, bench.later()),
        /does not prove that the folder is gone.*path of folderItem\.list is assumed/s,
      );
      assert.deepEqual(items(), ["app-1"]);
    });

    it("does not succeed when the folder cannot be read", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.remove", then: { status: 404 } });
      bench.simulator.fault({ operation: "folderItem.list", times: 5, then: { status: 500 } });
      await assert.rejects(membership.delete(state, bench), /folderItem\.list.*500/s);
    });

    it("fails when it is refused, and the next command removes it", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.remove", then: { status: 403 } });
      await assert.rejects(
        membership.delete(state, bench.later()),
        /folderItem\.remove failed: the service answered 403\..*Request: DELETE /s,
      );
      assert.deepEqual(items(), ["app-1"]);
      await membership.delete(state, bench.later());
      assert.deepEqual(items(), []);
    });

    it("succeeds when the response was lost", async () => {
      const state = await membership.create(declared, bench);
      bench.simulator.fault({ operation: "folderItem.remove", commit: true, then: "reset" });
      await membership.delete(state, bench);
      assert.deepEqual(items(), []);
    });
  });
});
