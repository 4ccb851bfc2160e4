import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { conversionTrackingLifecycle } from "./lifecycle";

/** Which app, and when to run again. */
export interface ConversionTrackingArgs {
  /** The app whose conversions are counted. A change replaces. */
  appId: pulumi.Input<string>;
  /**
   * Whether the instruction also wires each enabled conversion mapping; false installs only the base tag. A change runs
   * it again.
   * @default false
   */
  wireEvents?: pulumi.Input<boolean>;
  /** Any text; a change of it runs it again. */
  rerun?: pulumi.Input<string>;
}

/**
 * The standard conversion goals of an app's advertising account, and the instruction that installs their tracking.
 *
 * Creates the goals that are missing. **They cannot be removed through the service:** destroy only takes them out of the
 * stack. An app without an advertising account is no failure: `skippedReason` is then `no_ads_account`. A change of
 * `wireEvents` or `rerun` runs it again, a change of `appId` replaces.
 *
 * ```ts
 * const tracking = new apps.ConversionTracking("tracking", { appId: "app-1", wireEvents: true });
 * export const prompt = tracking.composerPrompt;
 * ```
 */
export class ConversionTracking extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly wireEvents: pulumi.Output<boolean>;
  declare readonly rerun: pulumi.Output<string | undefined>;
  /** The instruction for the AI that installs tracking; empty when `skippedReason` is set. */
  declare readonly composerPrompt: pulumi.Output<string>;
  /** The conversion tag's id in the prompt; empty when the prompt tells the AI to look it up; absent when skipped. */
  declare readonly conversionId: pulumi.Output<string | undefined>;
  /** How many goals the account has after the call; absent when skipped. */
  declare readonly actionsCreatedOrExisting: pulumi.Output<number | undefined>;
  /**
   * How many mappings the prompt wires. With `wireEvents` and no enabled mapping: the number of conversion categories
   * offered. Above 0 means that there is wiring guidance; absent when skipped.
   */
  declare readonly wiredMappings: pulumi.Output<number | undefined>;
  /** `no_ads_account` when nothing was done because the app has no advertising account. */
  declare readonly skippedReason: pulumi.Output<string | undefined>;

  constructor(name: string, args: ConversionTrackingArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(conversionTrackingLifecycle, name, args, options));
  }
}
