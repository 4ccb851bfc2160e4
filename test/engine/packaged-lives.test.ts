import assert from "node:assert/strict";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { kindNames } from "../../provider/registry";
import type { Simulator } from "../../simulator";
import { assertDone, companionChanges, eventsIn } from "../../tools/harness/engine";
import { testedType } from "../../tools/harness/form";
import { kindFixtures } from "../support/kind-fixtures";
import { onSimulator } from "../support/on-simulator";
import { sourceOf } from "../support/program-source";

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

/** What the service holds of them. */
const held = ({ objects }: Simulator): object => ({
  campaigns: objects.campaigns("app-1").map(({ status }) => status),
  findings: objects.ignoredFindings("app-1"),
  folder: objects.all().folders["folder-1"],
  goals: objects.conversionGoals("app-1").length > 0,
  records: objects.records("app-1", "Product").map(({ name }) => name),
  sessions: objects.codingSessions("app-1").length,
  tests: objects.tests("app-1").map(({ definition }) => definition),
  webhooks: objects.webhooks("agent-1").map(({ description, disabled_at }) => [description, disabled_at !== null]),
});

describe("Every kind in the packaged form", () => {
  const { simulator, project } = onSimulator();
  const requests = (): string[] => {
    const seen = simulator.requests.map(({ operation }) => String(operation));
    simulator.clearRequests();
    return seen.toSorted();
  };

  it("is created, shows no change in preview and refresh, is changed and destroyed by the requests of its lifecycle", async () => {
    const stack = await project(program(false), {
      form: "packaged",
      environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" },
    });
    // Without an account no goals are made, and the launch of the campaign opens one at any time.
    simulator.objects.putAdvertisingAccount("app-1");
    const created = await stack.up();
    assertDone(created, { create: kindNames.length });
    assert.deepEqual(companionChanges(created), { create: 1 });
    assert.deepEqual(requests(), operations("create"));
    assert.deepEqual(held(simulator), {
      campaigns: ["ENABLED"],
      findings: ["finding-1"],
      folder: ["app-1"],
      goals: true,
      records: ["Mug"],
      sessions: 1,
      tests: [{ name: "Checkout" }],
      webhooks: [[null, false]],
    });

    const types = (await stack.stored()).map(({ type }) => type).toSorted();
    assert.deepEqual(types, [...kindNames, "LaunchIntent"].map((kind) => testedType(kind, "packaged")).toSorted());
    assert.doesNotMatch(await stack.rawState(), /__provider|pulumi-nodejs/);

    assertDone(await stack.preview("--expect-no-changes"), {});
    assert.deepEqual(requests(), [], "a preview sends no request");
    assertDone(await stack.refresh("--expect-no-changes"), { same: kindNames.length });
    assert.deepEqual(requests(), operations("read"));

    // A coding session has nothing that can be changed in place.
    assertDone(await stack.apply(program(true)), { update: kindNames.length - 1, same: 1 });
    assert.deepEqual(requests(), operations("update"));
    assert.deepEqual(held(simulator), {
      campaigns: ["PAUSED"],
      findings: ["finding-1"],
      folder: ["app-1"],
      goals: true,
      records: ["Cup"],
      sessions: 1,
      tests: [{ name: "Payment" }],
      webhooks: [["d", true]],
    });

    const destroyed = await stack.destroy();
    assertDone(destroyed, { delete: kindNames.length });
    assert.deepEqual(requests(), operations("delete"));
    assert.deepEqual(companionChanges(destroyed), { delete: 1 });
    assert.deepEqual(held(simulator), {
      campaigns: ["REMOVED"],
      findings: [],
      folder: [],
      // Goals and coding sessions cannot be deleted.
      goals: true,
      records: [],
      sessions: 1,
      tests: [],
      webhooks: [],
    });
    assert.deepEqual(await stack.stored(), []);
    const messages = eventsIn(destroyed.output)
      .flatMap(({ diagnosticEvent = [] }) => diagnosticEvent)
      .filter(({ message }) => message.includes("The service cannot undo what it did."));
    assert.deepEqual(
      messages.map(({ severity, urn = "" }) => [severity, partsOfUrn(urn).type]),
      [["info", testedType("CodingSession", "packaged")]],
      "a message of a resource is shown at it",
    );
  });
});
