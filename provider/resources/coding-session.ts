import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Deployment, Lifecycle } from "../engine/lifecycle";
import { inOrder } from "../engine/plain";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import { hasUnknown, unknownValue } from "../engine/unknown";
import { isUncertain, mayBeRefusal, Refusal } from "../service/errors";
import type { Answer } from "../service/operations";
import { identifier, sized, text } from "../arguments";
import { claim } from "./ownership";

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

const key = () => text().regex(/^[A-Za-z0-9_.:-]{1,200}$/, "must be 1 to 200 letters, digits and any of _.:-");

const inputs = z.strictObject({
  appId: identifier(),
  prompt: sized(1, 99_611),
  title: sized(1, 200),
  existingBranch: sized(1, 255).optional(),
  sourceRef: sized(1, 255).optional(),
  pullRequestBody: sized(0, 20_000).optional(),
  commitMessage: sized(1, 2_000).optional(),
  clientReference: key().optional(),
  expectedRepositoryFullName: sized(1, 201)
    .regex(/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/, "must be owner/name, of letters, digits and any of _.-")
    .optional(),
  idempotencyKey: key(),
});

type Inputs = z.output<typeof inputs>;

interface State extends Inputs {
  sessionId: string;
  repositoryFullName?: string | undefined;
  launchKey: string;
}

export const codingSessionLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  // Known before the launch and the same after a crash, because it depends on nothing but the program; and kept when
  // only the resource's name or place changed, which must not launch again.
  defaults: (given, place, earlier) => ({
    idempotencyKey: keptKey(given, earlier) ?? derivedKey(given, place),
  }),
  declares: [
    {
      properties: ["idempotencyKey", "appId"],
      object: ({ appId, idempotencyKey }) => `coding session under the key ${idempotencyKey} of app ${appId}`,
    },
  ],
  mustStay: ({ launchKey }, { idempotencyKey }) =>
    idempotencyKey === launchKey
      ? "A launch with the same key is the same launch to the service: change idempotencyKey too, or leave it out."
      : undefined,
  replacedBy: Object.keys(inputs.shape) as (keyof Inputs)[],
  creatingNeeds: () => [{ operation: "codingSession.launch", instead: "Without it no session can be launched." }],
  claimOf,
  idOf: ({ sessionId }) => sessionId,
  inputsOf: ({ sessionId, repositoryFullName, launchKey, ...inputs }) => inputs,

  async create(inputs, deployment) {
    const session = await launch(inputs, deployment);
    claim(deployment, claimOf({ appId: inputs.appId, sessionId: session.id }));
    return {
      ...inputs,
      sessionId: session.id,
      repositoryFullName: session.repository_full_name ?? undefined,
      launchKey: session.launch_key ?? inputs.idempotencyKey,
    };
  },

  // What a session is doing moves by itself and is not kept; and one that the service forgot must not be launched again.
  read: (state) => Promise.resolve(state),

  update: (state) => Promise.resolve(state),

  delete(state, { say }) {
    say(`The ${claimOf(state)} leaves the stack: the service cannot take it back.`);
    return Promise.resolve();
  },
};

/** Sent again after an uncertain answer: with the same key it is the same launch. */
async function launch(inputs: Inputs, { service }: Deployment): Promise<Answer<"codingSession.launch">> {
  try {
    return await service.call("codingSession.launch", {
      parameters: { app_id: inputs.appId },
      headers: { "idempotency-key": inputs.idempotencyKey },
      // Where a secret may be; a name of a repository or branch is what a refusal is about.
      hidden: [inputs.prompt, inputs.title, inputs.pullRequestBody, inputs.commitMessage],
      body: {
        prompt: inputs.prompt,
        title: inputs.title,
        existing_branch: inputs.existingBranch,
        source_ref: inputs.sourceRef,
        pull_request_body: inputs.pullRequestBody,
        commit_message: inputs.commitMessage,
        client_reference: inputs.clientReference,
        expected_repository_full_name: inputs.expectedRepositoryFullName,
      },
    });
  } catch (error) {
    if (!isUncertain(error)) throw error;
    // Another repository, or a key that was used with other inputs.
    const mend = "If it is a refusal, mend what the service says, and change idempotencyKey if you set it. Otherwise:";
    throw new Refusal(
      `${error.message}${mayBeRefusal(error) ? ` ${mend}` : ""} A session may run under the key ${inputs.idempotencyKey}: run \`pulumi up\` again without changing the resource, which is then the same launch.`,
    );
  }
}

function keptKey(given: Inputs, { idempotencyKey, ...earlier }: Partial<Inputs>): string | undefined {
  return isDeepStrictEqual(given, earlier) ? idempotencyKey : undefined;
}

function derivedKey({ idempotencyKey, ...given }: Inputs, place: string): string {
  if (hasUnknown(given)) return unknownValue;
  const digest = createHash("sha256")
    .update(inOrder({ declaredAs: place, given }))
    .digest("hex");
  return `pulumi-${digest.slice(0, 40)}`;
}

function claimOf({ appId, sessionId }: Pick<State, "appId" | "sessionId">): string {
  return `coding session ${sessionId} of app ${appId}`;
}

const kind: Kind = {
  name: "CodingSession",
  outputs: [...Object.keys(inputs.shape), "sessionId", "repositoryFullName", "launchKey"],
};

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
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
