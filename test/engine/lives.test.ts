import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { locatorOf } from "../../provider/pulumi/hidden-inputs";
import { kindNames } from "../../provider/registry";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, companionChanges, eventsIn, PulumiProject, type Run } from "../../tools/harness/engine";
import { allForms, testedType } from "../../tools/harness/form";
import { kindFixtures } from "../support/kind-fixtures";
import { sourceOf } from "../support/program-source";

/* One life of every kind, in both forms: each step is one command for all kinds. */

/** One resource of every kind, as its fixture declares the first of its lives. */
const program = (isChanged: boolean): string => {
  const declarations = kindNames.map((kind) => {
    const { args, lives } = kindFixtures[kind];
    const declared = { ...args, ...lives[0].args, ...(isChanged ? lives[0].change : {}) };
    return `new apps.${kind}(${sourceOf(kind)}, ${sourceOf(declared)});`;
  });
  return `const apps = require("pulumi-workspace-apps");\n${declarations.join("\n")}`;
};

/** The operations of one step in those lives. */
const operations = (step: "create" | "update" | "read" | "delete"): string[] =>
  kindNames.flatMap((kind) => kindFixtures[kind].lives[0][step] ?? []).toSorted();

/** Their objects in the service. */
const held = ({ objects }: Simulator): object => ({
  campaigns: objects.campaigns("app-1").map(({ status }) => status),
  findings: objects.ignoredFindings("app-1"),
  folder: objects.folderItems("folder-1"),
  goals: objects.conversionGoals("app-1").length > 0,
  records: objects.records("app-1", "Product").map(({ name }) => name),
  sessions: objects.codingSessions("app-1").length,
  tests: objects.tests("app-1").map(({ definition }) => definition),
  webhooks: objects.webhooks("agent-1").map(({ description, disabled_at }) => [description, disabled_at !== null]),
});

const asCreated = {
  campaigns: ["ENABLED"],
  findings: ["finding-1"],
  folder: ["app-1"],
  goals: true,
  records: ["Mug"],
  sessions: 1,
  tests: [{ name: "Checkout" }],
  webhooks: [[null, false]],
};

const asChanged = {
  ...asCreated,
  campaigns: ["PAUSED"],
  records: ["Cup"],
  tests: [{ name: "Payment" }],
  webhooks: [["d", true]],
};

/** Goals and coding sessions cannot be deleted. */
const asDestroyed = {
  ...asCreated,
  campaigns: ["REMOVED"],
  findings: [],
  folder: [],
  records: [],
  tests: [],
  webhooks: [],
};

for (const form of allForms)
  describe(`One object of every kind, in the ${form} form,`, () => {
    let simulator: Simulator;
    let stack: PulumiProject;
    before(async () => {
      simulator = await startSimulator();
      // Without an account no goals are made, and the launch of the campaign opens one at any time.
      simulator.objects.putAdvertisingAccount("app-1");
      const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" };
      stack = await PulumiProject.create({ program: program(false), baseUrl: simulator.url, form, environment });
    });
    after(() => simulator.close());

    const requests = (): string[] => {
      const seen = simulator.requests.map(({ operation }) => String(operation));
      simulator.clearRequests();
      return seen.toSorted();
    };
    const idOf = async (kind: string): Promise<string> => (await stack.stored(kind))[0]?.id ?? "";

    it("is created by the requests of its lifecycle, and saved under its type", async () => {
      const created = await stack.up();
      assertDone(created, { create: kindNames.length });
      assert.deepEqual(companionChanges(created), { create: 1 });
      assert.deepEqual(requests(), operations("create"));
      assert.deepEqual(held(simulator), asCreated);
      const saved = await stack.stored();
      const expected = [...kindNames, "LaunchIntent"].map((kind) => [
        testedType(kind, form),
        form === "dynamic" ? locatorOf(kind) : undefined,
      ]);
      assert.deepEqual(
        saved.map(({ type, outputs }) => [type, outputs?.["__provider"]]).toSorted(),
        expected.toSorted(),
      );
    });

    it("shows no change in preview and refresh, which send only its reads", async () => {
      simulator.deliver("agent-1", await idOf("Webhook"), { ok: false, status: 500 });
      assertDone(await stack.preview("--expect-no-changes"), {});
      assert.deepEqual(requests(), [], "a preview sends no request");
      assertDone(await stack.refresh("--expect-no-changes"), { same: kindNames.length });
      assert.deepEqual(requests(), operations("read"));
    });

    it("is changed in place by the requests of its lifecycle", async () => {
      // A coding session has nothing that can be changed in place.
      await stack.write(program(true));
      assertDone(await stack.up(), { update: kindNames.length - 1, same: 1 });
      assert.deepEqual(requests(), operations("update"));
      assert.deepEqual(held(simulator), asChanged);
    });

    it("shows what others changed as a difference of its inputs, is repaired, and is created again where it is gone", async () => {
      const { objects } = simulator;
      objects.changeWebhook("agent-1", await idOf("Webhook"), { description: "theirs" });
      objects.changeRecord("app-1", "Product", await idOf("EntityRecord"), { name: "Theirs" });
      objects.changeCampaign("app-1", await idOf("AdCampaign"), { status: "ENABLED" });
      objects.putTest("app-1", { id: await idOf("TestFlow"), definition: { name: "Theirs" } });
      objects.setScan("app-1", { ignored_fingerprints: [] });
      objects.removeFolderItem("folder-1", "app-1");
      assertDone(await stack.refresh(), { update: 4, delete: 2, same: kindNames.length - 6 });
      const inputOf = async (kind: string, name: string): Promise<unknown> =>
        (await stack.stored(kind))[0]?.inputs?.[name];
      assert.deepEqual(
        [
          await inputOf("Webhook", "description"),
          await inputOf("EntityRecord", "fields"),
          await inputOf("AdCampaign", "paused"),
          await inputOf("TestFlow", "definition"),
        ],
        ["theirs", { name: "Theirs" }, false, { name: "Theirs" }],
      );
      assertDone(await stack.up(), { update: 4, create: 2, same: kindNames.length - 6 });
      assert.deepEqual(held(simulator), asChanged);
    });

    it("is destroyed by the requests of its lifecycle, with a message where something stays", async () => {
      requests();
      const destroyed = await stack.destroy();
      assertDone(destroyed, { delete: kindNames.length });
      assert.deepEqual(companionChanges(destroyed), { delete: 1 });
      assert.deepEqual(requests(), operations("delete"));
      assert.deepEqual(held(simulator), asDestroyed);
      assert.deepEqual(await stack.stored(), []);
      assert.deepEqual(kindsOf(destroyed, "The service cannot undo what it did."), [
        // The dynamic host can show a message only at the stack.
        form === "dynamic" ? "" : testedType("CodingSession", form),
      ]);
    });
  });

/** The types of the resources at which a message is shown. */
function kindsOf({ output }: Run, message: string): string[] {
  return eventsIn(output)
    .flatMap(({ diagnosticEvent = [] }) => diagnosticEvent)
    .filter((event) => event.message.includes(message))
    .map(({ urn = "" }) => partsOfUrn(urn).type);
}
