import assert from "node:assert/strict";
import { killDuring } from "../../tools/harness/crash";
import { assertDone } from "../../tools/harness/engine";
import { declared } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";

const program = (body: string): string => `
  const pulumi = require("@pulumi/pulumi");
  const apps = require("pulumi-workspace-apps");
  ${body}`;

const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("Values on their way through the real engine", () => {
  const { simulator, project } = onSimulator();

  it("are kept, whatever they are, and may be unknown at any depth; a session is launched once although its host dies", async () => {
    const fields = {
      nothing: null,
      no: false,
      zero: 0,
      empty: "",
      list: [],
      object: {},
      nested: { items: [null, { deep: [false, 0, "", [], {}] }], nothing: null, due: "2026-11-15T10:00:00Z" },
      day: "2026-11-15",
      at: "2026-11-15T10:00:00Z",
      elsewhere: "2026-11-15T12:00:00.250+02:00",
    };
    const fingerprints = ["a/../b%2F c", "größe ✓ 🔑", "?#&=+", "f".repeat(128)];
    const stack = await project(
      program(`
        const findings = ${JSON.stringify(fingerprints)}.map(
          (fingerprint, index) => new apps.IgnoredFinding("finding-" + index, { appId: "app-1", fingerprint }));
        const fields = ${JSON.stringify(fields)};
        const parent = new apps.EntityRecord("parent", { appId: "app-1", entityName: "List", fields });
        const after = (value) => parent.recordId.apply(() => value);
        const at = { appId: "app-1", entityName: "Task" };
        const child = new apps.EntityRecord("child", { ...at, fields: { title: "t", all: [{ id: parent.recordId }] } });
        const note = { ...at, entityName: "Note", fields: parent.recordId.apply((of) => ({ of })) };
        const whole = new apps.EntityRecord("whole", note);
        const campaign = new apps.AdCampaign("spring", {
          ...${JSON.stringify(declared)},
          campaignName: after("Summer sale"),
          campaignType: after("PERFORMANCE_MAX"),
          dailyBudgetMicros: after(1000000),
          landingPage: pulumi.interpolate\`https://shop.example.com/\${parent.recordId}\`,
          geoTargets: [parent.recordId, "geoTargetConstants/2276"],
          logoUrl: after("https://shop.example.com/logo.png"),
          timezone: after("UTC"),
          extraFields: { source: parent.recordId },
          paused: after(true),
        });
        const session = { appId: "app-1", title: "Task", prompt: parent.recordId };
        new apps.CodingSession("session", session, { dependsOn: [campaign, child, whole, ...findings] });`),
      { environment: { WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS: "5000000", WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" } },
    );
    const preview = await stack.preview();
    assertDone(preview, { create: 9 });
    assert.match(preview.output, new RegExp(`"idempotencyKey": "${unknownValue}"`));
    assert.doesNotMatch(preview.output, /pulumi-[0-9a-f]{40}/);
    assert.deepEqual(simulator.requests, []);

    const launched = { operation: "codingSession.launch", commit: true, then: "hold" } as const;
    await killDuring({ stack, simulator }, "up", "host", launched);
    assertDone(await stack.up(), { create: 1, same: 8 });
    const [session, ...others] = simulator.objects.codingSessions("app-1");
    assert.deepEqual(others, []);
    const [stored] = await stack.stored("CodingSession");
    assert.deepEqual([stored?.id, stored?.inputs?.["idempotencyKey"]], [session?.id, session?.launch_key]);
    const [list] = simulator.objects.records("app-1", "List");
    assert.deepEqual(Object.fromEntries(Object.keys(fields).map((name) => [name, list?.[name]])), fields);
    const parent = (await stack.stored("EntityRecord")).find(({ id }) => id === list?.id);
    assert.deepEqual([parent?.inputs?.["fields"], parent?.outputs?.["fields"]], [fields, fields]);
    assert.deepEqual(
      [simulator.objects.records("app-1", "Task")[0]?.["all"], simulator.objects.records("app-1", "Note")[0]?.["of"]],
      [[{ id: list?.id }], list?.id],
    );
    assert.deepEqual(
      simulator.objects.campaigns("app-1").map(({ geo_targets, status }) => [geo_targets, status]),
      [[[list?.id, "geoTargetConstants/2276"], "PAUSED"]],
    );
    assert.deepEqual(simulator.objects.ignoredFindings("app-1").toSorted(), fingerprints.toSorted());

    assertDone(await stack.refresh("--expect-no-changes"), { same: 9 });
    assertDone(await stack.destroy());
    assert.deepEqual(simulator.objects.ignoredFindings("app-1"), []);
  });
});
