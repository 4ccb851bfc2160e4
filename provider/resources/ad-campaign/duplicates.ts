import { formatReport, knownFrom, nextFrom, ProviderError, ReportedError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { PartialFailure } from "../shared/lifecycle";
import { type Confirmed, describeCampaign, type Inputs, type State } from "./campaign";
import { isPaused } from "./campaign-list";
import type { Listed } from "./decide";
import { duplicatesFound } from "./messages";
import { endOrphan, findOthers, type Identity } from "./settle";

/* Other live campaigns of a confirmed campaign's key: launches that the service carried out late. */

/** The state with the duplicates that a read shows, named in a warning. */
export async function withDuplicates(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  const identity = identityBeside(state);
  if (identity === undefined) return state;
  const { pausedDuplicates = [] } = state;
  const isDone = ({ row }: Listed): boolean => pausedDuplicates.includes(row.id) && isPaused(row) === true;
  const others = await findOthers(identity, deployment);
  const duplicates = others.filter((one) => !isDone(one)).map(({ row }) => row.id);
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
    const ended = await endAll(identity, deployment);
    const pausedDuplicates = identity?.policy === "pause" ? ended : undefined;
    return { ...state, duplicates: undefined, pausedDuplicates };
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    const next = [...nextFrom(error), "Run `pulumi up` again."];
    throw new PartialFailure(state, { ...duplicatesFound(state), known: knownFrom(error), next });
  }
}

/** The same for a campaign that was just deleted or paused itself. */
export async function endDuplicatesOfRemoved(state: Confirmed, deployment: Deployment): Promise<void> {
  const identity = identityBeside(state);
  try {
    await endAll(identity, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    throw new ProviderError({
      what: `The ${describeCampaign(state)} was ${identity?.policy === "pause" ? "paused" : "deleted"}. It is unknown whether a late duplicate of it is live.`,
      known: knownFrom(error),
      next: [...nextFrom(error), "Run the same command again."],
    });
  }
}

async function endAll(identity: Identity | undefined, deployment: Deployment): Promise<string[]> {
  // A read only names them.
  if (identity === undefined || identity.policy === "retain") return [];
  const duplicates = await findOthers(identity, deployment);
  for (const duplicate of duplicates) await endOrphan(duplicate, identity, deployment);
  return duplicates.map(({ row }) => row.id);
}

/** Undefined without a key. */
function identityBeside(state: State): Identity | undefined {
  const { launchIntent: key, appId, apps = [appId], campaignId, readBy, deletionPolicy: policy = "delete" } = state;
  if (key === undefined) return undefined;
  return { key, apps, policy, readBy, ...(campaignId === undefined ? {} : { besides: campaignId }) };
}
