import { isRemoved, type ListedCampaign } from "../../service/campaigns";
import { ProviderError } from "../../service/errors";
import { money } from "../../service/money";
import type { Freshness } from "../../service/shared-reads";
import type { Deployment } from "../shared/deployment";
import { type Identified, identifiedName, type Inputs } from "./campaign";
import { isPaused, readCampaigns, unreadableList } from "./campaign-list";

/* The limit of what the campaigns of an app may spend a day together: the setting `maxAppDailyBudgetMicros`. */

/** A campaign that is about to spend. Its id is known where it exists already. */
interface Starting extends Pick<Inputs, "appId" | "dailyBudgetMicros"> {
  readonly campaignId?: string | undefined;
  readonly launchedName?: string | undefined;
  /** The campaigns that are deleted before it. */
  readonly without?: readonly string[] | undefined;
}

export const appLimit = "workspace-apps:maxAppDailyBudgetMicros (or WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS)";

/** Lets one campaign of an app begin to spend at a time. */
export function inTurn<T>(appId: string, { mutex }: Deployment, step: () => Promise<T>): Promise<T> {
  return mutex.run(`launches of app ${appId}`, step);
}

/** Runs a step after which a campaign spends, if the limit of its app allows that. The steps of one app take turns. */
export function withinAppBudget<T>(campaign: Starting, deployment: Deployment, step: () => Promise<T>): Promise<T> {
  return inTurn(campaign.appId, deployment, async () => {
    await requireWithinAppBudget(campaign, deployment, "fresh");
    return step();
  });
}

/** Throws if the app's campaigns could spend too much with this one. */
export async function requireWithinAppBudget(
  campaign: Starting,
  deployment: Deployment,
  freshness: Freshness,
): Promise<void> {
  const limit = deployment.settings.maxAppDailyBudgetMicros;
  if (limit === undefined) return;
  const { appId, campaignId, launchedName, without = [] } = campaign;
  const unknownTotal = `Cannot check ${appLimit}: the total daily budget of app ${appId} is unknown.`;
  const rows = await readCampaigns(appId, deployment, freshness).catch((error: unknown) => {
    throw new ProviderError({ code: "WA1225", what: unknownTotal, ...unreadableList(error, deployment) });
  });
  const others = rows.filter(({ id }) => id !== campaignId && !without.includes(id));
  const spending = others.filter((row) => maySpend({ appId, campaignId: row.id }, row, deployment));
  const unknown = spending.filter((row) => (row.daily_budget_micros ?? undefined) === undefined);
  if (unknown.length > 0)
    throw new ProviderError({
      code: "WA1225",
      what: unknownTotal,
      known: [`The list does not show the daily budget of ${unknown.map(({ id }) => id).join(", ")}.`],
      next: ["Delete what need not run, or remove the limit."],
    });
  const unlisted = deployment.launches
    .reservedIn(appId)
    .filter((one) => one.launchedName !== launchedName && !rows.some((row) => row.campaign_name === one.launchedName));
  const counted = [
    ...spending.map((row) => ({ name: row.id, micros: BigInt(row.daily_budget_micros ?? 0) })),
    ...unlisted.map(({ launchedName: name, micros }) => ({ name: `"${name}"`, micros: BigInt(micros) })),
  ];
  const sum = counted.reduce((all, { micros }) => all + micros, BigInt(campaign.dailyBudgetMicros));
  if (sum <= limit) return;
  const names = counted.map(({ name, micros }) => `${name} (${money(micros, undefined)})`);
  throw new ProviderError({
    code: "WA1224",
    what: `With it, the campaigns of app ${appId} could spend ${money(sum, undefined)} a day, above the limit of ${money(limit, undefined)} that ${appLimit} sets.`,
    known: [
      `Its own budget is ${money(campaign.dailyBudgetMicros, undefined)} a day. ${names.length === 0 ? "No other campaign counts" : `These count already: ${names.join(", ")}`}.`,
      "A campaign that the service holds counts: the service enables it by itself.",
    ],
    next: ["Lower the budget, delete one of the others, pause one that this stack manages, or raise the limit."],
  });
}

/** Every live campaign may, unless this package paused it and the service confirmed that. */
function maySpend(campaign: Identified, row: ListedCampaign, { ledger }: Deployment): boolean {
  const known = ledger.fateOf(identifiedName(campaign));
  return !isRemoved(row) && known !== "ended" && !(known === "paused" && isPaused(row) === true);
}
