import * as pulumi from "@pulumi/pulumi";
import { withLaunchIntent } from "../../pulumi/launch-intent";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { adCampaignLifecycle } from "./lifecycle";

/** The arguments of an {@link AdCampaign}. */
export interface AdCampaignArgs {
  /** The id of the app to advertise. A change replaces the campaign. */
  appId: pulumi.Input<string>;
  /**
   * The name of the campaign, not empty. The service shows it with an ending of 12 hexadecimal digits, by which the package
   * recognizes its own campaign. A campaign of the app that has this name already is an error. A change replaces the
   * campaign.
   * @default the name of the resource
   */
  campaignName?: pulumi.Input<string>;
  /**
   * The type: `SMART`, a Performance Max type (which needs `logoUrl`), or another type of the service, which does not
   * document all of them. A change replaces the campaign.
   */
  campaignType: pulumi.Input<string>;
  /**
   * The amount that the campaign may spend in a day, in millionths of the account's currency: 5000000 is 5.00, and
   * `apps.micros(5)` converts. A whole number, at most `workspace-apps:maxDailyBudgetMicros` if that is
   * set. A launch with less than 10000 is refused at preview, because the amount was not converted. The service has its
   * own range for each currency and type, and refuses other budgets. A change replaces the campaign.
   */
  dailyBudgetMicros: pulumi.Input<number>;
  /**
   * The absolute http or https URL that the ads lead to. It must be the one that launch readiness returns. A change
   * replaces the campaign.
   */
  landingPage: pulumi.Input<string>;
  /** The name of the advertiser, not empty. The service limits its length. A change replaces the campaign. */
  businessName?: pulumi.Input<string>;
  /** Keyword themes. A change replaces the campaign. */
  keywordThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Search themes of a Performance Max campaign: at most 10, each of 1 to 80 characters, as the specification bounds
   * suggested ones. A change replaces the campaign.
   */
  searchThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The locations to target: values of `resourceName` from `getGeoTargets`. The order does not matter. Targets that
   * reach the EU need a political-advertising declaration; give it in `extraFields`. A change replaces the campaign.
   */
  geoTargets?: pulumi.Input<pulumi.Input<string>[]>;
  /** The absolute http or https URL of a logo. Required for Performance Max. A change replaces the campaign. */
  logoUrl?: pulumi.Input<string>;
  /**
   * The phone number in the ads, not empty. The specification shows it in responses only; that a launch accepts it is
   * assumed. A change replaces the campaign. */
  phoneNumber?: pulumi.Input<string>;
  /**
   * The IANA time zone of the app's advertising account, such as `Europe/Berlin`. The service uses it only when a
   * launch creates the account, which the first launch of an app does. After that it is fixed, even if that launch
   * failed. A change has no effect.
   * @default UTC
   */
  timezone?: pulumi.Input<string>;
  /**
   * Campaign fields that the specification does not show, sent unchanged. No key may name another argument. A change
   * replaces the campaign.
   */
  extraFields?: pulumi.Input<Record<string, unknown>>;
  /**
   * Whether the campaign is paused. `true` for a new campaign launches it and then pauses it. If it is left out, the
   * package neither pauses nor resumes. The service itself keeps a new campaign paused until conversion tracking works,
   * and then enables it.
   */
  paused?: pulumi.Input<boolean>;
  /**
   * The service's id of an existing campaign to adopt, instead of launching one. A change to another id replaces the
   * resource.
   */
  campaignId?: pulumi.Input<string>;
  /**
   * Destroy does this: `delete` the campaign permanently, `pause` it, or `retain` it, in which case it continues to
   * spend.
   * @default `delete` if this stack launched the campaign, `retain` if it adopted it
   */
  deletionPolicy?: pulumi.Input<"delete" | "pause" | "retain">;
}

/**
 * An advertising campaign of an app. **Creating it starts to spend money.**
 *
 * - **Documented:** launching and deleting.
 * - **Assumed:** the paths for listing, pausing, resuming and launch readiness. `workspace-apps:endpoints` can change
 *   them.
 * - **Replaced** by every change except of `paused`, `deletionPolicy` and `timezone`. The service cannot change a
 *   campaign, so the package deletes the old one permanently and launches a new one.
 * - **Destroy** permanently deletes a campaign that this stack launched, and retains an adopted one, unless
 *   `deletionPolicy` says otherwise. A deleted campaign stays listed with its past performance.
 *
 * Before it launches, it registers a `LaunchIntent` of the same name, which holds a random key. The service shows the
 * campaign as `Spring sale-1f0c9a23b7c4`: the name, the key and a hash of the arguments. So after an interruption, the next
 * command recognizes the campaign, and never launches it blindly. docs/operations/limits.md says what that cannot prevent.
 *
 * A launch that is refused created no campaign. It may still have created the advertising account, and so fixed its
 * time zone.
 *
 * ```ts
 * const spring = new apps.AdCampaign("spring", {
 *     appId: "app-1",
 *     campaignName: "Spring sale",
 *     campaignType: "SMART",
 *     dailyBudgetMicros: apps.micros(5), // 5.00 a day
 *     landingPage: "https://shop.example.com/",
 *     keywordThemes: ["mugs", "gifts"],
 *     timezone: "Europe/Berlin",
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
  /** The service's id of the campaign. Undefined while `launchState` is `unconfirmed`. */
  declare readonly campaignId: pulumi.Output<string | undefined>;
  /** The ad platform's id of the campaign. */
  declare readonly platformCampaignId: pulumi.Output<string | undefined>;
  /** The service's id of the advertising account. Only a launch returns it: undefined for an adopted campaign. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  /** The currency of the account, and so of all amounts. Undefined for an adopted campaign. */
  declare readonly accountCurrencyCode: pulumi.Output<string | undefined>;
  /** The account's time zone. Undefined for an adopted campaign. */
  declare readonly accountTimezone: pulumi.Output<string | undefined>;
  /** The ad platform's id of the account. Undefined for an adopted campaign. */
  declare readonly platformCustomerId: pulumi.Output<string | undefined>;
  /** The name that the service has. The name of a launched campaign ends with a hyphen and 12 hexadecimal digits. */
  declare readonly launchedName: pulumi.Output<string | undefined>;
  /**
   * `confirmed`: the service has the campaign. `unconfirmed`: the launch was sent, but its outcome is uncertain, and
   * money may be spent.
   */
  declare readonly launchState: pulumi.Output<"confirmed" | "unconfirmed">;
  /** When the outcome of an unconfirmed launch became uncertain, in ISO 8601. The quarantine starts here. */
  declare readonly launchAttemptedAt: pulumi.Output<string | undefined>;
  /** When the service created the campaign, in ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;

  constructor(name: string, args: AdCampaignArgs, options?: pulumi.CustomResourceOptions) {
    const form = formOf(new.target);
    const registered = registration(form, adCampaignLifecycle, name, ...withLaunchIntent(form, name, args, options));
    using _ = shortTraces();
    super(...registered);
  }
}
