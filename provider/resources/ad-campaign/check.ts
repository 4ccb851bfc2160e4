import { ProviderError } from "../../service/errors";
import { money } from "../../service/money";
import type { Deployment } from "../shared/deployment";
import type { KeyMemory, LaunchMemory } from "../shared/launch-memory";
import type { Checked, Refusal } from "../shared/lifecycle";
import { appLimit } from "./budget";
import { declaredName, describeCampaign, identifiedName, type Inputs, type State } from "./campaign";
import { launchArguments, sameArgument } from "./campaign-name";
import { targetBoth } from "./messages";
import { unconvertedBudget } from "./micros";

/* The part of `check` that depends on what else this command has seen. It sends no request. */

export function checkInCommand(inputs: Inputs, checked: Checked<Inputs>, deployment: Deployment): readonly Refusal[] {
  const { isNew, earlier = {}, isKnown } = checked;
  const { launchIntent, campaignId } = inputs;
  // With --replace, Pulumi gives no earlier arguments. The key or the name is the same.
  const names = namesInState({ launchIntent, ...earlier });
  if (isNew && campaignId === undefined) names.push(declaredName(inputs));
  for (const name of names) deployment.launches.lastDeclared.set(name, inputs);
  // A campaign that is adopted may have no intent.
  if (isKnown("appId")) deployment.launches.apps.add(inputs.appId);
  // A launch with such a budget is refused already.
  const low = isKnown("appId", "campaignName", "campaignId", "dailyBudgetMicros")
    ? unconvertedBudget(inputs)
    : undefined;
  if (low !== undefined)
    deployment.warnOnce({ code: "WA1105", what: `The dailyBudgetMicros of ${declaredName(inputs)} ${low}.` });
  const overLimit = aboveAppLimit(inputs, checked, deployment);
  if (!isKnown("campaignId")) return overLimit;
  if (campaignId !== undefined) return [...overLimit, ...checkAdoption(inputs, checked, deployment)];
  if (!isNew) return [...overLimit, ...checkIntent(inputs, checked, deployment)];
  deployment.logOnce(describeLaunch(inputs, checked, deployment));
  return [...overLimit, ...checkpointsProblem(), ...checkIntent(inputs, checked, deployment)];
}

/** For a preview. It does not know the launchIntent of a new campaign. */
function describeLaunch(inputs: Inputs, { place, isKnown }: Checked<Inputs>, { launches }: Deployment): string {
  const { launchIntent, deletionPolicy = "delete", paused } = inputs;
  if (!isKnown("appId", "campaignName", "dailyBudgetMicros"))
    return `The campaign "${place}" is launched, unless it is live already. It starts spending. This preview does not know all of its app, name and daily budget.`;
  const { intent, history } = memoryOf(isKnown("launchIntent") ? launchIntent : undefined, launches);
  const mayHaveOthers = intent !== undefined && history !== "new" && deletionPolicy !== "retain";
  const others = mayHaveOthers
    ? ` Any other live campaign of this resource is ${deletionPolicy === "pause" ? "paused" : "deleted permanently"} first.`
    : "";
  const spending = paused === true ? " until it is paused right after" : "";
  return `The ${describeCampaign(inputs)} is launched, unless it is live already. It starts spending${spending}.${others}`;
}

/** The knowledge about a key. Nothing is known without one. */
function memoryOf(key: string | undefined, launches: LaunchMemory): KeyMemory {
  return key === undefined ? {} : launches.of(key);
}

/** By which the arguments that `check` sees and the state that `delete` sees are known to be of one resource. */
function namesInState({ appId = "", launchIntent, campaignId }: Partial<State>): string[] {
  return [
    ...(launchIntent === undefined ? [] : [launchIntent]),
    ...(campaignId === undefined ? [] : [identifiedName({ appId, campaignId })]),
  ];
}

/** The arguments with which the program declares the resource of this state, which is about to be replaced. */
export function replacementOf(state: State, { launches }: Deployment): Inputs | undefined {
  const [known] = namesInState(state).flatMap((name) => launches.lastDeclared.get(name) ?? []);
  if (known !== undefined) return known as Inputs;
  // By the name alone, unless the resource of that name has a campaign of its own.
  const named = launches.lastDeclared.get(declaredName(state)) as Inputs | undefined;
  const { history, sent } = memoryOf(named?.launchIntent, launches);
  return history === "kept" || sent !== undefined ? undefined : named;
}

