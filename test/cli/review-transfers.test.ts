import assert from "node:assert/strict";
import { campaign, headings, launched, linesOf, planOf, reviewed, step } from "./support";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("A review of objects that move to another resource", () => {
  it("says that campaigns that swap names are deleted and launched again, because each is deleted first", () => {
    const other = { ...launched, campaignName: "Summer", campaignId: "cmp_2" };
    const report = reviewed(
      planOf(
        step("replace", "AdCampaign", "a", { before: launched, after: { ...campaign, campaignName: "Summer" } }),
        step("replace", "AdCampaign", "b", { before: other, after: campaign }),
      ),
    );
    assert.deepEqual(headings(report).slice(0, 2), ["Deleted permanently", "Launched"]);
    for (const name of ["a", "b"]) {
      assert.match(linesOf(report, name)[0] ?? "", /is deleted permanently/);
      assert.match(linesOf(report, name)[1] ?? "", /is launched in its place/);
    }
  });

  it("says that a replaced campaign may be deleted before another resource adopts it by its id", () => {
    const report = reviewed(
      planOf(
        step("replace", "AdCampaign", "a", { before: launched, after: { ...campaign, campaignName: "Summer" } }),
        step("create", "AdCampaign", "b", { after: { ...campaign, campaignId: "cmp_1" } }),
      ),
    );
    assert.match(linesOf(report, "a")[0] ?? "", /is deleted permanently.*, unless `b` adopts it before that$/);
    assert.match(linesOf(report, "b")[0] ?? "", /^campaign `cmp_1` of app `app-1` is adopted$/);
  });

  it("says that the up refuses a campaign that another resource declares by its id with other values", () => {
    const report = reviewed(
      planOf(
        step("create", "AdCampaign", "new", { after: { ...launched, dailyBudgetMicros: 6_000_000 } }),
        step("delete", "AdCampaign", "old", { before: launched }),
      ),
    );
    assert.match(
      linesOf(report, "new")[0] ?? "",
      /^`pulumi up` will refuse it: campaign `cmp_1` of app `app-1`, previously managed by `old`, has another `dailyBudgetMicros`$/,
    );
  });

  it("says what else changes with a rename: a refused resume, a lost secret, a disabled webhook, goals", () => {
    const target = { agentId: "a", webhookId: "w", targetUrl: "https://a.example.com/", events: ["message.created"] };
    const hook = { ...target, enabled: true, hasSecret: true, signed: true };
    const renamed = (kind: string, before: object, after: object): string =>
      reviewed(
        planOf(
          step("create", kind, "new", { after: { ...after } }),
          step("delete", kind, "old", { before: { ...before } }),
        ),
      );
    const found = { ...campaign, campaignId: "cmp_1" };
    const refusal = /`pulumi up` will refuse it: .* has another `paused`$/m;
    for (const [pausedBy, paused, isRefused] of [
      ["us", false, true],
      ["other", false, true],
      [undefined, true, true],
      [undefined, false, false],
      ["us", true, false],
      // The service may have enabled it in the meantime.
      ["service", false, false],
      ["service", true, false],
    ] as const) {
      const lines = linesOf(renamed("AdCampaign", { ...launched, pausedBy }, { ...found, paused }), "new").join("\n");
      assert.equal(refusal.test(lines), isRefused, `${String(pausedBy)}, ${String(paused)}`);
    }
    const paused = renamed("AdCampaign", { ...launched, pausedBy: "us" }, found);
    assert.match(paused, /\| EUR 0\.00 \| EUR 0\.00 \| EUR 0\.00 \|/);
    const changed = renamed("Webhook", hook, { ...target, enabled: false, signed: false, overwrite: true });
    assert.deepEqual(headings(changed).slice(0, 3), [
      "Signing secrets changed",
      "Webhooks switched on or off",
      "Adopted",
    ]);
    const tracking = { appId: "a", wireEvents: false };
    assert.match(renamed("ConversionTracking", tracking, tracking), /### Cannot be removed later/);
  });

  it("does not say that an adoption rotates a secret", () => {
    const hook = { agentId: "a", webhookId: "w", enabled: true };
    const report = reviewed(
      planOf(
        step("create", "Webhook", "new", { after: { ...hook, rotateSecret: "2", overwrite: true } }),
        step("delete", "Webhook", "old", { before: { ...hook, hasSecret: true, rotateSecret: "1" } }),
      ),
    );
    assert.deepEqual(headings(report)[0], "Adopted");
  });

  const adopted = (kind: string, after: object): string[] =>
    linesOf(reviewed(planOf(step("create", kind, "it", { after: { ...after } }))), "it");

  it("says that an adoption without overwrite changes nothing", () => {
    const hook = { agentId: "a", webhookId: "w", enabled: true, signed: false };
    const record = { appId: "a", entityName: "E", recordId: "r", fields: { a: 1 } };
    const test = { appId: "a", flowId: "f", definition: { a: 1 } };
    for (const [kind, after] of Object.entries({ Webhook: hook, EntityRecord: record, TestFlow: test })) {
      for (const overwrite of [undefined, false]) {
        const [only = "", ...others] = adopted(kind, { ...after, overwrite });
        assert.match(only, /is adopted and not changed; `pulumi up` fails if it differs from what is declared$/);
        assert.deepEqual(others, []);
      }
      for (const overwrite of [true, unknown])
        assert.match(
          adopted(kind, { ...after, overwrite }).join("\n"),
          /is adopted, and changed where it differs from what is declared$/m,
        );
      const plan = (overwrite: boolean) =>
        reviewed(planOf(step("create", kind, "it", { after: { ...after, overwrite } })));
      assert.doesNotMatch(plan(false), /\.update/);
    }
  });

  it("says that the up refuses to adopt an object of another resource that differs, unless it overwrites", () => {
    const hook = {
      agentId: "a",
      webhookId: "w",
      targetUrl: "https://a.example.com/",
      events: ["message.created"],
      enabled: true,
    };
    const record = { appId: "a", entityName: "E", recordId: "r", fields: { a: 1, b: 2 } };
    const test = { appId: "a", flowId: "f", definition: { a: 1, b: 2 } };
    const renamed = (kind: string, before: object, after: object): string[] =>
      linesOf(
        reviewed(
          planOf(
            step("create", kind, "new", { after: { ...after } }),
            step("delete", kind, "old", { before: { ...before } }),
          ),
        ),
        "new",
      );
    const cases: [string, object, object, string][] = [
      [
        "Webhook",
        { ...hook, description: "d", hasSecret: true },
        { ...hook, targetUrl: "https://b.example.com", events: ["message.completed"], enabled: false, signed: false },
        "`targetUrl`, `events`, `description`, `enabled`, `signed`",
      ],
      ["EntityRecord", record, { ...record, fields: { a: 1, b: 3, c: 4 } }, "`fields.b`, `fields.c`"],
      ["TestFlow", test, { ...test, definition: { b: 3 } }, "`definition.b`"],
    ];
    for (const [kind, before, after, names] of cases) {
      const [refusal = "", ...others] = renamed(kind, before, after);
      assert.ok(
        refusal.startsWith("`pulumi up` will refuse it: ") && refusal.endsWith(`has another ${names}`),
        refusal,
      );
      assert.deepEqual(others, []);
      assert.match(renamed(kind, before, { ...after, overwrite: true })[0] ?? "", /^(sends|continues|.* is written)/);
      assert.match(renamed(kind, before, before).join(), /^continues to manage/);
    }
    assert.match(renamed("Webhook", hook, { ...hook, description: unknown }).join(), /^continues to manage/);
    assert.match(
      renamed("EntityRecord", record, { ...record, fields: { a: unknown } }).join("\n"),
      /^continues to manage/,
    );
    assert.match(renamed("TestFlow", { appId: "a", flowId: "f" }, test).join(), /^continues to manage/);
  });

  it("says what an adoption may change in an object that was not read yet", () => {
    const hook = { agentId: "a", webhookId: "w", enabled: true, overwrite: true };
    assert.match(adopted("Webhook", { ...hook, signed: false }).join(), /loses its signing secret, if it has one/);
    assert.match(adopted("Webhook", { ...hook, signed: true }).join(), /gets a signing secret, if it has none/);
    assert.match(adopted("Webhook", { ...hook, signed: unknown }).join(), /may get a signing secret, or lose it/);
    assert.match(adopted("Webhook", { ...hook, enabled: false }).join(), /is switched off, if it is on/);
    assert.match(adopted("Webhook", hook).join(), /is switched on, if it is off/);
    const found = { ...campaign, campaignId: "cmp_9" };
    for (const paused of [undefined, false, true])
      assert.deepEqual(adopted("AdCampaign", { ...found, paused }), ["campaign `cmp_9` of app `app-1` is adopted"]);
  });

  it("counts an adopted campaign as spending before, whatever its status: the service may hold it", () => {
    const report = (paused: boolean | undefined): string =>
      reviewed(planOf(step("create", "AdCampaign", "it", { after: { ...campaign, campaignId: "cmp_9", paused } })));
    for (const paused of [undefined, false])
      assert.match(report(paused), /\*\*Total\*\* \| 5\.00 \| 5\.00 \| 0\.00 \|/);
    assert.match(report(true), /\*\*Total\*\* \| 5\.00 \| 0\.00 \| -5\.00 \|/);
    assert.match(report(true), /campaign\.pause/);
    assert.doesNotMatch(report(undefined), /campaign\.pause/);
  });

  it("says that a campaign that Pulumi forgets with another resource keeps spending", () => {
    const urn = "urn:pulumi:dev::tested::other:index:Thing::thing";
    const options = { deletedWith: urn };
    const ended = step("delete", "AdCampaign", "spring", { before: launched, options });
    const thing = { op: "delete", urn, oldState: { urn, inputs: {}, outputs: {} } };
    const report = reviewed(planOf(ended, thing));
    assert.match(linesOf(report, "spring")[0] ?? "", /goes on spending EUR 5\.00 a day, outside this stack$/);
    assert.match(linesOf(reviewed(planOf(ended)), "spring")[0] ?? "", /is deleted permanently/);
  });
});
