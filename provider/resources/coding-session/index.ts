import * as pulumi from "@pulumi/pulumi";
import { registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { codingSessionLifecycle } from "./lifecycle";

/** What the session is to do, and where. */
export interface CodingSessionArgs {
  /** The app whose repository is worked on. */
  appId: pulumi.Input<string>;
  /** The task to carry out and open a pull request for: 1 to 99611 characters. */
  prompt: pulumi.Input<string>;
  /** 1 to 200 characters. */
  title: pulumi.Input<string>;
  /** Work on this branch, 1 to 255 characters. Left out: an isolated branch is created. */
  existingBranch?: pulumi.Input<string>;
  /** The Git ref that a new branch starts from, 1 to 255 characters. Left out: the imported base branch. */
  sourceRef?: pulumi.Input<string>;
  /** Markdown that is appended to the pull request's description, at most 20000 characters. */
  pullRequestBody?: pulumi.Input<string>;
  /** 1 to 2000 characters. Left out: generated. */
  commitMessage?: pulumi.Input<string>;
  /** Your own reference: 1 to 200 letters, digits and `_.:-`. */
  clientReference?: pulumi.Input<string>;
  /** `owner/name`, at most 201 characters; another connected repository refuses the launch before work starts. */
  expectedRepositoryFullName?: pulumi.Input<string>;
  /**
   * Makes a retry the same launch: 1 to 200 letters, digits and `_.:-`.
   * @default derived from project, stack, the resource's name and all other arguments
   */
  idempotencyKey?: pulumi.Input<string>;
}

/**
 * A coding session: an AI carries out a task in an app's repository and opens a pull request. **It is launched when the
 * resource is created, and again whenever an argument changes.**
 *
 * The launch is documented by the service, its path is not: `workspace-apps:endpoints` can change it. A launch that is
 * repeated with the same `idempotencyKey` is the same launch, also after a crash. Refresh never launches. Destroy only
 * takes the session out of the stack.
 *
 * ```ts
 * const session = new apps.CodingSession("rate-limit", {
 *     appId: "app-1",
 *     title: "Add a rate limit",
 *     prompt: "Limit the public API to 100 requests a minute, and test it.",
 * });
 * export const sessionId = session.sessionId;
 * ```
 */
export class CodingSession extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly prompt: pulumi.Output<string>;
  declare readonly title: pulumi.Output<string>;
  declare readonly existingBranch: pulumi.Output<string | undefined>;
  declare readonly sourceRef: pulumi.Output<string | undefined>;
  declare readonly pullRequestBody: pulumi.Output<string | undefined>;
  declare readonly commitMessage: pulumi.Output<string | undefined>;
  declare readonly clientReference: pulumi.Output<string | undefined>;
  declare readonly expectedRepositoryFullName: pulumi.Output<string | undefined>;
  declare readonly idempotencyKey: pulumi.Output<string>;
  /** The service's id. */
  declare readonly sessionId: pulumi.Output<string>;
  /** The connected repository. */
  declare readonly repositoryFullName: pulumi.Output<string | undefined>;
  /** The key under which it was launched. */
  declare readonly launchKey: pulumi.Output<string>;

  constructor(name: string, args: CodingSessionArgs, options?: pulumi.CustomResourceOptions) {
    using _ = shortTraces();
    super(...registration(codingSessionLifecycle, name, args, options));
  }
}
