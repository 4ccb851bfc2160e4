import type { LoggedRequest, Simulator } from "../../simulator";

/* The common parts of the stories about campaigns. */

const app = "app-shop";

/** The program of the shop: a campaign in spring with this budget, and where it is given, one in summer. */
export function shop(springBudget: number, summerBudget?: number): string {
  const campaigns = [campaign("spring", "Spring sale", springBudget)];
  if (summerBudget !== undefined) campaigns.push(campaign("summer", "Summer sale", summerBudget));
  return `import * as apps from "pulumi-workspace-apps";

${campaigns.join("\n")}
export const campaignId = spring.campaignId;
`;
}

function campaign(name: string, campaignName: string, budget: number): string {
  return `const ${name} = new apps.AdCampaign("${name}", {
  appId: "${app}",
  campaignName: "${campaignName}",
  campaignType: "SMART",
  dailyBudgetMicros: apps.micros(${String(budget)}),
  landingPage: "https://shop.example.com/${name}",
});
`;
}

/** Every campaign that the service ever launched, with its status. "-…" stands for the ending that differs in every run. */
export function campaignsOf({ objects }: Simulator): string[] {
  return objects
    .campaigns(app)
    .map(({ id, campaign_name, status, daily_budget_micros }) =>
      [
        id,
        campaign_name.replace(/-[0-9a-f]{12}$/, "-…"),
        `${String(daily_budget_micros / 1_000_000)} a day`,
        status,
      ].join(", "),
    );
}

/** The requests as operations with their status. A list that is watched counts once. */
export function operationsOf(requests: readonly LoggedRequest[]): string[] {
  const all = requests.map(({ operation, status }) => `${String(operation)} ${String(status)}`);
  return all.filter((operation, index) => operation !== all[index - 1]);
}