function aboveAppLimit(
  inputs: Inputs,
  { isNew, place, earlier = {}, isKnown }: Checked<Inputs>,
  { launches, settings }: Deployment,
): Refusal[] {
  const limit = settings.maxAppDailyBudgetMicros;
  if (limit === undefined || !isKnown("appId", "dailyBudgetMicros", "paused")) return [];
  const { appId, dailyBudgetMicros, campaignId, paused } = inputs;
  const isLaunched =
    campaignId === undefined &&
    (isNew || launchArguments.some((name) => !sameArgument(name, earlier[name], inputs[name])));
  const micros = paused === true && !isLaunched ? 0 : dailyBudgetMicros;
  launches.plans.set(place, { appId, micros, isLaunched });
  const ofApp = [...launches.plans.values()].filter((plan) => plan.appId === appId);
  const sum = ofApp.reduce((all, plan) => all + plan.micros, 0);
  if (sum <= limit || !ofApp.some((plan) => plan.isLaunched)) return [];
  return [
    {
      code: "WA1224",
      reason: `brings the campaigns of app ${appId} in this program to ${money(sum, undefined)} a day, above the limit of ${money(limit, undefined)} that ${appLimit} sets`,
    },
  ];
}

function checkAdoption(
  inputs: Inputs,
  { isNew, isKnown }: Checked<Inputs>,
  { ledger, logOnce }: Deployment,
): Refusal[] {
  const { appId, campaignId = "" } = inputs;
  if (!isNew || !isKnown("appId")) return [];
  const object = identifiedName({ appId, campaignId });
  logOnce(`The ${object} is to be adopted. Nothing is launched for it.`);
  return ledger.fateOf(object) === "replaced"
    ? [
        {
          code: "WA1235",
          reason: `adopts the ${object}, but another resource manages it and is about to be replaced, which would delete it first. Declare this resource before the other, or undo the change of the other`,
        },
      ]
    : [];
}

/** The launch intent must be one that this command has seen, of the same app and policy, and of no other campaign. */
function checkIntent(
  inputs: Inputs,
  { isNew, place, earlier = {}, isKnown }: Checked<Inputs>,
  { launches, warnOnce }: Deployment,
): Refusal[] {
  if (!isKnown("launchIntent")) return [];
  const { appId, launchIntent: key, deletionPolicy = "delete" } = inputs;
  const memory = memoryOf(key, launches);
  const { intent } = memory;
  if (key === undefined || intent === undefined) {
    // With --target of a campaign that stays, its intent is not seen. An imported campaign never had one.
    const isNeeded = isNew || (key === undefined && earlier.launchIntent !== undefined);
    const which = key === undefined ? "no LaunchIntent" : `no LaunchIntent ${key} in this command`;
    return isNeeded
      ? [
          noOwnIntent(
            `has ${which}. Declare one before it, and give its id as launchIntent. With the option import, remove the option. ${targetBoth}`,
          ),
        ]
      : [];
  }
  // By replaceOnChanges, or because a replacement was killed when it had deleted the campaign.
  if (isNew && memory.history === "kept" && deletionPolicy !== "delete")
    warnOnce({
      code: "WA1232",
      what: `The ${describeCampaign(inputs)} is to be replaced, although its deletionPolicy is "${deletionPolicy}". Nothing is launched beside a live campaign: the command fails, or takes it over.`,
    });
  const app = intent.apps.at(-1) ?? "";
  const { deletionPolicy: policy = "delete" } = intent;
  const other = (memory.user ??= place) === place ? undefined : memory.user;
  return [
    ...(isKnown("appId") && app !== appId
      ? [noOwnIntent(`is of app ${appId}, and its LaunchIntent of app ${app}. Give both the same appId`)]
      : []),
    ...(isKnown("deletionPolicy") && policy !== deletionPolicy
      ? [
          noOwnIntent(
            `has the deletionPolicy "${deletionPolicy}", and its LaunchIntent has "${policy}". Give both the same`,
          ),
        ]
      : []),
    ...(other === undefined
      ? []
      : [noOwnIntent(`has the same LaunchIntent as "${other}". Declare one LaunchIntent for each campaign`)]),
  ];
}

function noOwnIntent(reason: string): Refusal {
  return { code: "WA1229", reason };
}

/** Pulumi would not save the intent before the launch. */
function checkpointsProblem(): Refusal[] {
  const { PULUMI_SKIP_CHECKPOINTS: skips = "" } = process.env;
  return /^(1|t|true|y|yes)$/i.test(skips)
    ? [
        {
          code: "WA1228",
          reason:
            "cannot be launched while PULUMI_SKIP_CHECKPOINTS is set: its LaunchIntent would not be saved before the launch. Unset it",
        },
      ]
    : [];
}

export function requireCheckpoints(): void {
  const [problem] = checkpointsProblem();
  if (problem !== undefined) throw new ProviderError({ code: problem.code, what: `The campaign ${problem.reason}.` });
}
