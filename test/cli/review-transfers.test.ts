import assert from "node:assert/strict";
import {
  campaign,
  created,
  deleted,
  headings,
  launched,
  linesAbout,
  linesOf,
  planOf,
  replaced,
  reviewed,
  unknown,
} from "./support";

const hook = {
  ...{ agentId: "a", webhookId: "w", targetUrl: "https://a.example.com/", events: ["message.created"], enabled: true },
};
const record = { appId: "a", entityName: "E", recordId: "r", fields: { a: 1, b: 2 } };
const test = { appId: "a", flowId: "f", definition: { a: 1, b: 2 } };
const found = { ...campaign, campaignId: "cmp_1" };

describe("A review of objects that move to another resource", () => {
  /** The resource `new` takes the place of the resource `old`. */
  const renamed = (kind: string, before: object, after: object): string =>
    reviewed(planOf(created(kind, "new", { ...after }), deleted(kind, "old", { ...before })));
  const renamedLines = (...given: Parameters<typeof renamed>): string[] => linesOf(renamed(...given), "new");

  it("says that campaigns that swap names are deleted and launched again, because each is deleted first", () => {
    const other = { ...launched, campaignName: "Summer", campaignId: "cmp_2" };
    const report = reviewed(
      planOf(
        replaced("AdCampaign", "a", launched, { ...campaign, campaignName: "Summer" }),
        replaced("AdCampaign", "b", other, campaign),
      ),
    );
    assert.deepEqual(headings(report).slice(0, 2), ["Deleted permanently", "Launched"]);
    for (const name of ["a", "b"]) {
      assert.match(linesOf(report, name)[0] ?? "", /is deleted permanently/);
      assert.match(linesOf(report, name)[1] ?? "", /is launched in its place/);
    }
  });

  it("says that a replaced campaign may be deleted before another resource adopts it by its id", () => {
    const replacement = replaced("AdCampaign", "a", launched, { ...campaign, campaignName: "Summer" });
    const report = reviewed(planOf(replacement, created("AdCampaign", "b", found)));
    assert.match(linesOf(report, "a")[0] ?? "", /is deleted permanently.*, unless `b` adopts it before that$/);
    assert.match(linesOf(report, "b")[0] ?? "", /^campaign `cmp_1` of app `app-1` is adopted$/);
  });

  it("says that the up refuses a campaign that another resource declares by its id with other values", () => {
    assert.match(
      renamedLines("AdCampaign", launched, { ...launched, dailyBudgetMicros: 6_000_000 })[0] ?? "",
      /^`pulumi up` will refuse it: campaign `cmp_1` of app `app-1`, previously managed by `old`, has another `dailyBudgetMicros`$/,
    );
  });

  it("says what else changes with a rename: a refused resume, a lost secret, a disabled webhook, goals", () => {
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
      const lines = renamedLines("AdCampaign", { ...launched, pausedBy }, { ...found, paused }).join("\n");
      assert.equal(refusal.test(lines), isRefused, `${String(pausedBy)}, ${String(paused)}`);
    }
    const paused = renamed("AdCampaign", { ...launched, pausedBy: "us" }, found);
    assert.match(paused, /\| EUR 0\.00 \| EUR 0\.00 \| EUR 0\.00 \|/);
    const signed = { ...hook, hasSecret: true, signed: true };
    const changed = renamed("Webhook", signed, { ...hook, enabled: false, signed: false, overwrite: true });
    const expected = ["Signing secrets changed", "Webhooks switched on or off", "Adopted"];
    assert.deepEqual(headings(changed).slice(0, 3), expected);
    const tracking = { appId: "a", wireEvents: false };
    assert.match(renamed("ConversionTracking", tracking, tracking), /### Cannot be removed later/);
  });

  it("does not say that an adoption rotates a secret", () => {
    const before = { ...hook, hasSecret: true, rotateSecret: "1" };
    const report = renamed("Webhook", before, { ...hook, rotateSecret: "2", overwrite: true });
    assert.deepEqual(headings(report)[0], "Adopted");
  });

  const adopted = (kind: string, after: object): string[] => linesAbout("it", created(kind, "it", { ...after }));

  it("says that an adoption without overwrite changes nothing", () => {
    for (const [kind, after] of Object.entries({
      Webhook: { ...hook, signed: false },
      EntityRecord: record,
      TestFlow: test,
    })) {
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
      assert.doesNotMatch(reviewed(planOf(created(kind, "it", { ...after, overwrite: false }))), /\.update/);
    }
  });

  it("says that the up refuses to adopt an object of another resource that differs, unless it overwrites", () => {
    const otherHook = { targetUrl: "https://b.example.com", events: ["message.completed"], enabled: false };
    for (const [kind, before, after, names] of [
      [
        "Webhook",
        { ...hook, description: "d", hasSecret: true },
        { ...hook, ...otherHook, signed: false },
        "`targetUrl`, `events`, `description`, `enabled`, `signed`",
      ],
      ["EntityRecord", record, { ...record, fields: { a: 1, b: 3, c: 4 } }, "`fields.b`, `fields.c`"],
      ["TestFlow", test, { ...test, definition: { b: 3 } }, "`definition.b`"],
    ] as const) {
      const [refusal = "", ...others] = renamedLines(kind, before, after);
      assert.ok(refusal.startsWith("`pulumi up` will refuse it: "), refusal);
      assert.ok(refusal.endsWith(`has another ${names}`), refusal);
      assert.deepEqual(others, []);
      const overwritten = renamedLines(kind, before, { ...after, overwrite: true });
      assert.match(overwritten[0] ?? "", /^(sends|continues|.* is written)/);
      assert.match(renamedLines(kind, before, before).join(), /^continues to manage/);
    }
    for (const [kind, before, after] of [
      ["Webhook", hook, { ...hook, description: unknown }],
      ["EntityRecord", record, { ...record, fields: { a: unknown } }],
      ["TestFlow", { appId: "a", flowId: "f" }, test],
    ] as const)
      assert.match(renamedLines(kind, before, after).join("\n"), /^continues to manage/, kind);
  });

  it("says what an adoption may change in an object that was not read yet", () => {
    for (const [given, line] of [
      [{ signed: false }, /loses its signing secret, if it has one/],
      [{ signed: true }, /gets a signing secret, if it has none/],
      [{ signed: unknown }, /may get a signing secret, or lose it/],
      [{ enabled: false }, /is switched off, if it is on/],
      [{}, /is switched on, if it is off/],
    ] as const)
      assert.match(adopted("Webhook", { ...hook, overwrite: true, ...given }).join(), line);
    for (const paused of [undefined, false, true])
      assert.deepEqual(adopted("AdCampaign", { ...found, paused }), ["campaign `cmp_1` of app `app-1` is adopted"]);
  });

  it("counts an adopted campaign as spending before, whatever its status: the service may hold it", () => {
    const report = (paused?: boolean): string => reviewed(planOf(created("AdCampaign", "it", { ...found, paused })));
    for (const paused of [undefined, false])
      assert.match(report(paused), /\*\*Total\*\* \| 5\.00 \| 5\.00 \| 0\.00 \|/);
    assert.match(report(true), /\*\*Total\*\* \| 5\.00 \| 0\.00 \| -5\.00 \|/);
    assert.match(report(true), /campaign\.pause/);
    assert.doesNotMatch(report(), /campaign\.pause/);
  });

  it("says that a campaign that Pulumi forgets with another resource keeps spending", () => {
    const urn = "urn:pulumi:dev::tested::other:index:Thing::thing";
    const ended = deleted("AdCampaign", "spring", launched, { deletedWith: urn });
    const thing = { op: "delete", urn, oldState: { urn, inputs: {}, outputs: {} } };
    assert.match(linesAbout("spring", ended, thing)[0] ?? "", /goes on spending EUR 5\.00 a day, outside this stack$/);
    assert.match(linesAbout("spring", ended)[0] ?? "", /is deleted permanently/);
  });
});
