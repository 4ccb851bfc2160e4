import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { entityRecordLifecycle } from "./lifecycle";

/** The arguments of an {@link EntityRecord}. */
export interface EntityRecordArgs {
  /** The id of the app. A change replaces the record. */
  appId: pulumi.Input<string>;
  /**
   * The name of the entity, as in its schema. Not `User`: the service would read and write a separate set of records,
   * not the user accounts. A change replaces the record.
   */
  entityName: pulumi.Input<string>;
  /**
   * The managed fields, by their names in the entity's schema. Any JSON values: at most 40000 values, 160 levels and
   * 3276 KiB. The service assigns `id`, `created_date`, `updated_date`, `created_by`, `created_by_id` and `is_sample`,
   * so they are refused here. A field that is removed from the program keeps its value in the service. Changed in
   * place.
   */
  fields: pulumi.Input<Record<string, unknown>>;
  /**
   * The id of an existing record to adopt, instead of creating one. Adoption changes nothing: it fails if a declared
   * field differs, and names every such field. A change to another id replaces the resource.
   */
  recordId?: pulumi.Input<string>;
  /**
   * Whether adoption writes the declared fields that differ. Without `recordId` it has no effect, and changing it later
   * changes nothing.
   * @default false
   */
  overwrite?: pulumi.Input<boolean>;
  /**
   * Effect of destroy: `delete` the record, or `retain` it unchanged. For an adopted record, `restore` sets the managed
   * fields to the values found at adoption. A field that somebody else changed since is left unchanged.
   * @default `delete` if this stack created the record, `retain` if it adopted it
   */
  deletionPolicy?: pulumi.Input<"delete" | "restore" | "retain">;
}

/**
 * A record of an app's entity.
 *
 * - **Documented:** updating, which merges: only changed fields are sent, and fields that are not declared stay as they
 *   are.
 * - **Assumed:** the paths for creating, reading, listing and deleting. `workspace-apps:endpoints` can change them.
 * - **Replaced** by a change of `appId` or `entityName`, or to another `recordId`. Changes of `fields` are made in
 *   place.
 * - **Destroy** deletes a record that this stack created, with all its fields, and retains an adopted one, unless
 *   `deletionPolicy` says otherwise.
 *
 * An update triggers the app's webhooks and the automations that listen on the entity; expect the same of creating and
 * deleting. The service drops fields that the schema does not have without an error. So each response is compared with
 * what was sent, and a difference fails the command. A dropped field is not sent again until its declaration changes.
 * Row rules and field rules of the entity apply; if one of them refuses a field, none is written.
 *
 * ```ts
 * const vat = new apps.EntityRecord("vat", {
 *     appId: "app-1",
 *     entityName: "TaxRate",
 *     fields: {
 *         country: "DE",
 *         percent: 19,
 *         validFrom: "2026-01-01T00:00:00Z",
 *     },
 * });
 * export const recordId = vat.recordId;
 * ```
 */
export class EntityRecord extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly entityName: pulumi.Output<string>;
  declare readonly fields: pulumi.Output<Record<string, unknown>>;
  declare readonly overwrite: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id of the record. */
  declare readonly recordId: pulumi.Output<string>;
  /** When the service created the record, in ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;
  /** The email of the user who created the record, or `anonymous`. Undefined in apps that hide authorship. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** The id of the user who created the record, or `anonymous`. */
  declare readonly createdById: pulumi.Output<string | undefined>;
  /** Whether the record was stored as sample data while the app was built. */
  declare readonly isSample: pulumi.Output<boolean | undefined>;

  constructor(name: string, args: EntityRecordArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), entityRecordLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
