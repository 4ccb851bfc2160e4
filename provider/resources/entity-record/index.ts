import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { entityRecordLifecycle } from "./lifecycle";

/** Which record, and which of its fields are managed. */
export interface EntityRecordArgs {
  /** The app. A change replaces the record. */
  appId: pulumi.Input<string>;
  /** The entity, as its schema names it; not `User`, whose accounts the service does not reach this way. A change replaces. */
  entityName: pulumi.Input<string>;
  /**
   * The managed fields by the names of the entity's schema, with any JSON values. What the service assigns itself (`id`,
   * `created_date`, `updated_date`, `created_by`, `created_by_id`, `is_sample`) cannot be given. A field that leaves the
   * program keeps its value in the service and is no longer managed.
   */
  fields: pulumi.Input<Record<string, unknown>>;
  /** Adopts this existing record instead of creating one. A change to another id replaces. */
  recordId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it; `restore` the managed fields of an adopted record to the values found at adoption,
   * where nobody changed them since; or `retain` it as it is.
   * @default `delete` for a record that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "restore" | "retain">;
}

/**
 * A record of an app's entity.
 *
 * Updating is documented by the service and merges: only changed fields are sent, and what is not declared is left
 * alone. Creating, reading and deleting rest on assumed paths, which `workspace-apps:endpoints` can change. Writing
 * triggers the app's webhooks and automations. A change of `appId`, `entityName`, or to another `recordId`, replaces the
 * record. Destroy deletes a record that this stack created and retains an adopted one, unless `deletionPolicy` says
 * otherwise.
 *
 * ```ts
 * new apps.EntityRecord("vat", {
 *     appId: "app-1",
 *     entityName: "TaxRate",
 *     fields: { country: "DE", percent: 19 },
 * });
 * ```
 */
export class EntityRecord extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly entityName: pulumi.Output<string>;
  declare readonly fields: pulumi.Output<Record<string, unknown>>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly recordId: pulumi.Output<string>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;
  /** The creating user's email, or `anonymous`; undefined in apps that hide authorship. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** The creating user's id, or `anonymous`. */
  declare readonly createdById: pulumi.Output<string | undefined>;
  /** Whether it was stored as sample data while the app was built. */
  declare readonly isSample: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: EntityRecordArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(entityRecordLifecycle, name, args, options));
  }
}
