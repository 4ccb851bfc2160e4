import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { ignoredFindingLifecycle } from "./lifecycle";

/** The arguments of an {@link IgnoredFinding}. */
export interface IgnoredFindingArgs {
  /** The id of the app. A change replaces the resource. */
  appId: pulumi.Input<string>;
  /** The finding's fingerprint: 1 to 128 characters. A change replaces the resource. */
  fingerprint: pulumi.Input<string>;
  /**
   * Whether to adopt a finding that is ignored already. Sends nothing, and fails if the finding is not ignored.
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /**
   * Effect of destroy: `delete` restores the finding; `retain` leaves it ignored.
   * @default `delete` if this stack ignored the finding, `retain` if it adopted it
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * A security finding that is ignored. The finding itself stays in the result of the scan.
 *
 * - **Documented:** restoring a finding, and the scan, which lists the ignored fingerprints.
 * - **Assumed:** the path for ignoring a finding. `workspace-apps:endpoints` can change it.
 * - **Replaced** by a change of `appId` or `fingerprint`.
 * - **Destroy** restores the finding if this stack ignored it, and leaves it ignored if it was adopted, unless
 *   `deletionPolicy` says otherwise.
 *
 * Without `adopt`, a finding that is ignored already counts as ignored by this stack. Ignoring or reading a finding
 * never starts a scan. `getSecurityScan` returns the findings of the last scan.
 *
 * ```ts
 * const ignored = new apps.IgnoredFinding("test-key", {
 *     appId: "app-1",
 *     fingerprint: "3f2a9c…",
 *     deletionPolicy: "retain",
 * });
 * ```
 */
export class IgnoredFinding extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly fingerprint: pulumi.Output<string>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: IgnoredFindingArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), ignoredFindingLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
