import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Deployment, Lifecycle } from "../engine/lifecycle";
import { ManagedResource } from "../engine/resource";
import { Refusal } from "../service/errors";
import { identifier, oneOf, sized } from "../arguments";
import { keeping, provesAbsence } from "./evidence";
import { claim, policyOf } from "./ownership";

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
}

type At = Pick<Inputs, "appId" | "fingerprint">;

export const ignoredFindingLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  declares: [{ properties: ["fingerprint", "appId"], object: claimOf }],
  replacedBy: ["appId", "fingerprint"],
  creatingNeeds: () => [{ operation: "finding.ignore", instead: "Without it no finding can be ignored." }],
  claimOf,
  idOf: ({ appId, fingerprint }) => `${appId}/${fingerprint}`,
  inputsOf: ({ appId, fingerprint, deletionPolicy }) => ({ appId, fingerprint, deletionPolicy }),

  async create(inputs, deployment) {
    const { service, reads, say } = deployment;
    const { appId, fingerprint } = inputs;
    claim(deployment, claimOf(inputs));
    await service.call("finding.ignore", { parameters: { app_id: appId }, body: { fingerprint } });
    reads.changed(scanKey(appId));
    const state: State = { ...inputs, readBy: service.endpoints.mark("scan.get") };
    return keeping(state, `Finding ${fingerprint} was ignored`, async () => {
      if (!(await isIgnored(inputs, deployment)))
        say(
          `Finding ${fingerprint} of app ${appId} was ignored, but its scan does not list it among the ignored ones.`,
        );
      return state;
    });
  },

  async read(state, deployment) {
    if (!deployment.service.endpoints.isOfThisService(state.readBy))
      throw new Refusal(
        `The ${claimOf(state)} was ignored at another base URL: check workspace-apps:baseUrl (or WORKSPACE_APPS_BASE_URL).`,
      );
    // Whatever the scan's status: what is ignored does not depend on it.
    return (await isIgnored(state, deployment)) ? state : undefined;
  },

  update: (state, { deletionPolicy }) => Promise.resolve({ ...state, deletionPolicy }),

  async delete(state, { service, reads, say }) {
    const { appId, fingerprint } = state;
    if (policyOf({ ...state, origin: "created" }) === "retain") {
      say(`Finding ${fingerprint} of app ${appId} stays ignored: it leaves the stack, not the service.`);
      return;
    }
    try {
      await service.call("finding.restore", { parameters: { app_id: appId, fingerprint } });
    } catch (error) {
      if (!provesAbsence(error, service, state.readBy)) throw error;
    }
    reads.changed(scanKey(appId));
  },
};

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
export class IgnoredFinding extends ManagedResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly fingerprint: pulumi.Output<string>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: IgnoredFindingArgs, options?: pulumi.CustomResourceOptions) {
    const outputs = Object.keys(inputs.shape);
    super({ name: "IgnoredFinding", outputs, deleteBeforeReplace: true }, name, args, options);
  }
}
