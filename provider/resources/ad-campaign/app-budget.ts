import { ProviderError, type Report } from "../../service/errors";
import { money } from "../../service/money";
import type { Deployment } from "../shared/deployment";
import type { Reservation } from "../shared/reservations";
import { objectName } from "./campaign";
import {
  isPaused,
  type ListedCampaign,
  liveCampaigns,
  readCampaigns,
  sameValue,
  unreadableList,
} from "./campaign-list";

/* What all running campaigns of an app may spend a day together: the setting `maxAppDailyBudgetMicros`. */

/** A campaign that is about to spend. Its id is known where it exists already. */
type Starting = Reservation & { readonly appId: string };

/** A step was not begun, because the app's campaigns could spend too much with it. */
export class AppBudgetRefusal extends ProviderError {}

const setting = "workspace-apps:maxAppDailyBudgetMicros (or WORKSPACE_APPS_MAX_APP_DAILY_BUDGET_MICROS)";

/**
 * Runs a step after which a campaign spends, if the limit of its app allows that; else throws an AppBudgetRefusal. The
 * steps of one app take turns, so that each counts what the one before it started. A step that waited gets the live
 * campaigns of now. `mayRun`: whether the campaign may run after this result.
 */
export async function withinAppBudget<T>(
  campaign: Starting,
  deployment: Deployment,
  step: (now: readonly ListedCampaign[]) => Promise<T>,
  mayRun: (result: T) => boolean = () => true,
): Promise<T> {
  const { settings, mutex, reservations } = deployment;
  const { appId } = campaign;
  const limit = settings.maxAppDailyBudgetMicros;
  if (limit === undefined) return step([]);
  return mutex.run(`daily budget of app ${appId}`, async () => {
    const now = await campaignsOf(appId, deployment);
    const refusal = whyAbove(BigInt(limit), campaign, now, deployment);
    if (refusal !== undefined) throw new AppBudgetRefusal(refusal);
    reservations.add(appId, campaign);
    const result = await step(now);
    if (!mayRun(result)) reservations.remove(appId, campaign);
    return result;
  });
}

/** The app's live campaigns, without those that this deployment has just ended: the list may be slow to show that. */
async function campaignsOf(appId: string, deployment: Deployment): Promise<ListedCampaign[]> {
  try {
    const rows = await readCampaigns(appId, deployment, "fresh");
    return liveCampaigns(rows).filter(
      ({ id, campaign_name: campaignName }) =>
        !deployment.claims.isEnded(objectName({ appId, campaignName, campaignId: id })),
    );
  } catch (error) {
    throw new AppBudgetRefusal({
      what: `What the campaigns of app ${appId} spend in all is not known, and ${setting} limits it.`,
      ...unreadableList(error, deployment),
    });
  }
}

function whyAbove(
  limit: bigint,
  campaign: Starting,
  rows: readonly ListedCampaign[],
  { reservations }: Deployment,
): Report | undefined {
  const { appId, campaignId } = campaign;
  // A status that says neither may be one that spends.
  const running = rows.filter((row) => isPaused(row) !== true && row.id !== campaignId);
  const unknown = running.filter((row) => (row.daily_budget_micros ?? undefined) === undefined);
  if (unknown.length > 0)
    return {
      what: `What the campaigns of app ${appId} spend in all is not known, and ${setting} limits it.`,
      known: [`The list does not show the daily budget of ${unknown.map(({ id }) => id).join(", ")}.`],
      next: ["Pause or delete what need not run, or remove the limit."],
    };
  const others = [
    ...running.map((row) => ({ name: row.id, micros: BigInt(row.daily_budget_micros ?? 0) })),
    ...reservations
      .of(appId)
      .filter((reserved) => !isCounted(reserved, rows, running))
      .map((reserved) => ({ name: `"${reserved.campaignName}"`, micros: BigInt(reserved.dailyBudgetMicros) })),
  ];
  const sum = others.reduce((all, { micros }) => all + micros, BigInt(campaign.dailyBudgetMicros));
  if (sum <= limit) return undefined;
  const names = others.map(({ name, micros }) => `${name} (${money(micros, undefined)})`);
  return {
    what: `With it, the running campaigns of app ${appId} could spend ${money(sum, undefined)} a day, above the limit of ${money(limit, undefined)} that ${setting} sets.`,
    known: [
      `Its own budget is ${money(campaign.dailyBudgetMicros, undefined)} a day. ${others.length === 0 ? "No other campaign runs" : `These run already: ${names.join(", ")}`}.`,
    ],
    next: ["Lower the budget, pause or delete one of the others, or raise the limit."],
  };
}

/** Whether the list shows what was reserved: a launched campaign in any status, a resumed one running. */
function isCounted(
  { campaignId, campaignName }: Reservation,
  rows: readonly ListedCampaign[],
  running: readonly ListedCampaign[],
): boolean {
  return campaignId === undefined
    ? rows.some((row) => sameValue("campaignName", row.campaign_name, campaignName))
    : running.some((row) => row.id === campaignId);
}
