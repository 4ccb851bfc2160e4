import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { membersLookup } from "../../provider/lookups/members";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { onService } from "./support";

/* What a look-up must not pass over, and what it must not let out. */

describe("A look-up", () => {
  const { ask, failure, lines, simulator } = onService();

  it("gives each caller a result of its own", async () => {
    const one = await ask(membersLookup, {});
    const held = one.members.length;
    one.members.length = 0;
    one.notes.push("changed");
    const other = await ask(membersLookup, {});
    assert.deepEqual([other.members.length, other.notes], [held, []]);
    assert.equal(simulator.requests.length, 1);
  });

  it("shows no secret argument, in whatever form it stands in a path or in the service's words", async () => {
    const detail = "There is no app canary/arg.";
    simulator.fault({ operation: "userStats.get", times: 2, then: { status: 403, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "canary/arg" }, true);
    assert.match(message, /^getUserStats: .*403/);
    assert.doesNotMatch(message, /canary/);
    assert.match(await failure(userStatsLookup, { appId: "canary/arg" }), /canary%2Farg.*canary\/arg/);
    simulator.fault({ operation: "member.list", times: 99, then: { status: 429, headers: { "retry-after": "20" } } });
    assert.match(await failure(membersLookup, { search: "canary" }, true), /The rate limit was reached.*rateLimits/);
    assert.doesNotMatch(lines.said.join(), /canary/);
  });

  it("lets nothing steer a terminal, wherever the service puts it", async () => {
    const detail = [{ loc: ["body", "\u001b[2J\nerror: full-access-token"], msg: "\u202ebad", type: "x" }];
    simulator.fault({ operation: "userStats.get", then: { status: 422, body: { detail } } });
    const message = await failure(userStatsLookup, { appId: "a" });
    assert.doesNotMatch(message, /\p{Cc}|\u202e|full-access-token/u);
    const row = { campaign_name: "x", status: "ENABLED", platform_campaign_id: "7" };
    simulator.fault({ operation: "campaign.list", then: { status: 200, body: [{ ...row, id: "\u001b[2J\nc" }] } });
    assert.doesNotMatch(await failure(campaignLookup, { appId: "a", campaignId: "7" }), /\p{Cc}/u);
  });

  it("says so when an argument, or all of them, is an Output", async () => {
    assert.equal(
      await failure(userStatsLookup, pulumi.output({ appId: "a" })),
      "getUserStats: the arguments are an Output: use getUserStatsOutput.",
    );
    assert.match(await failure(userStatsLookup, null as unknown as object), /^getUserStats: the arguments: /);
  });

  it("names five problems of an answer and says that there are more", async () => {
    const library = Array.from({ length: 5_000 }, () => ({ status: 7 }));
    simulator.fault({ operation: "asset.list", times: 5, then: { status: 200, body: { library } } });
    const message = await failure(adAssetsLookup, { appId: "a" });
    assert.match(message, /library\.4\.status: [^;]*; and more\)/);
    assert.ok(message.length < 1_500, String(message.length));
  });
});

describe("An answer that lacks what was asked for is no result", () => {
  const { ask, failure, simulator } = onService();

  for (const [what, args, body, words] of [
    ["the library", { appId: "a" }, {}, /lacks library/],
    ["the session", { appId: "a", sessionId: "s" }, { session: null }, /lacks session/],
    ["the campaign's assets", { appId: "a", campaignId: "c" }, { library: [] }, /lacks durable/],
  ] as const)
    it(`of assets: ${what}`, async () => {
      simulator.fault({ operation: "asset.list", then: { status: 200, body } });
      assert.match(await failure(adAssetsLookup, args), words);
    });

  it("of a run: an answer without an explanation is no unavailable model; a blank one is", async () => {
    const run = { appId: "a", workflowId: "w", runId: "r" };
    simulator.fault({ operation: "run.analyze", times: 5, then: { status: 200, body: { detail: "internal" } } });
    assert.match(await failure(runExplanationLookup, run), /could not be read \(explanation/);
    for (const explanation of ["", " \n", null]) {
      simulator.fault({ operation: "run.analyze", then: { status: 200, body: { explanation, generated_at: "" } } });
      assert.deepEqual(await ask(runExplanationLookup, run, String(explanation)), { outcome: "model_unavailable" });
    }
    const odd = { explanation: "Because.", generated_at: "yesterday" };
    simulator.fault({ operation: "run.analyze", then: { status: 200, body: odd } });
    const explained = await ask(runExplanationLookup, { ...run, runId: "other" });
    assert.deepEqual(explained, { outcome: "explained", explanation: "Because." });
  });

  it("of a connector: without its values nothing is said of the connection, and no error repeats them", async () => {
    const connector = { appId: "a", integrationType: "crm" };
    simulator.fault({ operation: "connector.fields", times: 5, then: { status: 200, body: { fields: [] } } });
    assert.match(await failure(connectorFieldsLookup, connector), /connection_config/);
    const body = { connection_config: { pw: "canary-pw", host: "canary-host" } };
    simulator.fault({ operation: "connector.fields", then: { status: 400, body } });
    assert.doesNotMatch(await failure(connectorFieldsLookup, connector), /canary/);
  });
});
