import { formatReport, knownFrom, nextFrom, ReportedError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import type { Confirmed, Inputs, State } from "./campaign";
import { duplicatesFound } from "./messages";
import { endOrphan, findOthers, type Identity } from "./settle";

/* Other live campaigns of a confirmed campaign's key: launches that the service carried out late. */

/** The state with the duplicates that a read shows, named in a warning. */
export async function withDuplicates(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  const identity = identityBeside(state);
  const duplicates = (identity === undefined ? [] : await findOthers(identity, deployment)).map(({ row }) => row.id);
  if (duplicates.length === 0) return state;
  const found = { ...state, duplicates };
  deployment.warn(formatReport(duplicatesFound(found)));
  return found;
}

/** Deletes or pauses, by the policy, the duplicates that a refresh or a launch found. */
export async function endDuplicates(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  if (state.duplicates === undefined) return state;
  const identity = identityBeside({ ...state, deletionPolicy: inputs.deletionPolicy });
  try {
    if (identity !== undefined) await endAll(identity, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    const next = [...nextFrom(error), "Run `pulumi up` again."];
    throw new PartialFailure(state, { ...duplicatesFound(state), known: knownFrom(error), next });
  }
  return { ...state, duplicates: undefined };
}

/** The same for a campaign that was just deleted or paused itself. */
export async function endDuplicatesOfRemoved(state: Confirmed, deployment: Deployment): Promise<void> {
  const identity = identityBeside(state);
  if (identity !== undefined) await endAll(identity, deployment);
}

async function endAll(identity: Identity, deployment: Deployment): Promise<void> {
  for (const duplicate of await findOthers(identity, deployment)) await endOrphan(duplicate, identity, deployment);
}

/** Undefined without a key, and under the policy "retain", which deletes and pauses nothing. */
function identityBeside(state: State): Identity | undefined {
  const { launchIntent: key, appId, campaignId, readBy, deletionPolicy: policy = "delete" } = state;
  if (key === undefined || policy === "retain") return undefined;
  return { key, apps: [appId], policy, readBy, ...(campaignId === undefined ? {} : { besides: campaignId }) };
}
