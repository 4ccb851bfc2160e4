import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonOf } from "../../cli/review/json";
import { markdownOf } from "../../cli/review/markdown";
import { planFrom } from "../../cli/review/plan";
import { reviewOf } from "../../cli/review/review";
import { kindNames } from "../../provider/registry";
import { planOf, step, unknown } from "./support";

const marker = "<!-- workspace-apps review -->";

function reports(plan: string): { markdown: string; json: string } {
  const review = reviewOf(planFrom(plan), []);
  return { markdown: markdownOf(review), json: jsonOf(review, { exitCode: 0, failedOn: [], overMaxDailySpend: [] }) };
}

/** The parts that Markdown interprets: everything except code spans. */
function outsideCode(markdown: string): string {
  return markdown.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, "CODE");
}

const hostile = fc.oneof(
  fc.constantFrom(
    ...["a|b|c", "a\\|b", "\\", "`", "``a` `b``", "` --> `", "line\nbreak\r\n- item", "   ", "x".repeat(5_000)],
    ...["<!-- workspace-apps review -->", "--><script>alert(1)</script>", "@octocat @org/team", "a::b$c"],
    ...["fixes #1 owner/repo#2", "[link](https://evil.example.com) ![image](x)", "**bold** _it_ ~~no~~"],
    ...["\u202egnp.exe", "\ud800", "$(rm -rf) \u001b[31m"],
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

describe("A review of a hostile plan", () => {
  it("keeps names, apps and ids in code spans on one line, so that nothing breaks, links or mentions users", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, app, id) => {
        const values = { appId: app, campaignName: name, campaignId: id, dailyBudgetMicros: 1, fields: {} };
        const { markdown, json } = reports(
          planOf(
            step("delete", "AdCampaign", name, { before: { ...values, accountCurrencyCode: "EUR" } }),
            step("create", "TestFlow", name, { after: { appId: app, flowId: id } }),
            step("update", "EntityRecord", name, {
              before: { ...values, fields: { [id]: 1 }, recordId: id, entityName: app },
              after: { ...values },
            }),
          ),
        );
        const lines = markdown.split("\n");
        assert.equal(lines[0], marker);
        assert.ok(markdown.length < 3_000, "long values are shortened");
        const rows = lines.filter((line) => line.startsWith("|"));
        assert.equal(rows.length, 4);
        for (const row of rows) assert.equal(row.split("|").length, 6, row);
        const items = lines.filter((line) => line.startsWith("- "));
        assert.ok(items.length >= 3 && items.length <= 5, markdown);
        const rest = outsideCode(lines.slice(1).join("\n"));
        assert.doesNotMatch(rest, /[`<>@\\[\]~$]|#\d/);
        // eslint-disable-next-line no-control-regex
        assert.doesNotMatch(markdown, /[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
        assert.doesNotThrow(() => void JSON.parse(json));
      }),
      { numRuns: 300 },
    );
  });

  it("shows no secret, ciphertext, unknown value or content, wherever they occur", () => {
    const canary = "CANARY";
    const signature = "4dabf18193072939515e22adb298388d";
    const secret = { [signature]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: `v1:${canary}`, plaintext: canary };
    const hidden = fc.constantFrom<unknown>(
      secret,
      "[secret]",
      unknown,
      `https://${unknown}/${canary}`,
      [secret, unknown],
      { inner: secret, [`key`]: [{ deeper: secret }] },
    );
    // Contents, which no report needs, and names of objects, hidden or not.
    const content = fc.oneof(hidden, fc.constant(canary), fc.constant(undefined));
    const naming = fc.oneof(hidden, fc.constantFrom<unknown>("id-1", "id-2", undefined));
    const flag = fc.oneof(hidden, fc.constantFrom<unknown>(true, false, undefined));
    const each = (keys: string, value: fc.Arbitrary<unknown>) =>
      Object.fromEntries(keys.split(" ").map((key) => [key, value]));
    const values = fc.record({
      ...each("appId agentId folderId campaignId webhookId recordId flowId sessionId entityName", naming),
      ...each("targetUrl description prompt title definition valuesFound secret composerPrompt rotateSecret", content),
      ...each("paused enabled signed adopt overwrite hasSecret", flag),
      fields: fc.oneof(hidden, fc.dictionary(fc.constantFrom("a", "b"), content)),
      dailyBudgetMicros: fc.oneof(hidden, fc.constantFrom<unknown>(1_000_000, -1, 1.5, 2 ** 60, null)),
      accountCurrencyCode: fc.oneof(hidden, fc.constantFrom<unknown>("EUR", "eur", canary, undefined)),
      deletionPolicy: fc.oneof(hidden, fc.constantFrom<unknown>("delete", "retain", undefined)),
      origin: fc.oneof(hidden, fc.constantFrom<unknown>("created", "adopted")),
    });
    const aStep = fc
      .tuple(
        fc.constantFrom("create", "update", "replace", "delete", "same", "refresh"),
        fc.constantFrom(...kindNames),
        fc.constantFrom("one", "two"),
        values,
        values,
      )
      .map(([op, kind, name, before, after]) =>
        step(op, kind, name, { ...(op !== "create" && { before }), ...(op !== "delete" && { after }) }),
      );
    fc.assert(
      fc.property(fc.array(aStep, { minLength: 1, maxLength: 5 }), (steps) => {
        const { markdown, json } = reports(planOf(...steps));
        for (const report of [markdown, json])
          for (const shown of [canary, unknown, "[secret]"]) assert.ok(!report.includes(shown), report);
      }),
      { numRuns: 1_000 },
    );
  });
});
