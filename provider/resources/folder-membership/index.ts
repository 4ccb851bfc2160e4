import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { folderMembershipLifecycle } from "./lifecycle";

/** The arguments of a {@link FolderMembership}. */
export interface FolderMembershipArgs {
  /** The id of the folder. A change replaces the membership. */
  folderId: pulumi.Input<string>;
  /** The id of the app. A change replaces the membership. */
  appId: pulumi.Input<string>;
  /**
   * Whether to adopt an existing membership instead of adding the app. Fails if the app is not in the folder.
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /**
   * Effect of destroy: `delete` removes the app from the folder, `retain` leaves it there.
   * @default `delete` if this stack added the app, `retain` if it adopted the membership
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * An app in a folder.
 *
 * - **Documented:** removing an app from a folder.
 * - **Assumed:** the paths for adding an app and for listing a folder. `workspace-apps:endpoints` can change them.
 * - **Replaced** by a change of `folderId` or `appId`.
 * - **Destroy** removes the app from the folder if this stack added it, and leaves it there if the membership was
 *   adopted, unless `deletionPolicy` says otherwise. The app itself always stays in the workspace.
 *
 * A workspace folder can be changed by any editor, a personal folder only by its owner. For the service, another user's
 * personal folder and an app outside the token's apps do not exist: both are `folder_not_found`.
 *
 * ```ts
 * const membership = new apps.FolderMembership("shop-in-team", {
 *     folderId: "folder-1",
 *     appId: "app-1",
 *     deletionPolicy: "retain",
 * });
 * ```
 */
export class FolderMembership extends pulumi.CustomResource {
  declare readonly folderId: pulumi.Output<string>;
  declare readonly appId: pulumi.Output<string>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: FolderMembershipArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), folderMembershipLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
