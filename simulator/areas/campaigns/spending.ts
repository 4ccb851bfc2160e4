import { campaignStatus } from "../../../provider/service/shapes";
import type { Campaign } from "../../types";

const day = 24 * 60 * 60 * 1000;

/**
 * The spending of one campaign: the simulator's own invention, because the specification does not show it. A campaign
 * spends its whole daily budget at the start of each day. Its days are 24 hours long. The first one begins with the
 * campaign, and while it is not enabled, none begins.
 */
export class Meter {
  private spent = 0;
  /** When the next day begins, if the campaign is enabled then. */
  private nextDay: number;

  constructor({ created_date }: Campaign) {
    this.nextDay = Date.parse(created_date);
  }

  /** In micros. Must also be called before each change of the campaign: what was spent depends on what it was. */
  spentUntil(now: number, { status, daily_budget_micros }: Campaign): number {
    if (status !== campaignStatus.enabled) this.nextDay = Math.max(this.nextDay, now);
    else if (now >= this.nextDay) {
      const days = Math.floor((now - this.nextDay) / day) + 1;
      this.spent += days * daily_budget_micros;
      this.nextDay += days * day;
    }
    return this.spent;
  }
}
