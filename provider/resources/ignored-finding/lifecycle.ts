import { z } from "zod";
import { flag, identifier, oneOf, sized } from "../../arguments";
import { checkService, isAbsent, knownFrom, nextFrom, ProviderError, ServiceError } from "../../service/errors";
import type { Freshness } from "../../service/shared-reads";
import type { Deployment, Step } from "../shared/deployment";
import { importing } from "../shared/importing";
import { type Lifecycle } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf, type Origin } from "../shared/ownership";
import { removeFromStack } from "../shared/state-delete";
import { watch } from "../shared/watch";
import { PartialFailure, savingOnFailure } from "../shared/partial-failure";

const schema = z.strictObject({
  appId: identifier(),
  fingerprint: identifier().pipe(sized(1, 128)),
  adopt: flag().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  origin?: Origin | undefined;
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
  adoptedBy: "adopt",
  importing: importing(schema, {
    id: ["appId", "fingerprint"],
    objectName,
    read: async (address, step) => ({ state: await adopt({ ...address, adopt: true }, step, []) }),
  }),
  replacedBy: ["appId", "fingerprint"],
  requiredOperations: ({ adopt }) =>
    adopt === true
      ? [{ operation: "scan.get" }]
      : [
          { operation: "finding.ignore", instead: "Or adopt a finding that is ignored already, with adopt: true." },
          { operation: "scan.get" },
        ],
  hasMoreToDo: (state) => state.unconfirmed === true,
  objectName,
  idOf: ({ appId, fingerprint }) => `${appId}/${fingerprint}`,

  create: (inputs, step) =>
    claimWhile(step, objectName(inputs), () => (inputs.adopt === true ? adopt(inputs, step) : ignore(inputs, step))),

  async read(state, step) {
    try {
      // The scan's status does not matter: what is ignored does not depend on it.
      if (await isIgnored(state, step)) return listed(state, step);
    } catch (error) {
      if (!mayBeDeletedApp(error)) throw error;
      throw new ProviderError({ ...error.report, next: [...nextFrom(error), ifAppIsDeleted] });
    }
    // The next `up` ignores it again.
    if (state.unconfirmed === true) return state;
    step.evidence.requireListedBefore("scan.get");
    return undefined;
  },

  update(state, inputs, step) {
    const { adopt, deletionPolicy } = inputs;
    if (state.unconfirmed !== true) return Promise.resolve({ ...state, adopt, deletionPolicy });
    return ignore(inputs, step);
  },

  async delete(state, step) {
    const { service, evidence, log } = step;
    const { appId, fingerprint } = state;
    if (deletionPolicyOf(state) === "retain") {
      log(`Finding ${fingerprint} of app ${appId} stays ignored: it is removed from the stack, not from the service.`);
      return;
    }
    await evidence.requireShown("scan.get", () => isIgnored(state, step));
    try {
      await service.call("finding.restore", { parameters: { app_id: appId, fingerprint } });
    } catch (error) {
      if (!mayBeDeletedApp(error) || (await isStillIgnored(state, error, step))) throw error;
      evidence.requireListedBefore("scan.get");
      log(`The scan of app ${appId} no longer lists finding ${fingerprint} as ignored: it is removed from the stack.`);
    }
    await requireRestored(state, step);
  },
};

/**
 * The service confirms a restore even where the finding is not ignored. Where another credential reads the scan, only the
 * scan tells whether the token reached the same finding.
 */
async function requireRestored(state: State, deployment: Deployment): Promise<void> {
  const { endpoints } = deployment.service;
  if (endpoints.credentialOf("scan.get") === endpoints.credentialOf("finding.restore")) return;
  if (!(await isIgnored(state, deployment))) return;
  throw new ProviderError({
    code: "WA1811",
    what: `The ${objectName(state)} is still ignored: the service confirmed its restore, and the scan still lists it.`,
    known: ["finding.restore sends workspace-apps:accessToken, and scan.get sends workspace-apps:apiKey."],
    next: ["Check that both belong to the workspace of the app, then run the command again."],
  });
}

/** How long a scan may take to list what was just ignored. */
const listedWithin = 1_000;

async function ignore(inputs: Inputs, step: Step): Promise<State> {
  const { service, evidence, clock } = step;
  const { appId, fingerprint } = inputs;
  await service.call("finding.ignore", { parameters: { app_id: appId }, body: { fingerprint } });
  evidence.shownBy("finding.ignore");
  const unconfirmed: State = { ...inputs, unconfirmed: true };
  return savingOnFailure(unconfirmed, `The service was asked to ignore finding ${fingerprint}`, async () => {
    const isListed = await watch(clock, listedWithin, async (isTimeLeft) => {
      return (await isIgnored(inputs, step, "fresh")) || (isTimeLeft ? undefined : false);
    });
    if (isListed) return listed(unconfirmed, step);
    const doubt = service.endpoints.doubt("finding.ignore");
    throw new PartialFailure(unconfirmed, {
      code: "WA1810",
      what: `The service accepted the request to ignore finding ${fingerprint} of app ${appId}, but its scan does not list it as ignored.`,
      known: doubt.known,
      next: ["Check the fingerprint.", ...doubt.next],
    });
  });
}

function listed(state: State, { evidence }: Step): State {
  evidence.shownBy("scan.get");
  return { ...state, unconfirmed: undefined };
}

async function adopt(
  inputs: Inputs,
  step: Step,
  ifNotIgnored = ["Leave adopt out to ignore the finding."],
): Promise<State> {
  const { appId, fingerprint } = inputs;
  if (!(await isIgnored(inputs, step)))
    throw new ProviderError({
      code: "WA1301",
      what: `Finding ${fingerprint} of app ${appId} is not ignored, so there is nothing to adopt.`,
      next: ["Check the fingerprint.", ...ifNotIgnored],
    });
  step.evidence.shownBy("scan.get");
  return { ...inputs, origin: "adopted" };
}

/** The service may answer so for an app that was deleted. A token that does not reach the app may get the same. */
function mayBeDeletedApp(error: unknown): error is ServiceError {
  return isAbsent(error) || (error instanceof ServiceError && error.status === 403);
}

/** The scan of a deleted app answers only 200, 401 or 403, so nothing proves the deletion, and a person has to decide. */
const ifAppIsDeleted = removeFromStack("If the app was deleted");

/** After a refused restore only the scan tells: restoring a finding that is not ignored succeeds. */
async function isStillIgnored(state: State, refusal: ServiceError, deployment: Deployment): Promise<boolean> {
  try {
    return await isIgnored(state, deployment, "fresh");
  } catch (error) {
    throw new ProviderError({
      code: "WA1407",
      what: `The ${objectName(state)} was not restored.`,
      known: [
        ...knownFrom(refusal),
        "The scan, which shows whether it is still ignored, cannot be read:",
        ...knownFrom(error),
      ],
      next: [...nextFrom(refusal), ifAppIsDeleted],
    });
  }
}

/** One read of the scan shows all findings of an app. */
async function isIgnored(
  { appId, fingerprint }: Address,
  { service }: Deployment,
  freshness: Freshness = "recent",
): Promise<boolean> {
  const parameters = { app_id: appId };
  const scan = await service.shareRead(freshness, "scan.get", parameters, (reader) =>
    reader.call("scan.get", { parameters }),
  );
  if (scan.ignored_fingerprints) return scan.ignored_fingerprints.includes(fingerprint);
  throw new ProviderError({
    code: "WA1704",
    what: `The security scan of app ${appId} does not say which findings are ignored (no ignored_fingerprints), so nothing is known about ${fingerprint}.`,
    next: [checkService],
  });
}

function objectName({ appId, fingerprint }: Address): string {
  return `ignored finding ${fingerprint} of app ${appId}`;
}
