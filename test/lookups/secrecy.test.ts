import assert from "node:assert/strict";
import type { Lookup } from "../../provider/lookups/shared/lookup";
import { adAssetsLookup } from "../../provider/lookups/ad-assets";
import { campaignLookup, campaignsLookup } from "../../provider/lookups/campaigns";
import { connectorFieldsLookup } from "../../provider/lookups/connector-fields";
import { geoTargetsLookup } from "../../provider/lookups/geo-targets";
import { membersLookup } from "../../provider/lookups/members";
import { runExplanationLookup } from "../../provider/lookups/run-explanation";
import { searchTermsLookup } from "../../provider/lookups/search-terms";
import { searchThemesLookup } from "../../provider/lookups/search-themes";
import { securityScanLookup } from "../../provider/lookups/security-scan";
import { userStatsLookup } from "../../provider/lookups/user-stats";
import { webhookLookup } from "../../provider/lookups/webhook";
import type { OperationId } from "../../provider/service/operations";
import { Canaries } from "../support/canaries";
import { onService } from "./support";

const canaries = new Canaries();
const accessToken = canaries.make("token", "+/=");
const apiKey = canaries.make("key", `"~`);
const secret = canaries.make("argument", "ü /+%");
const inApp = { appId: secret };

/** The operation of a look-up, and its arguments. */
const asking = <Args extends object>(lookup: Lookup<Args, unknown>, operation: OperationId, args: object) => ({
  lookup: lookup as unknown as Lookup<object, unknown>,
  operation,
  args,
});

const lookups = [
  asking(membersLookup, "member.list", { search: secret }),
  asking(campaignsLookup, "campaign.list", inApp),
  asking(campaignLookup, "campaign.list", { ...inApp, campaignId: secret }),
  asking(webhookLookup, "webhook.get", { agentId: secret, webhookId: secret }),
  asking(geoTargetsLookup, "geoTarget.search", { ...inApp, query: secret }),
  asking(searchThemesLookup, "searchTheme.suggest", { ...inApp, businessDescription: secret }),
  asking(searchTermsLookup, "searchTerm.report", inApp),
  asking(adAssetsLookup, "asset.list", inApp),
  asking(securityScanLookup, "scan.get", inApp),
  asking(connectorFieldsLookup, "connector.fields", { ...inApp, integrationType: secret }),
  asking(userStatsLookup, "userStats.get", inApp),
  asking(runExplanationLookup, "run.analyze", { ...inApp, workflowId: secret, runId: secret }),
];

describe("A secret that the service repeats to a look-up", () => {
  const { failure, lines, simulator } = onService({ accessToken, apiKey });

  for (const { lookup, operation, args } of lookups)
    it(`is not shown by ${lookup.name}`, async () => {
      const own = [accessToken, apiKey, secret];
      const texts = [...own, ...own.map(encodeURIComponent), ...own.map((text) => JSON.stringify(text))];
      const all = texts.join(" | ");
      for (const then of [
        { status: 403, body: { detail: all } },
        { status: 422, body: { detail: texts.map((msg) => ({ loc: ["query", msg], msg, type: "x" })) } },
        { status: 500, body: `<html>${all}</html>` },
        { status: 200, body: { [all]: texts } },
      ]) {
        simulator.clearFaults();
        simulator.fault({ operation, times: "always", then });
        const shown = [await failure(lookup, args, true), ...lines.said, ...lines.warned];
        assert.deepEqual(canaries.foundIn(shown.join("\n")), [], shown.join("\n"));
      }
    });
});
