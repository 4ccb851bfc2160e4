import { ProviderError, type Report, ReportedError } from "../../service/errors";
import { money } from "../../service/money";
import type { Deployment } from "../shared/deployment";
import { deletionPolicyOf } from "../shared/ownership";
import { findAdoptable } from "./adopt";
import { inTurn } from "./budget";
import { type Confirmed, describeCampaign, type Inputs, isConfirmed, objectName, type State } from "./campaign";
import { replacementOf, requireCheckpoints } from "./check";
import { nameOfLaunch } from "./campaign-name";
import { refusesChange, whyNotLaunched } from "./messages";
import { isQuarantined } from "./quarantine";
import { requireLaunchable } from "./readiness";
import { launchKeyOf, search } from "./search";

/* A campaign is replaced by another one. Nothing is deleted for something that would then be refused. */

/** Makes every check of a new campaign in its place that can be made before the old one is deleted. */
export async function requireReplaceable(state: State, deployment: Deployment): Promise<void> {
  const inputs = replacementOf(state, deployment);
  if (inputs === undefined) return;
  try {
    const refusal = refuseReplacement(state, inputs, deployment);
    if (refusal !== undefined) throw new ProviderError(refusal);
    if (inputs.campaignId === undefined) await requireLaunchInPlace(state, inputs, deployment);
    else await findAdoptable(inputs, inputs.campaignId, deployment);
  } catch (error) {
    if (!(error instanceof ReportedError)) throw error;
    const object = objectName(state);
    const oldCampaign = isConfirmed(state)
      ? `The ${object} was not replaced, and goes on.`
      : `MONEY MAY BE MOVING: the ${object} was not replaced, and may be live.`;
    const what = `${oldCampaign} ${error.report.what}`;
    throw new ProviderError({ ...error.report, code: isConfirmed(state) ? "WA1212" : "WA1213", what });
  }
}

function requireLaunchInPlace(state: State, inputs: Inputs, deployment: Deployment): Promise<void> {
  const { appId, dailyBudgetMicros: micros } = inputs;
  return inTurn(appId, deployment, async () => {
    requireCheckpoints();
    const launchKey = launchKeyOf(inputs, deployment, state.campaignId);
    const outcome = await search({ purpose: "replace", launchKey }, deployment);
    if (outcome.do === "fail") throw whyNotLaunched(inputs, outcome);
    if (outcome.do !== "post")
      throw new Error(`internal error: a replacement is checked, and the decision is ${outcome.do}`);
    const launchedName = nameOfLaunch(inputs, launchKey.key);
    const without = outcome.orphans.map(({ row }) => row.id);
    await requireLaunchable(inputs, deployment, launchedName, [...without, state.campaignId ?? ""]);
    // Nothing else may use the budget before the campaign is launched.
    deployment.launches.of(launchKey.key).reserved = { appId, launchedName, micros };
  });
}

const undo =
  "Undo the change. If the campaign was changed in the service, declare the values that it has now. If it was deleted there, run `pulumi refresh`.";
const allowDeletion = 'Or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';

/** Why this campaign must not be replaced. Preview refuses it too. */
export function refuseReplacement(
  state: State,
  { campaignId, deletionPolicy }: Inputs,
  deployment: Deployment,
): Report | undefined {
  if (!isConfirmed(state)) return isQuarantined(state, deployment) ? refusesChange(state, deployment) : undefined;
  if (campaignId === state.campaignId)
    return {
      code: "WA1231",
      what: "It is declared by its own campaignId, and the replacement would delete it before adopting it.",
      next: [undo, `${allowDeletion} Leave campaignId out with it.`],
    };
  // The policy of now, or the one that is declared with the change.
  const kept = [deletionPolicyOf(state), deletionPolicy ?? "delete"].find((policy) => policy !== "delete");
  if (kept === undefined) return undefined;
  return {
    code: "WA1231",
    what: `Its deletionPolicy is "${kept}", so it would ${kept === "retain" ? "go on spending" : "stay"} beside the new one.`,
    next: [undo, allowDeletion],
  };
}

/** For a preview. */
export function describeReplacement(state: Confirmed, { campaignId, dailyBudgetMicros }: Inputs): string {
  const amount = typeof dailyBudgetMicros === "number" ? `, with ${money(dailyBudgetMicros, undefined)} a day` : "";
  const next =
    typeof campaignId === "string"
      ? `campaign ${campaignId} is adopted in its place`
      : `another one is launched in its place${amount}`;
  return `The ${describeCampaign(state)} is deleted permanently, and ${next}.`;
}
