import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { conversionTrackingLifecycle } from "./lifecycle";

/** The arguments of a {@link ConversionTracking}. */
export interface ConversionTrackingArgs {
  /** The id of the app. A change replaces the resource. */
  appId: pulumi.Input<string>;
  /**
   * Whether the instruction also wires each enabled conversion mapping. `false` installs only the base tag. A change
   * runs the call again. With `true` the call can take several seconds.
   * @default false
   */
  wireEvents?: pulumi.Input<boolean>;
  /** Any text, not empty. A change runs the call again, for example after conversion mappings changed. */
  rerun?: pulumi.Input<string>;
}

/**
 * The standard conversion goals of an app's advertising account, and an instruction for the AI that installs their
 * tracking.
 *
 * Creating the resource creates the goals that are missing from the standard set: `PURCHASE`, `ADD_TO_CART`,
 * `BEGIN_CHECKOUT`, `SIGNUP`, `SUBMIT_LEAD_FORM`, `CONTACT`, `REQUEST_QUOTE`, `BOOK_APPOINTMENT`, `SUBSCRIBE_PAID` and
 * `PHONE_CALL_LEAD`. **The service cannot remove them.** The tracking itself is not installed: give `composerPrompt` to
 * the AI that builds the app.
 *
 * - **Documented:** everything. Nothing is assumed.
 * - **Replaced** by a change of `appId`. A change of `wireEvents` or `rerun` runs the call again in place.
 * - **Destroy** only removes the resource from the stack. The goals stay in the account.
 *
 * If the app has no advertising account, nothing is created, `skippedReason` is `no_ads_account`, and a warning says so.
 * The first launch of a campaign creates the account. If the program declares a campaign of the app, the next `pulumi up`
 * runs the call again. Otherwise, change `rerun` after the launch. `pulumi refresh` sends no request, because the
 * specification shows no operation that reads the goals.
 *
 * ```ts
 * const tracking = new apps.ConversionTracking("tracking", {
 *     appId: "app-1",
 *     wireEvents: true,
 *     rerun: "2026-01", // change it to run again
 * });
 * export const instruction = tracking.composerPrompt;
 * export const skipped = tracking.skippedReason;
 * ```
 */
export class ConversionTracking extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly wireEvents: pulumi.Output<boolean>;
  declare readonly rerun: pulumi.Output<string | undefined>;
  /** The instruction for the AI that installs the tracking. Empty if `skippedReason` is set. */
  declare readonly composerPrompt: pulumi.Output<string>;
  /**
   * The id of the conversion tag in the instruction. Empty if the instruction tells the AI to look it up. Undefined if
   * `skippedReason` is set.
   */
  declare readonly conversionId: pulumi.Output<string | undefined>;
  /** How many goals the account has after the call. Undefined if `skippedReason` is set. */
  declare readonly actionsCreatedOrExisting: pulumi.Output<number | undefined>;
  /**
   * How many mappings the instruction wires. With `wireEvents` and no enabled mapping, the number of conversion
   * categories offered. Above 0 means that the instruction explains the wiring. Undefined if `skippedReason` is set.
   */
  declare readonly wiredMappings: pulumi.Output<number | undefined>;
  /** `no_ads_account` if nothing was done because the app has no advertising account. Otherwise undefined. */
  declare readonly skippedReason: pulumi.Output<string | undefined>;

  constructor(name: string, args: ConversionTrackingArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), conversionTrackingLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
