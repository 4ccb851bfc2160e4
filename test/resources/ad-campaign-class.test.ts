import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AdCampaign, type AdCampaignArgs } from "../../provider/resources/ad-campaign";
import { declared } from "../support/campaigns";

/** The registration that the engine receives, and the resource. */
async function registered(args: AdCampaignArgs = declared) {
  let asked: pulumi.runtime.MockResourceArgs | undefined;
  await pulumi.runtime.setMocks({
    newResource: (given) => {
      asked = given;
      return { id: "cmp_1", state: { ...declared, campaignId: "cmp_1", launchState: "confirmed" } };
    },
    call: () => ({}),
  });
  const resource = new AdCampaign("spring", args);
  await new Promise((resolve) => resource.urn.apply(resolve));
  assert.ok(asked);
  return { resource, asked };
}

describe("AdCampaign, in a program", () => {
  it("is registered under its type, with its arguments", async () => {
    const { asked } = await registered();
    assert.equal(asked.type, "pulumi-nodejs:dynamic/workspace-apps:AdCampaign");
    assert.deepEqual({ ...asked.inputs, ...declared }, asked.inputs);
  });

  it("is registered without arguments when a JavaScript program passes null, so that the host can report them as missing", async () => {
    const { asked } = await registered(null as unknown as AdCampaignArgs);
    assert.equal(asked.name, "spring");
    assert.equal("campaignName" in asked.inputs, false);
  });

  it("has every argument and every value that the service adds as outputs, given or not", async () => {
    const { resource } = await registered();
    const outputs = [
      ...Object.keys(declared),
      "businessName",
      "keywordThemes",
      "searchThemes",
      "geoTargets",
      "logoUrl",
      "phoneNumber",
      "timezone",
      "extraFields",
      "paused",
      "campaignId",
      "deletionPolicy",
      "platformCampaignId",
      "accountId",
      "accountCurrencyCode",
      "accountTimezone",
      "platformCustomerId",
      "launchState",
      "launchAttemptedAt",
      "createdDate",
    ];
    const properties = resource as unknown as Record<string, unknown>;
    for (const output of outputs) assert.ok(pulumi.Output.isInstance(properties[output]), output);
  });
});
