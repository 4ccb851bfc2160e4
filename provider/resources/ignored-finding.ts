import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type Deployment, type Lifecycle, Unfinished } from "../engine/lifecycle";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import { Refusal } from "../service/errors";
import { identifier, oneOf, sized } from "../arguments";
import { keeping, provesAbsence } from "./evidence";
import { claim, policyOf } from "./ownership";

/** Which finding of which app. */
export interface IgnoredFindingArgs {
  /** The app that was scanned. A change replaces. */
  appId: pulumi.Input<string>;
  /** The finding's fingerprint, 1 to 128 characters. A change replaces. */
  fingerprint: pulumi.Input<string>;
  /**
   * What destroy does: `delete` restores the finding, so that it counts again; `retain` leaves it ignored.
   * @default `delete`
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

const inputs = z.strictObject({
  appId: identifier(),
  fingerprint: identifier().pipe(sized(1, 128)),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof inputs>;

interface State extends Inputs {
  /** The service whose scan this is about. */
  readBy: string;
  /** No scan has listed it yet: the next `up` ignores it again and looks. */
  unconfirmed?: true | undefined;
}

type At = Pick<Inputs, "appId" | "fingerprint">;

export const ignoredFindingLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  declares: [{ properties: ["fingerprint", "appId"], object: claimOf }],
  replacedBy: ["appId", "fingerprint"],
  creatingNeeds: () => [
    { operation: "finding.ignore", instead: "Without it no finding can be ignored." },
    { operation: "scan.get", instead: "Without it nothing tells whether a finding is ignored." },
  ],
  isUnfinished: (state) => state.unconfirmed === true,
  claimOf,
  idOf: ({ appId, fingerprint }) => `${appId}/${fingerprint}`,
  inputsOf: ({ appId, fingerprint, deletionPolicy }) => ({ appId, fingerprint, deletionPolicy }),

  create(inputs, deployment) {
    claim(deployment, claimOf(inputs));
    return ignore(inputs, deployment);
  },

  async read(state, deployment) {
    if (!deployment.service.endpoints.isOfThisService(state.readBy))
      throw new Refusal(
        `The ${claimOf(state)} was ignored at another base URL: check workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL).`,
      );
    // Whatever the scan's status: what is ignored does not depend on it.
    return (await isIgnored(state, deployment)) ? { ...state, unconfirmed: undefined } : undefined;
  },

  update: (state, inputs, deployment) =>
    state.unconfirmed === true
      ? ignore(inputs, deployment)
      : Promise.resolve({ ...state, deletionPolicy: inputs.deletionPolicy }),

  async delete(state, deployment) {
    const { service, reads, say } = deployment;
    const { appId, fingerprint } = state;
    if (policyOf(state) === "retain") {
      say(`Finding ${fingerprint} of app ${appId} stays ignored: it leaves the stack, not the service.`);
      return;
    }
    try {
      await service.call("finding.restore", { parameters: { app_id: appId, fingerprint } });
    } catch (error) {
      // Restoring what is not ignored succeeds, so that a 404 speaks of the app or the token's reach: the scan tells.
      if (!provesAbsence(error, service, state.readBy) || (await isStillListed(state, deployment))) throw error;
      say(
        `The service knows no app ${appId} any more, or not for this token: finding ${fingerprint} leaves the stack.`,
      );
    }
    reads.changed(scanKey(appId));
  },
};

/** How long a scan may take to list what was just ignored. */
const listedWithin = 1_000;

async function ignore(inputs: Inputs, deployment: Deployment): Promise<State> {
  const { service, reads, clock } = deployment;
  const { appId, fingerprint } = inputs;
  await service.call("finding.ignore", { parameters: { app_id: appId }, body: { fingerprint } });
  reads.changed(scanKey(appId));
  const state: State = { ...inputs, readBy: service.endpoints.mark("scan.get") };
  const unconfirmed: State = { ...state, unconfirmed: true };
  return keeping(unconfirmed, `The service was asked to ignore finding ${fingerprint}`, async () => {
    if (await isIgnored(inputs, deployment)) return state;
    await clock.sleep(listedWithin);
    reads.changed(scanKey(appId));
    if (await isIgnored(inputs, deployment)) return state;
    throw new Unfinished(
      unconfirmed,
      `The service took the request to ignore finding ${fingerprint} of app ${appId}, but its scan does not list it among the ignored ones: check the fingerprint. ${service.endpoints.doubt("finding.ignore") ?? ""}`.trim(),
    );
  });
}

/** False where the scan's 404 says the same as that of the restoring: no app. */
async function isStillListed(state: State, deployment: Deployment): Promise<boolean> {
  deployment.reads.changed(scanKey(state.appId));
  try {
    return await isIgnored(state, deployment);
  } catch (error) {
    return !provesAbsence(error, deployment.service, state.readBy);
  }
}

/** One read of the scan tells of all findings of an app. */
async function isIgnored({ appId, fingerprint }: At, { service, reads }: Deployment): Promise<boolean> {
  const scan = await reads.recent(scanKey(appId), () => service.call("scan.get", { parameters: { app_id: appId } }));
  if (scan.ignored_fingerprints) return scan.ignored_fingerprints.includes(fingerprint);
  throw new Refusal(
    `The security scan of app ${appId} does not say which findings are ignored (no ignored_fingerprints), so nothing is known of ${fingerprint}.`,
  );
}

function scanKey(appId: string): string {
  return `scan of ${appId}`;
}

function claimOf({ appId, fingerprint }: At): string {
  return `ignored finding ${fingerprint} of app ${appId}`;
}

const kind: Kind = { name: "IgnoredFinding", outputs: Object.keys(inputs.shape) };

/**
 * A security finding that is ignored. The finding itself stays in the scan's result.
 *
 * Restoring and reading are documented by the service; ignoring rests on an assumed path, which
 * `workspace-apps:endpoints` can change. A change of `appId` or `fingerprint` replaces. Destroy restores the finding.
 *
 * ```ts
 * new apps.IgnoredFinding("test-key", { appId: "app-1", fingerprint: "3f2a…" });
 * ```
 */
export class IgnoredFinding extends pulumi.CustomResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly fingerprint: pulumi.Output<string>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: IgnoredFindingArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
