import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { membersLookup } from "../../provider/lookups/members";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { onService } from "./support";

/* What a look-up must report, and what it must not reveal. */

/** The first word of each line of a message, with its indentation. */
function shapeOf(message: string): string[] {
  return message.split("\n").map((line) => /^ *\S*/.exec(line)?.[0] ?? "");
}

describe("A look-up", () => {
  const { ask, failure, lines, simulator } = onService();

  it("returns a separate result to each caller", async () => {
    const one = await ask(membersLookup, {});
    const held = one.members.length;
    one.members.length = 0;
    one.notes.push("changed");
    const other = await ask(membersLookup, {});
    assert.deepEqual([other.members.length, other.notes], [held, []]);
    assert.equal(simulator.requests.length, 1);
  });

  it("shows no secret argument, in any form, in a path or in the service's message", async () => {
    const detail = "There is no app canary/arg.";
    simulator.fault({ operation: "userStats.get", times: 2, then: { status: 403, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "canary/arg" }, true);
    assert.match(message, /^getUserStats: .*403/);
    assert.doesNotMatch(message, /canary/);
    assert.match(
      await failure(userStatsLookup, { appId: "canary/arg" }),
      /said: .*canary\/arg.*Request: .*canary%2Farg/s,
    );
    simulator.fault({ operation: "member.list", times: 99, then: { status: 429, headers: { "retry-after": "20" } } });
    assert.match(await failure(membersLookup, { search: "canary" }, true), /The rate limit was reached.*rateLimits/s);
    assert.doesNotMatch(lines.said.join(), /canary/);
  });

  it("removes terminal control characters from everything that the service sends", async () => {
    const detail = [{ loc: ["body", "\u001b[2J\nerror: full-access-token"], msg: "\u202ebad", type: "x" }];
    simulator.fault({ operation: "userStats.get", then: { status: 422, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "a" });
    assert.deepEqual(shapeOf(message), ["getUserStats:", "  The", "  Request:"]);
    assert.doesNotMatch(message.replaceAll("\n", ""), /\p{Cc}|\u202e|full-access-token/u);
    const row = { campaign_name: "x", status: "ENABLED", platform_campaign_id: "7" };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [{ ...row, id: "\u001b[2J\nc" }] } });
    const hint = await failure(campaignLookup, { appId: "a", campaignId: "7" });
    assert.deepEqual(shapeOf(hint), ["getCampaign:", "  -"]);
    assert.doesNotMatch(hint.replaceAll("\n", ""), /\p{Cc}/u);
    const body = { status: "pending\n\u001b[2Jerror: gone", result: {} };
    simulator.fault({ operation: "scan.get", then: { status: 200, body } });
    const { notes } = await ask(securityScanLookup, { appId: "a" });
    assert.match(notes.join(), /an earlier scan \(status pending \[2Jerror: gone\)/);
    assert.doesNotMatch(notes.join(), /\p{Cc}/u);
  });

  it("shows no part of a long secret argument, nor of one with line breaks or control characters", async () => {
    const long = Array.from({ length: 400 }, (_, index) => `canary${String(index)}`).join("-");
    for (const appId of [long, "canary/ü ".repeat(40), "canary\n7\u0007canary"]) {
      simulator.fault({ operation: "userStats.get", then: { status: 403, body: { detail: `No app ${appId}!` } } });
      const message = await failure(userStatsLookup, { appId }, true);
      assert.match(message, /Request: GET http:\/\/\S*\/api\/apps\/\S*\/analytics\/stats\/users\n/);
      assert.doesNotMatch(message, /canary/, message);
      simulator.fault({ operation: "campaign.list", then: { status: 200, body: [] } });
      assert.doesNotMatch(await failure(campaignLookup, { appId, campaignId: "7" }, true), /canary/);
    }
  });

  it("says when one or all arguments are an Output", async () => {
    assert.equal(
      await failure(userStatsLookup, pulumi.output({ appId: "a" })),
      "getUserStats: the arguments are an Output. No request was sent.\n  - Use getUserStatsOutput.",
    );
    assert.match(await failure(userStatsLookup, null as unknown as object), /^getUserStats: the arguments: /);
  });

  it("lists five problems of a response and says that there are more", async () => {
    const library = Array.from({ length: 5_000 }, () => ({ status: 7 }));
    simulator.fault({ operation: "asset.list", times: 5, then: { status: 200, body: { library } } });
    const message = await failure(adAssetsLookup, { appId: "a" });
    assert.match(message, /library\.4\.status: [^;]*; and more\.\n/);
    assert.ok(message.length < 1_500, String(message.length));
  });
});

describe("A response that lacks the requested values is an error", () => {
  const { ask, failure, simulator } = onService();

  for (const [what, args, body, words] of [
    ["the library", { appId: "a" }, {}, /the response has no library list/],
    ["the session", { appId: "a", sessionId: "s" }, { session: null }, /the response has no session list/],
    ["the campaign's assets", { appId: "a", campaignId: "c" }, { library: [] }, /the response has no durable list/],
  ] as const)
    it(`for assets: ${what}`, async () => {
      simulator.fault({ operation: "asset.list", then: { status: 200, body } });
      assert.match(await failure(adAssetsLookup, args), words);
    });

  it("for a run: a response without an explanation does not mean that the model is unavailable; a blank one does", async () => {
    const run = { appId: "a", workflowId: "w", runId: "r" };
    simulator.fault({ operation: "run.analyze", times: 5, then: { status: 200, body: { detail: "internal" } } });
    assert.match(await failure(runExplanationLookup, run), /could not be read: explanation/);
    for (const explanation of ["", " \n", null]) {
      simulator.fault({ operation: "run.analyze", then: { status: 200, body: { explanation, generated_at: "" } } });
      assert.deepEqual(await ask(runExplanationLookup, run, String(explanation)), { outcome: "model_unavailable" });
    }
    const odd = { explanation: "Because.", generated_at: "yesterday" };
    simulator.fault({ operation: "run.analyze", then: { status: 200, body: odd } });
    const explained = await ask(runExplanationLookup, { ...run, runId: "other" });
    assert.deepEqual(explained, { outcome: "explained", explanation: "Because." });
  });

  it("for a connector: a response without its values says nothing about the connection, and no error repeats them", async () => {
    const connector = { appId: "a", integrationType: "crm" };
    simulator.fault({ operation: "connector.fields", times: 5, then: { status: 200, body: { fields: [] } } });
    assert.match(await failure(connectorFieldsLookup, connector), /connection_config/);
    const body = { connection_config: { pw: "canary-pw", host: "canary-host" } };
    simulator.fault({ operation: "connector.fields", then: { status: 400, body } });
    assert.doesNotMatch(await failure(connectorFieldsLookup, connector), /canary/);
  });
});
