import { z } from "zod";
import { identifier, oneOf, sized } from "../../arguments";
import { checkService, ProviderError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { provesAbsence, savingOnFailure } from "../shared/evidence";
import { type Lifecycle, PartialFailure } from "../shared/lifecycle";
import { claim, deletionPolicyOf } from "../shared/ownership";
import { checkBaseUrl } from "../../service/setting-names";

const schema = z.strictObject({
  appId: identifier(),
  fingerprint: identifier().pipe(sized(1, 128)),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  /** The service whose scan this is about. */
  readBy: string;
  /** No scan has listed it yet: the next `up` ignores it again and looks. */
  unconfirmed?: true | undefined;
}

type Address = Pick<Inputs, "appId" | "fingerprint">;

export const ignoredFindingLifecycle: Lifecycle<Inputs, State> = {
  kind: "IgnoredFinding",
  purpose: "Ignores a security finding",
  inputs: schema,
  outputs: [],
  declares: [{ properties: ["fingerprint", "appId"], object: objectName }],
  replacedBy: ["appId", "fingerprint"],
  requiredOperations: () => [{ operation: "finding.ignore" }, { operation: "scan.get" }],
  isUnfinished: (state) => state.unconfirmed === true,
  objectName,
  idOf: ({ appId, fingerprint }) => `${appId}/${fingerprint}`,

  create(inputs, deployment) {
    claim(deployment, objectName(inputs));
    return ignore(inputs, deployment);
  },

  async read(state, deployment) {
    if (!deployment.service.endpoints.isOfThisService(state.readBy))
      throw new ProviderError({
        what: `The ${objectName(state)} was ignored at another base URL.`,
        next: [checkBaseUrl],
      });
    // The scan's status does not matter: what is ignored does not depend on it.
    return (await isIgnored(state, deployment)) ? { ...state, unconfirmed: undefined } : undefined;
  },

  update: (state, inputs, deployment) =>
    state.unconfirmed === true
      ? ignore(inputs, deployment)
      : Promise.resolve({ ...state, deletionPolicy: inputs.deletionPolicy }),

  async delete(state, deployment) {
    const { service, reads, log } = deployment;
    const { appId, fingerprint } = state;
    if (deletionPolicyOf(state) === "retain") {
      log(`Finding ${fingerprint} of app ${appId} stays ignored: it leaves the stack, not the service.`);
      return;
    }
    try {
      await service.call("finding.restore", { parameters: { app_id: appId, fingerprint } });
    } catch (error) {
      // Restoring a finding that is not ignored succeeds, so a 404 is about the app or the token. The scan tells.
      if (!provesAbsence(error, service, state.readBy) || (await isStillListed(state, deployment))) throw error;
      log(`App ${appId} is gone or not visible to this token: finding ${fingerprint} leaves the stack.`);
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
  return savingOnFailure(unconfirmed, `The service was asked to ignore finding ${fingerprint}`, async () => {
    if (await isIgnored(inputs, deployment)) return state;
    await clock.sleep(listedWithin);
    reads.changed(scanKey(appId));
    if (await isIgnored(inputs, deployment)) return state;
    const doubt = service.endpoints.doubt("finding.ignore");
    throw new PartialFailure(unconfirmed, {
      what: `The service accepted the request to ignore finding ${fingerprint} of app ${appId}, but its scan does not list it as ignored.`,
      known: doubt.known,
      next: ["Check the fingerprint.", ...doubt.next],
    });
  });
}

/** False where the scan's 404 says the same as the failed restore: the app is gone. */
async function isStillListed(state: State, deployment: Deployment): Promise<boolean> {
  deployment.reads.changed(scanKey(state.appId));
  try {
    return await isIgnored(state, deployment);
  } catch (error) {
    return !provesAbsence(error, deployment.service, state.readBy);
  }
}

/** One read of the scan shows all findings of an app. */
async function isIgnored({ appId, fingerprint }: Address, { service, reads }: Deployment): Promise<boolean> {
  const scan = await reads.recent(scanKey(appId), () => service.call("scan.get", { parameters: { app_id: appId } }));
  if (scan.ignored_fingerprints) return scan.ignored_fingerprints.includes(fingerprint);
  throw new ProviderError({
    what: `The security scan of app ${appId} does not say which findings are ignored (no ignored_fingerprints), so nothing is known about ${fingerprint}.`,
    next: [checkService],
  });
}

function scanKey(appId: string): string {
  return `scan of ${appId}`;
}

function objectName({ appId, fingerprint }: Address): string {
  return `ignored finding ${fingerprint} of app ${appId}`;
}
