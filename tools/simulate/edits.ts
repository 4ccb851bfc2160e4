import { apps, type Declaration, type Edit, namesOf, type Program } from "./schedule";
import { keyOf } from "./witness";

/**
 * Changes a program as a person would. `live` returns the id of the live campaign of a name. A change that would declare
 * a campaign twice is not made.
 */
export function applyEdit(
  program: Program,
  edit: Edit,
  history: Declaration[][],
  live: (campaign: string) => string | undefined,
): void {
  if (edit.change === "revert") {
    program.campaigns = history.pop() ?? program.campaigns;
    return;
  }
  const before = program.campaigns;
  const changed = changedCampaigns(before, edit, edit.change, live);
  history.push(before);
  const keys = changed.map(({ appId, campaignName }) => keyOf(appId, campaignName));
  if (new Set(keys).size === keys.length) program.campaigns = changed;
}

function changedCampaigns(
  campaigns: readonly Declaration[],
  { stack, which }: Edit,
  change: Exclude<Edit["change"], "revert">,
  live: (campaign: string) => string | undefined,
): Declaration[] {
  const names = namesOf[stack] ?? [];
  const index = which % Math.max(1, campaigns.length);
  const one = campaigns[index];
  if (change === "add") {
    const name = names.find((free) => campaigns.every(({ campaignName }) => campaignName !== free));
    const resource = newResource(campaigns);
    if (name === undefined) return [...campaigns];
    return [...campaigns, { resource, appId: apps[0] ?? "", campaignName: name, dailyBudgetMicros: 1_000_000 }];
  }
  if (one === undefined) return [];
  const replaced = (by: Partial<Declaration>): Declaration[] => campaigns.with(index, { ...one, ...by });
  if (change === "remove") return campaigns.toSpliced(index, 1);
  if (change === "rename the resource") return replaced({ resource: newResource(campaigns), alias: undefined });
  if (change === "rename the resource with aliases")
    return replaced({ resource: newResource(campaigns), alias: one.resource });
  if (change === "declare its id") return replaced({ campaignId: live(keyOf(one.appId, one.campaignName)) });
  if (change === "leave its id out") return replaced({ campaignId: undefined });
  if (change === "swap names with the next") {
    const other = campaigns[(index + 1) % campaigns.length] ?? one;
    return campaigns.map((campaign) => {
      if (campaign === one) return { ...campaign, campaignName: other.campaignName, appId: other.appId };
      if (campaign === other) return { ...campaign, campaignName: one.campaignName, appId: one.appId };
      return campaign;
    });
  }
  if ("campaignName" in change) return replaced({ campaignName: names[change.campaignName % names.length] ?? "" });
  return replaced(change);
}

function newResource(campaigns: readonly Declaration[]): string {
  const numbers = campaigns.map(({ resource }) => Number(resource.replace(/^.*-/, "")));
  return `campaign-${String(Math.max(0, ...numbers) + 1)}`;
}
