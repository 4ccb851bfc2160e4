import * as pulumi from "@pulumi/pulumi";
import { formOf, registration } from "../../pulumi/registration";
import { shortTraces } from "../../pulumi/traces";
import { codingSessionLifecycle } from "./lifecycle";

/** The arguments of a {@link CodingSession}. A change of any of them launches another session. */
export interface CodingSessionArgs {
  /** The id of the app whose connected repository is changed. */
  appId: pulumi.Input<string>;
  /** The task: 1 to 99611 characters. The session carries it out and opens a pull request. */
  prompt: pulumi.Input<string>;
  /** The title: 1 to 200 characters. */
  title: pulumi.Input<string>;
  /** The branch to work on: 1 to 255 characters. If it is left out, a new branch is created. */
  existingBranch?: pulumi.Input<string>;
  /** The Git ref that a new branch starts from: 1 to 255 characters. If it is left out, the imported base branch. */
  sourceRef?: pulumi.Input<string>;
  /** Markdown to append to the description of the pull request: at most 20000 characters. */
  pullRequestBody?: pulumi.Input<string>;
  /** The commit message: 1 to 2000 characters. If it is left out, the service generates one. */
  commitMessage?: pulumi.Input<string>;
  /**
   * Your own reference: 1 to 200 letters, digits and any of `_.:-`. Under a key that you set, it may be left out later:
   * the session keeps it.
   */
  clientReference?: pulumi.Input<string>;
  /**
   * The repository that the app must be connected to, as `owner/name`: at most 201 letters, digits and any of `_.-`. If
   * it is connected to another one, the launch is refused before any work starts.
   */
  expectedRepositoryFullName?: pulumi.Input<string>;
  /**
   * The key of the launch: 1 to 200 letters, digits and any of `_.:-`. For the service, a launch with the same key is
   * the same launch.
   * @default a hash of project, stack, the resource's name and all other arguments
   */
  idempotencyKey?: pulumi.Input<string>;
}

/**
 * A coding session: an AI carries out a task in the repository of an app and opens a pull request. It may
 * end with an answer instead, or wait for input. **It is launched
 * when the resource is created, and again when any argument changes.**
 *
 * - **Documented:** the launch and its fields.
 * - **Assumed:** the path of the launch, which `workspace-apps:endpoints` can change.
 * - **Replaced** by every change, which launches another session. Exceptions: a change of only the resource's name, and
 *   a `clientReference` that is left out under the same `idempotencyKey`.
 * - **Destroy** only removes the session from the stack. Its results stay, and a running session continues.
 *
 * A launch that is repeated after a lost response or a crash has the same `idempotencyKey`, so it starts no second
 * session. `pulumi refresh` sends no request: the state of the session, its branch and its pull request change without
 * Pulumi and are not outputs. Look them up in the service by `sessionId`.
 *
 * ```ts
 * const session = new apps.CodingSession("rate-limit", {
 *     appId: "app-1",
 *     title: "Add a rate limit",
 *     prompt: "Limit the public API to 100 requests a minute, and test it.",
 *     sourceRef: "main",
 *     expectedRepositoryFullName: "acme/shop",
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
  /** The service's id of the session. */
  declare readonly sessionId: pulumi.Output<string>;
  /** The connected repository, as `owner/name`. */
  declare readonly repositoryFullName: pulumi.Output<string | undefined>;
  /** The idempotency key that the service recorded for the launch. */
  declare readonly launchKey: pulumi.Output<string>;

  constructor(name: string, args: CodingSessionArgs, options?: pulumi.CustomResourceOptions) {
    const registered = registration(formOf(new.target), codingSessionLifecycle, name, args, options);
    using _ = shortTraces();
    super(...registered);
  }
}
