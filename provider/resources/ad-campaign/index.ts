import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { adCampaignLifecycle } from "./lifecycle";

/** What to launch, or which campaign to adopt. */
export interface AdCampaignArgs {
  /** The app that is advertised. A change replaces the campaign. */
  appId: pulumi.Input<string>;
  /** Its name, by which it is found again after a lost answer: one live campaign of an app has it. A change replaces. */
  campaignName: pulumi.Input<string>;
  /** `SMART`, a Performance Max type (which needs `logoUrl`), or another that the service knows. A change replaces. */
  campaignType: pulumi.Input<string>;
  /**
   * What it may spend a day, in millionths of the account's currency: a whole number above 0, and not above
   * `workspace-apps:maxDailyBudgetMicros` where that is set. A change replaces.
   */
  dailyBudgetMicros: pulumi.Input<number>;
  /** The absolute http(s) URL that the ads lead to: the one that launch readiness reports. A change replaces. */
  landingPage: pulumi.Input<string>;
  /** The advertiser's name. A change replaces. */
  businessName?: pulumi.Input<string>;
  /** Themes of a smart campaign. A change replaces. */
  keywordThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /** At most 10 themes of at most 80 characters, for Performance Max. A change replaces. */
  searchThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /** Location ids (`resource_name` of the geo search); their order does not matter. A change replaces. */
  geoTargets?: pulumi.Input<pulumi.Input<string>[]>;
  /** An absolute http(s) URL; a Performance Max campaign needs one. A change replaces. */
  logoUrl?: pulumi.Input<string>;
  /** A change replaces. */
  phoneNumber?: pulumi.Input<string>;
  /**
   * The IANA time zone of the advertising account. Counts only for the first campaign of an app, whose launch creates the
   * account; a change is no difference.
   * @default UTC
   */
  timezone?: pulumi.Input<string>;
  /** Campaign fields that the specification does not show, sent as they are. None may shadow an argument. A change replaces. */
  extraFields?: pulumi.Input<Record<string, unknown>>;
  /**
   * Whether it is paused. Left out: it is left alone, also while the service itself keeps it paused until conversion
   * tracking is wired. A campaign declared as paused is launched and then paused.
   */
  paused?: pulumi.Input<boolean>;
  /** Adopts this existing campaign (the service's `id`) instead of launching one. A change to another id replaces. */
  campaignId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it for good, `pause` it, or `retain` it, which goes on spending.
   * @default `delete` for a campaign that this stack launched, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "pause" | "retain">;
}

/**
 * An advertising campaign of an app. **Launching it starts spending.**
 *
 * Launching and deleting are documented by the service; the list, pausing, resuming and launch readiness rest on assumed
 * paths, which `workspace-apps:endpoints` can change. It is launched exactly once: before every launch the list of
 * campaigns is read, a live campaign of the same name and values is taken as this one, and after an answer that leaves
 * the outcome open the list is watched and nothing is posted again. A campaign cannot be changed in place: every change
 * but that of `paused`, `deletionPolicy` and `timezone` deletes it and launches another. Destroy deletes a campaign that
 * this stack launched, for good, and retains an adopted one, unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * const spring = new apps.AdCampaign("spring", {
 *     appId: "app-1",
 *     campaignName: "Spring sale",
 *     campaignType: "SMART",
 *     dailyBudgetMicros: 5_000_000,
 *     landingPage: "https://shop.example.com/",
 * });
 * export const campaignId = spring.campaignId;
 * ```
 */
export class AdCampaign extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly campaignName: pulumi.Output<string>;
  declare readonly campaignType: pulumi.Output<string>;
  declare readonly dailyBudgetMicros: pulumi.Output<number>;
  declare readonly landingPage: pulumi.Output<string>;
  declare readonly businessName: pulumi.Output<string | undefined>;
  declare readonly keywordThemes: pulumi.Output<string[] | undefined>;
  declare readonly searchThemes: pulumi.Output<string[] | undefined>;
  declare readonly geoTargets: pulumi.Output<string[] | undefined>;
  declare readonly logoUrl: pulumi.Output<string | undefined>;
  declare readonly phoneNumber: pulumi.Output<string | undefined>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly extraFields: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly paused: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. Undefined while `launchState` is `unconfirmed`. */
  declare readonly campaignId: pulumi.Output<string | undefined>;
  /** The ad platform's own id. */
  declare readonly platformCampaignId: pulumi.Output<string | undefined>;
  /** The advertising account, as far as the launch told of it: unknown for an adopted campaign. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  /** The currency of all its amounts, with the same limits. */
  declare readonly accountCurrencyCode: pulumi.Output<string | undefined>;
  /** In which the account counts its days. */
  declare readonly accountTimezone: pulumi.Output<string | undefined>;
  /** The ad platform's id of the account. */
  declare readonly platformCustomerId: pulumi.Output<string | undefined>;
  /** `unconfirmed`: the launch was sent and nobody knows yet what came of it. */
  declare readonly launchState: pulumi.Output<"confirmed" | "unconfirmed">;
  /** When an unconfirmed launch was sent. */
  declare readonly launchAttemptedAt: pulumi.Output<string | undefined>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;

  constructor(name: string, args: AdCampaignArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(adCampaignLifecycle, name, args, options));
  }
}
