import * as pulumi from "@pulumi/pulumi";
import * as apps from "pulumi-workspace-apps";

const config = new pulumi.Config();
const appId = config.get("appId") ?? "app-shop";
const dailyBudgetMicros = apps.micros(5);

export = async () => {
  await expectCleanScan();

  // Who may approve spending is whoever owns or administers the workspace now.
  const { members } = apps.getMembersOutput({ roles: ["owner", "admin"], inviteStatuses: ["joined"] });
  new apps.EntityRecord("spending-policy", {
    appId,
    entityName: "SpendingPolicy",
    fields: { approvers: members.apply((all) => all.map(({ email }) => email)), dailyBudgetMicros },
  });

  const { targets } = await apps.getGeoTargets({ appId, query: "Zurich", countryCode: "CH", limit: 2 });
  const { searchThemes } = await apps.getSearchThemes({ appId, businessName: "Example Shop", language: "de" });
  const spring = new apps.AdCampaign(
    "spring",
    {
      appId,
      campaignName: "Spring sale",
      campaignType: "PERFORMANCE_MAX",
      dailyBudgetMicros,
      landingPage: "https://shop.example.com/spring",
      logoUrl: "https://shop.example.com/logo.png",
      geoTargets: targets.map(({ resourceName }) => resourceName),
      searchThemes,
    },
    // The next run may find other locations and suggest other themes, and a change of either would delete the campaign
    // and launch another.
    { ignoreChanges: ["geoTargets", "searchThemes"] },
  );

  // Unknown at the first preview; afterwards the live value, which the resource itself does not keep.
  const live = apps.getCampaignOutput({ appId, campaignId: spring.id });
  return {
    campaignId: spring.campaignId,
    locations: targets.map(({ canonicalName }) => canonicalName),
    review: live.reviewStatus,
  };
};

/**
 * Fails the program, so that nothing is launched or changed. Leaving the campaign out of the program instead would delete
 * one that runs.
 */
async function expectCleanScan(): Promise<void> {
  const { status, result } = await apps.getSecurityScan({ appId, waitForScan: { timeoutSeconds: 300 } });
  // An empty group proves nothing, and neither does a result of an earlier state of the app.
  if (status !== "up_to_date" || result === undefined)
    throw refusal(`The security scan of ${appId} is "${status}": run a new one before advertising.`);
  const secrets = result.hardcodedSecrets?.length ?? 0;
  if (secrets > 0)
    throw refusal(`${appId} has ${String(secrets)} secrets in its code: remove them before advertising.`);
}

/** Ends the program with this message. A stack trace says nothing here, and Pulumi takes half a minute to work one out. */
function refusal(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
