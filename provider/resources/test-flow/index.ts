import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { testFlowLifecycle } from "./lifecycle";

/** What to test, or which test to adopt. */
export interface TestFlowArgs {
  /** The app that is tested. A change replaces the test. */
  appId: pulumi.Input<string>;
  /**
   * The test itself, sent as it is: the service's documentation does not show its shape. Needed to create a test. Left
   * out of an adopted one: it is left alone.
   */
  definition?: pulumi.Input<Record<string, unknown>>;
  /** Adopts this existing test instead of creating one. A change to another id replaces. */
  flowId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it **permanently**, cancelling a run that is under way, or `retain` it.
   * @default `delete` for a test that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

/**
 * An automated test of an app.
 *
 * Deleting is documented by the service and **permanent**: a run that is under way is cancelled; past runs and reports
 * remain. Creating, reading and changing rest on assumed paths, which `workspace-apps:endpoints` can change; where they
 * are not there, adopting and deleting work alone. A change of `appId`, or to another `flowId`, replaces the test.
 * Destroy deletes a test that this stack created and retains an adopted one, unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * new apps.TestFlow("checkout", {
 *     appId: "app-1",
 *     definition: { name: "Checkout", steps: ["Buy a mug", "Expect a receipt"] },
 * });
 * ```
 */
export class TestFlow extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly definition: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. */
  declare readonly flowId: pulumi.Output<string>;

  constructor(name: string, args: TestFlowArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(testFlowLifecycle, name, args, options));
  }
}
