import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { folderMembershipLifecycle } from "./lifecycle";

/** Which app in which folder. */
export interface FolderMembershipArgs {
  /** The folder. A change replaces the membership. */
  folderId: pulumi.Input<string>;
  /** The app in it. A change replaces the membership. */
  appId: pulumi.Input<string>;
  /**
   * Take over a membership that exists, instead of adding the app; fails when the app is not in the folder.
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /**
   * What destroy does: `delete` takes the app out of the folder (it stays in the workspace), `retain` leaves it there.
   * @default `delete` for a membership that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * An app's place in a folder.
 *
 * Removing is documented by the service; adding and listing rest on assumed paths, which `workspace-apps:endpoints` can
 * change. A change of `folderId` or `appId` replaces the membership. Destroy takes the app out of the
 * folder; the app itself stays in the workspace.
 *
 * ```ts
 * new apps.FolderMembership("shop-in-team", { folderId: "folder-1", appId: "app-1" });
 * ```
 */
export class FolderMembership extends pulumi.CustomResource {
  declare readonly folderId: pulumi.Output<string>;
  declare readonly appId: pulumi.Output<string>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: FolderMembershipArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(folderMembershipLifecycle, name, args, options));
  }
}
