import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { testFlowLifecycle } from "./lifecycle";

/** The arguments of a {@link TestFlow}. */
export interface TestFlowArgs {
  /** The id of the app that is tested. A change replaces the test. */
  appId: pulumi.Input<string>;
  /**
   * The whole test, sent unchanged: the specification does not show its fields. Any JSON values: at most 40000 values,
   * 160 levels and 3276 KiB. Required to create a test. If it is left out for an adopted test, the test stays
   * unchanged. Changed in place.
   */
  definition?: pulumi.Input<Record<string, unknown>>;
  /**
   * The id of an existing test to adopt, instead of creating one. Adoption changes nothing: it fails if a declared part
   * of `definition` differs, and names every such part. A change to another id replaces the resource.
   */
  flowId?: pulumi.Input<string>;
  /**
   * Whether adoption sends `definition` if it differs. Such an update replaces the whole test. Without `flowId` it has
   * no effect, and changing it later changes nothing.
   * @default false
   */
  overwrite?: pulumi.Input<boolean>;
  /**
   * Effect of destroy: `delete` the test permanently, or `retain` it.
   * @default `delete` if this stack created the test, `retain` if it adopted it
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * An automated test of an app.
 *
 * - **Documented:** deleting, which is **permanent**. It cancels a run in progress and closes its browser session. Past
 *   runs and reports stay. Needs a token of a user with editor access; workspace keys are refused.
 * - **Assumed:** the paths for creating, reading, listing and changing. `workspace-apps:endpoints` can change them. If
 *   your service does not have them, an existing test can still be adopted and deleted.
 * - **Replaced** by a change of `appId`, or to another `flowId`. A change of `definition` is made in place, and
 *   replaces the whole definition.
 * - **Destroy** deletes a test that this stack created, and retains an adopted one, unless `deletionPolicy` says
 *   otherwise.
 *
 * ```ts
 * const checkout = new apps.TestFlow("checkout", {
 *     appId: "app-1",
 *     definition: {
 *         name: "Checkout",
 *         steps: ["Buy a mug", "Expect a receipt"],
 *     },
 * });
 * export const flowId = checkout.flowId;
 * ```
 */
export class TestFlow extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly definition: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly overwrite: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id of the test. */
  declare readonly flowId: pulumi.Output<string>;

  constructor(name: string, args: TestFlowArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), testFlowLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
