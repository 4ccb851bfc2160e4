import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { identifier, sized, text } from "../../arguments";
import { isUncertain, knownFrom, mayBeRefusal, nextFrom, ProviderError } from "../../service/errors";
import type { Answer } from "../../service/operations";
import { canonicalJson } from "../shared/compare";
import type { Deployment } from "../shared/deployment";
import type { Lifecycle } from "../shared/lifecycle";
import { claim } from "../shared/ownership";

const key = () => text().regex(/^[A-Za-z0-9_.:-]{1,200}$/, "must be 1 to 200 letters, digits and any of _.:-");

const schema = z.strictObject({
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

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  sessionId: string;
  repositoryFullName?: string | undefined;
  launchKey: string;
}

export const codingSessionLifecycle: Lifecycle<Inputs, State> = {
  kind: "CodingSession",
  purpose: "Starts an AI coding session that opens a pull request",
  inputs: schema,
  outputs: ["sessionId", "repositoryFullName", "launchKey"],
  // Known before the launch and the same after a crash, because it depends on nothing but the program. Kept when only the
  // resource's name or place changed, which must not launch again.
  derived: { idempotencyKey: (inputs, place, earlier) => keptKey(inputs, earlier) ?? newKey(inputs, place) },
  declares: [
    {
      properties: ["idempotencyKey", "appId"],
      object: ({ appId, idempotencyKey }) => `coding session under the key ${idempotencyKey} of app ${appId}`,
    },
  ],
  replacementRefusal: ({ launchKey }, { idempotencyKey }) =>
    idempotencyKey === launchKey
      ? {
          code: "WA1831",
          what: "The service would return the old session, because idempotencyKey did not change.",
          next: ["Change idempotencyKey too, or leave it out."],
        }
      : undefined,
  replacedBy: Object.keys(schema.shape) as (keyof Inputs)[],
  equal: {
    // "A previously associated client_reference may then be omitted": under the same key it is the same launch.
    clientReference: (state, { clientReference, idempotencyKey }) =>
      clientReference === state.clientReference ||
      (clientReference === undefined && idempotencyKey === state.idempotencyKey),
  },
  requiredOperations: () => [{ operation: "codingSession.launch" }],
  objectName,
  idOf: ({ sessionId }) => sessionId,

  async create(inputs, step) {
    const session = await launch(inputs, step);
    step.evidence.shownBy("codingSession.launch");
    claim(step, objectName({ appId: inputs.appId, sessionId: session.id }));
    return {
      ...inputs,
      sessionId: session.id,
      repositoryFullName: session.repository_full_name ?? undefined,
      launchKey: session.launch_key ?? inputs.idempotencyKey,
    };
  },

  // The work of a session goes on by itself and is not kept. One that the service forgot must not be launched again.
  read: (state) => Promise.resolve(state),

  update: (state) => Promise.resolve(state),

  delete(state, { log }) {
    log(`The ${objectName(state)} is removed from the stack. The service cannot undo what it did.`);
    return Promise.resolve();
  },
};

/** Sent again after an uncertain response: with the same key it is the same launch. */
async function launch(inputs: Inputs, { service }: Deployment): Promise<Answer<"codingSession.launch">> {
  try {
    return await service.call("codingSession.launch", {
      parameters: { app_id: inputs.appId },
      headers: { "idempotency-key": inputs.idempotencyKey },
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
    const refused = "If it is a refusal, fix the reported problem, and change idempotencyKey if you set it.";
    const first = [...nextFrom(error), ...(mayBeRefusal(error) ? [refused] : [])];
    throw new ProviderError({
      code: "WA1830",
      what: `A coding session may be running under the key ${inputs.idempotencyKey}.`,
      known: knownFrom(error),
      next: [
        ...first,
        `${first.length > 0 ? "Otherwise run" : "Run"} \`pulumi up\` again without changing the resource: it is then the same launch.`,
      ],
    });
  }
}

function keptKey(given: Inputs, { idempotencyKey, ...earlier }: Partial<Inputs>): string | undefined {
  return isDeepStrictEqual(given, earlier) ? idempotencyKey : undefined;
}

function newKey({ idempotencyKey, ...given }: Inputs, place: string): string {
  const digest = createHash("sha256")
    .update(canonicalJson({ declaredAs: place, given }))
    .digest("hex");
  return `pulumi-${digest.slice(0, 40)}`;
}

function objectName({ appId, sessionId }: Pick<State, "appId" | "sessionId">): string {
  return `coding session ${sessionId} of app ${appId}`;
}
