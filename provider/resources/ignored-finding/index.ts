import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { ignoredFindingLifecycle } from "./lifecycle";

/** Which finding of which app. */
export interface IgnoredFindingArgs {
  /** The app that was scanned. A change replaces. */
  appId: pulumi.Input<string>;
  /** The finding's fingerprint, 1 to 128 characters. A change replaces. */
  fingerprint: pulumi.Input<string>;
  /**
   * What destroy does: `delete` restores the finding, so that it counts again; `retain` leaves it ignored.
   * @default `delete`
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * A security finding that is ignored. The finding itself stays in the scan's result.
 *
 * Restoring and reading are documented by the service; ignoring rests on an assumed path, which
 * `workspace-apps:endpoints` can change. A change of `appId` or `fingerprint` replaces. Destroy restores the finding.
 *
 * ```ts
 * new apps.IgnoredFinding("test-key", { appId: "app-1", fingerprint: "3f2a…" });
 * ```
 */
export class IgnoredFinding extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly fingerprint: pulumi.Output<string>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: IgnoredFindingArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(ignoredFindingLifecycle, name, args, options));
  }
}
