import { isRemoved } from "../../service/campaigns";
import { ProviderError, type Report, ReportedError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import { deletionPolicyOf } from "../shared/ownership";
import { findAdoptable } from "./adopt";
import { inTurn } from "./budget";
import { type Confirmed, describeCampaign, type Inputs, isConfirmed, kind, objectName, type State } from "./campaign";
import { findById, readCampaigns } from "./campaign-list";
import { namesInState } from "./check";
import { endDuplicatesOfRemoved } from "./duplicates";
import { nameOfLaunch } from "./identity";
import {
  identityOf,
  identityOfUnconfirmed,
  isQuarantined,
  requireCheckpoints,
  requireLaunchable,
  requirePost,
  settleTime,
  timesOf,
} from "./launch";
import { notListed, refusesChange, unconfirmedLaunch, unconfirmedOfOtherToken } from "./messages";
import { lookBeforeReplacement, settle } from "./settle";
import { endCampaign, requireThisService } from "./switch";

/* A campaign is removed from the stack, or replaced. Nothing is deleted for something that would then be refused. */

/** Deletes, pauses or retains a confirmed campaign. */
export async function removeCampaign(
  state: Confirmed,
  deployment: Deployment,
  isManagedElsewhere: (object: string) => boolean,
): Promise<void> {
  const { declarations, log, launches, warn } = deployment;
  const object = objectName(state);
  // The state had it, so its intent never deletes or pauses it.
  launches.managed.add(object);
  if (declarations.has(kind, object)) {
    log(`The ${object} is declared by its campaignId, so it is not deleted.`);
  } else {
    const replacement = replacementOf(state, deployment);
    if (replacement !== undefined) await requireReplaceable(state, replacement, deployment);
    // Asked once more: while this waited, another resource may have adopted the campaign.
    if (!isManagedElsewhere(object)) {
      const policy = deletionPolicyOf(state);
      if (policy === "retain")
        warn(
          `The ${object} is retained: it ${state.pausedBy === "us" || state.pausedBy === "other" ? "stays paused" : "goes on spending"}.`,
        );
      else await endCampaign(state, policy, deployment);
      await endDuplicatesOfRemoved(state, deployment);
    }
  }
  if (state.launchIntent === undefined) return;
  launches.settled.add(state.launchIntent);
  launches.freed.add(state.launchIntent);
}

/** Looks for the campaign of an unconfirmed launch, and deletes or pauses it. Forgets the launch after its quarantine. */
export async function removeUnconfirmed(state: State, deployment: Deployment): Promise<void> {
  const identity = identityOfUnconfirmed(state);
  requireThisService({ ...state, campaignId: state.launchedName ?? "" }, deployment);
  const replacement = replacementOf(state, deployment);
  if (replacement !== undefined) await requireReplaceable(state, replacement, deployment);
  const settled = await settle(
    {
      command: "destroy",
      identity,
      milliseconds: settleTime(deployment),
      isQuarantined: () => isQuarantined(state, deployment),
      why: `The launch of ${describeCampaign(state)} is not confirmed.`,
    },
    deployment,
  );
  if (settled.do === "fail") {
    if (settled.because === "credential") throw new ProviderError(unconfirmedOfOtherToken(state));
    const { known = [notListed], next = [] } = settled.unreadable ?? {};
    throw new ProviderError(unconfirmedLaunch(state, timesOf(state, deployment), "destroy", known, next));
  }
  const left = settled.do === "done" ? settled.left.map(({ row }) => row.id).join(", ") : "";
  deployment.log(
    left === ""
      ? `The launch of ${describeCampaign(state)} is removed from the stack. No campaign of it is live.`
      : `Campaign ${left} of ${describeCampaign(state)} goes on, by the deletionPolicy "retain".`,
  );
  deployment.launches.freed.add(identity.key);
}

/** The arguments with which the program declares the resource of this state. `--replace` calls no `diff`. */
function replacementOf(state: State, { launches }: Deployment): Inputs | undefined {
  const declared = namesInState(state).flatMap((name) => launches.declared.get(name) ?? []);
  return declared[0] as Inputs | undefined;
}

/** Makes every check of the new campaign that can be made before the old one is deleted. */
async function requireReplaceable(state: State, inputs: Inputs, deployment: Deployment): Promise<void> {
  try {
    const refusal = refuseReplacement(state, inputs, deployment);
    // One that is removed already is not beside the new one.
    if (refusal !== undefined && !(await isShownRemoved(state, deployment))) throw new ProviderError(refusal);
    if (inputs.campaignId === undefined) await requireLaunchInPlace(state, inputs, deployment);
    else await findAdoptable(inputs, inputs.campaignId, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    const what = `The ${objectName(state)} was not replaced, and goes on. ${error.report.what}`;
    throw new ProviderError({ ...error.report, what });
  }
}

function requireLaunchInPlace(state: State, inputs: Inputs, deployment: Deployment): Promise<void> {
  const { appId, dailyBudgetMicros } = inputs;
  return inTurn(appId, deployment, async () => {
    requireCheckpoints();
    const identity = identityOf(inputs, deployment, state.campaignId);
    requirePost(inputs, await lookBeforeReplacement(identity, deployment), deployment);
    const name = nameOfLaunch(inputs, identity.key);
    await requireLaunchable(inputs, deployment, name, state.campaignId);
    // Nothing else may use the budget before the campaign is launched.
    deployment.launches.reserve(appId, name, dailyBudgetMicros);
  });
}

async function isShownRemoved({ appId, campaignId = "" }: State, deployment: Deployment): Promise<boolean> {
  const rows = await readCampaigns(appId, deployment, "fresh").catch(() => []);
  const listed = findById(rows, campaignId);
  return listed !== undefined && isRemoved(listed);
}

const undo = "Undo the change. If the campaign was changed in the service, declare the values that it has now.";
const allowDeletion = 'Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';

/** Why this campaign must not be replaced. Preview refuses it too. */
export function refuseReplacement(state: State, { campaignId }: Inputs, deployment: Deployment): Report | undefined {
  if (isConfirmed(state) && campaignId === state.campaignId)
    return {
      what: "It is declared by its own campaignId, and the replacement would delete it before adopting it.",
      next: [undo, "Or leave campaignId out, and another campaign is launched in its place."],
    };
  const policy = deletionPolicyOf(state);
  if (policy !== "delete")
    return {
      what: `Its deletionPolicy is "${policy}", so it would ${policy === "retain" ? "go on spending" : "stay"} beside the new one.`,
      next: [undo, allowDeletion],
    };
  return isConfirmed(state) || !isQuarantined(state, deployment)
    ? undefined
    : refusesChange(timesOf(state, deployment).quarantinedUntil);
}
