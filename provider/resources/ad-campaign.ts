import type * as pulumi from "@pulumi/pulumi";
import { type Deployment, type Lifecycle, Unfinished } from "../engine/lifecycle";
import { ManagedResource } from "../engine/resource";
import { Refusal } from "../service/errors";
import {
  claimOf,
  type Confirmed,
  declaredIn,
  type Inputs,
  inputs,
  isConfirmed,
  isPerformanceMax,
  type State,
  stateOf,
  unconfirmed,
} from "./ad-campaign-state";
import { assertSeen, listedNow, remove, setPaused, stop } from "./campaign-changes";
import { byId, differing, isPaused, isRemoved, type Known, type Listed, sameValue } from "./campaign-listing";
import { campaignsOf, unreadable } from "./campaign-reads";
import { keeping } from "./evidence";
import { foundRunning, notLaunched, unconfirmedLaunch } from "./launch-report";
import { launchOnce, type Outcome } from "./launching";
import type { Intent } from "./launch-protocol";
import { claim, policyOf } from "./ownership";

export interface AdCampaignArgs {
  /** The app that is advertised. A change replaces the campaign. */
  appId: pulumi.Input<string>;
  /** Its name, by which it is found again after a lost answer: one live campaign of an app has it. A change replaces. */
  campaignName: pulumi.Input<string>;
  /** `SMART`, a Performance Max type (which needs `logoUrl`), or another that the service knows. A change replaces. */
  campaignType: pulumi.Input<string>;
  /**
   * What it may spend a day, in millionths of the account's currency: a whole number above 0, and not above
   * `workspace-apps:maxDailyBudgetMicros` where that is set. A change replaces.
   */
  dailyBudgetMicros: pulumi.Input<number>;
  /** The absolute http(s) URL that the ads lead to: the one that launch readiness reports. A change replaces. */
  landingPage: pulumi.Input<string>;
  /** The advertiser's name. A change replaces. */
  businessName?: pulumi.Input<string>;
  /** Themes of a smart campaign. A change replaces. */
  keywordThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /** At most 10 themes of at most 80 characters, for Performance Max. A change replaces. */
  searchThemes?: pulumi.Input<pulumi.Input<string>[]>;
  /** Location ids (`resource_name` of the geo search); their order does not matter. A change replaces. */
  geoTargets?: pulumi.Input<pulumi.Input<string>[]>;
  /** An absolute http(s) URL; a Performance Max campaign needs one. A change replaces. */
  logoUrl?: pulumi.Input<string>;
  /** A change replaces. */
  phoneNumber?: pulumi.Input<string>;
  /**
   * The IANA time zone of the advertising account. Counts only for the first campaign of an app, whose launch creates the
   * account; a change is no difference.
   * @default UTC
   */
  timezone?: pulumi.Input<string>;
  /** Campaign fields that the specification does not show, sent as they are. None may shadow an argument. A change replaces. */
  extraFields?: pulumi.Input<Record<string, unknown>>;
  /**
   * Whether it is paused. Left out: it is left alone, also while the service itself keeps it paused until conversion
   * tracking is wired. A campaign declared as paused is launched and then paused.
   */
  paused?: pulumi.Input<boolean>;
  /** Adopts this existing campaign (the service's `id`) instead of launching one. A change to another id replaces. */
  campaignId?: pulumi.Input<string>;
  /**
   * What destroy does: `delete` it for good, `pause` it, or `retain` it, which goes on spending.
   * @default `delete` for a campaign that this stack launched, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "pause" | "retain">;
}

/** A campaign cannot be changed in place: all but these three replace it. */
const keptInPlace: readonly string[] = ["paused", "deletionPolicy", "timezone"];

export const adCampaignLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  rules: [
    {
      properties: ["logoUrl", "campaignType", "campaignId"],
      problem: ({ logoUrl, campaignType, campaignId }) =>
        logoUrl === undefined && campaignId === undefined && isPerformanceMax(campaignType)
          ? "is required for a Performance Max campaign"
          : undefined,
    },
    {
      properties: ["dailyBudgetMicros"],
      problem: ({ dailyBudgetMicros }, settings) =>
        settings?.maxDailyBudgetMicros !== undefined && dailyBudgetMicros > settings.maxDailyBudgetMicros
          ? `is above the ${String(settings.maxDailyBudgetMicros)} that workspace-apps:maxDailyBudgetMicros (or WORKSPACE_APPS_MAX_DAILY_BUDGET_MICROS) allows`
          : undefined,
    },
  ],
  declares: [
    { properties: ["campaignName", "appId"], object: ({ campaignName, appId }) => claimOf({ campaignName, appId }) },
    { properties: ["campaignId", "appId"], object: claimOf },
  ],
  replacedBy: (Object.keys(inputs.shape) as (keyof Inputs)[]).filter((key) => !keptInPlace.includes(key)),
  same: {
    campaignName: (state, { campaignName }) => sameValue("campaignName", state.campaignName, campaignName),
    landingPage: (state, { landingPage }) => sameValue("landingPage", state.landingPage, landingPage),
    geoTargets: (state, { geoTargets }) => sameValue("geoTargets", state.geoTargets ?? [], geoTargets ?? []),
    phoneNumber: (state, { phoneNumber }) => sameValue("phoneNumber", state.phoneNumber ?? "", phoneNumber ?? ""),
    // Fixed once the account exists.
    timezone: () => true,
    // Leaving the id out after adoption changes nothing; giving it for an unconfirmed launch tells which one it was.
    campaignId: (state, { campaignId }) =>
      campaignId === undefined || !isConfirmed(state) || campaignId === state.campaignId,
  },
  // Its own values, which the service may have changed, are declared with the id: replacing would need it gone first.
  identifies: (state, { appId, campaignId }) =>
    !isConfirmed(state) && campaignId !== undefined && appId === state.appId,
  mustStay: (state, { campaignId }) => {
    if (policyOf(state) === "retain")
      return 'Its deletionPolicy is "retain", so it would go on spending beside the new one. Take the change back; or set deletionPolicy to "delete" or "pause", run `pulumi up`, and then make the change.';
    return isConfirmed(state) && campaignId === state.campaignId
      ? "It is declared by its own campaignId, and the replacement would end it before adopting it. Take the change back; or leave campaignId out, and another is launched in its place."
      : undefined;
  },
  creatingNeeds: ({ campaignId, paused }) => [
    {
      operation: "campaign.list",
      instead: "Without the list of campaigns none is launched or adopted: nothing else tells whether it runs already.",
    },
    ...(campaignId === undefined
      ? [{ operation: "campaign.launch" as const, instead: "Or adopt an existing campaign by its campaignId." }]
      : []),
    ...(paused === true
      ? [{ operation: "campaign.pause" as const, instead: "Or leave paused out: a campaign is launched running." }]
      : []),
  ],
  isUnfinished: (state) => !isConfirmed(state),
  claimOf,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,
  inputsOf: (state) =>
    state.origin === "adopted" ? { ...declaredIn(state), campaignId: state.campaignId } : declaredIn(state),

  async create(inputs, deployment) {
    if (inputs.campaignId !== undefined) return adopt(inputs, inputs.campaignId, deployment);
    return settlePaused(await inTurn(inputs, deployment, () => launch(inputs, deployment)), inputs, deployment);
  },

  async read(state, deployment) {
    if (!isConfirmed(state)) return review(state, deployment);
    const campaign = byId(await campaignsOf(state.appId, deployment, "recent"), state.campaignId);
    if (campaign === undefined) assertSeen(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) return undefined;
    const read = seen(state, campaign, state, deployment);
    return { ...read, paused: read.paused ?? state.paused };
  },

  async update(state, inputs, deployment) {
    if (isConfirmed(state)) return settlePaused(state, inputs, deployment);
    if (inputs.campaignId !== undefined) return adopt(inputs, inputs.campaignId, deployment);
    return settlePaused(await inTurn(inputs, deployment, () => launch(inputs, deployment, state)), inputs, deployment);
  },

  delete: (state, deployment, livesOn) =>
    inTurn(state, deployment, async () => {
      const campaign = isConfirmed(state) ? state : await search(state, deployment);
      // Asked once more: while this waited for its turn, another resource may have taken the campaign over.
      if (campaign !== undefined && !livesOn(claimOf(campaign))) await end(campaign, deployment);
    }),
};

/**
 * One step at a time for a name. Of two launches under way at once, neither could tell whose campaign a list shows; and
 * one whose deletion is under way must not be found by a resource that takes over its name.
 */
function inTurn<T>(
  { appId, campaignName }: State | Inputs,
  { claims }: Deployment,
  step: () => Promise<T>,
): Promise<T> {
  return claims.inTurn(claimOf({ appId, campaignName }), step);
}

async function end(campaign: Confirmed, deployment: Deployment): Promise<void> {
  // Whoever declares it by its id is about to adopt it.
  if (deployment.declarations.has(adCampaignLifecycle, claimOf(campaign))) {
    deployment.say(`Campaign ${campaign.campaignId} is declared by its campaignId, so it is not deleted.`);
    return;
  }
  switch (policyOf(campaign)) {
    case "retain":
      deployment.say(`Campaign ${campaign.campaignId} is retained: it leaves the stack and goes on spending.`);
      return;
    case "pause":
      return stop(campaign, deployment);
    case "delete":
      return remove(campaign, deployment);
  }
}

/** Launches, or finds that it runs already. Of an earlier unconfirmed launch the list is read before anything else. */
async function launch(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  const outcome = await protocol(inputs, deployment, "up", earlier);
  switch (outcome.is) {
    case "running":
      return taken(inputs, outcome, deployment, earlier);
    case "not-launched":
      throw new Refusal(notLaunched(inputs, outcome));
    case "unconfirmed":
      // The next command goes on from here, under a lease of its own.
      if (earlier === undefined) deployment.claims.take(claimOf(inputs));
      throw new Unfinished(
        unconfirmed(inputs, outcome.attempt.at, deployment.service),
        unconfirmedLaunch(inputs, outcome, deployment.clock.now()),
      );
    case "forgotten":
      throw new Error("An up does not forget a launch.");
  }
}

function protocol(declared: State | Inputs, deployment: Deployment, intent: Intent, earlier?: State): Promise<Outcome> {
  if (earlier === undefined) return launchOnce(declared, deployment, intent);
  if (!deployment.service.endpoints.isOfThisService(earlier.readBy))
    throw new Refusal(
      `The unconfirmed launch of ${claimOf(earlier)} was sent to another base URL, and only there can be seen what came of it: check workspace-apps:baseUrl.`,
    );
  return launchOnce(declared, deployment, intent, {
    at: Date.parse(earlier.launchAttemptedAt ?? "") || deployment.clock.now(),
  });
}

type Running = Extract<Outcome, { is: "running" }>;

/** The declared campaign runs: this stack's own, however it was found. */
async function taken(
  declared: State | Inputs,
  outcome: Running,
  deployment: Deployment,
  earlier?: State,
): Promise<Confirmed> {
  const { service, say } = deployment;
  const { campaign, how, account } = outcome;
  const at = { appId: declared.appId, campaignName: declared.campaignName, campaignId: campaign.id };
  if (earlier === undefined) claim(deployment, claimOf(at));
  const mark = service.endpoints.mark(how === "launched" ? "campaign.launch" : "campaign.list");
  const state = stateOf(declared, campaign, { origin: "created", readBy: mark }, account);
  if (how !== "launched") {
    say(foundRunning(declared, outcome));
    return state;
  }
  return seenOnce(state, deployment);
}

/**
 * Looks once for a campaign that was just launched: from then on its absence from the list is evidence, and a twin that
 * another pipeline launched at the same time comes to light.
 */
async function seenOnce(state: Confirmed, deployment: Deployment): Promise<Confirmed> {
  let rows: Listed[];
  try {
    rows = await campaignsOf(state.appId, deployment, "fresh");
  } catch (error) {
    deployment.say(
      `Campaign ${state.campaignId} was launched, but the list that shows it could not be read: ${unreadable(error, deployment)}`,
    );
    return state;
  }
  const listed = byId(rows, state.campaignId);
  const read = listed === undefined ? state : seen(state, listed, state, deployment);
  const twins = rows.filter(
    (row) =>
      row.id !== state.campaignId &&
      !isRemoved(row) &&
      sameValue("campaignName", row.campaign_name, state.campaignName) &&
      !deployment.claims.isGivenUp(claimOf({ ...state, campaignId: row.id })),
  );
  if (twins.length > 0)
    throw new Unfinished(
      read,
      `MONEY MAY BE MOVING TWICE: campaign ${state.campaignId} was launched and is kept, but ${twins.map(({ id }) => id).join(", ")} of the same name became live at the same time, from another pipeline perhaps. Delete the one that is too many in the service, then run \`pulumi up\` again.`,
    );
  return read;
}

/** What a refresh tells of an unconfirmed launch: the campaign, where the list shows it now. */
async function review(state: State, deployment: Deployment): Promise<State> {
  const outcome = await protocol(state, deployment, "refresh", state);
  if (outcome.is === "running") return taken(state, outcome, deployment, state);
  if (outcome.is !== "unconfirmed") throw new Error(`A refresh cannot end "${outcome.is}".`);
  const report = unconfirmedLaunch(state, outcome, deployment.clock.now());
  if (!outcome.isShownAbsent || deployment.clock.now() < outcome.quarantinedUntil) throw new Refusal(report);
  deployment.say(report);
  return state;
}

/** The campaign of an unconfirmed launch that is to be destroyed; undefined when there is nothing of its own to destroy. */
async function search(state: State, deployment: Deployment): Promise<Confirmed | undefined> {
  const { clock, say } = deployment;
  const outcome = await protocol(state, deployment, "destroy", state);
  if (outcome.is === "forgotten") {
    say(`The ${claimOf(state)} was never confirmed, and a complete list does not show it: it leaves the stack.`);
    return undefined;
  }
  if (outcome.is === "unconfirmed") throw new Refusal(unconfirmedLaunch(state, outcome, clock.now()));
  if (outcome.is === "not-launched") throw new Refusal(notLaunched(state, outcome));
  return taken(state, outcome, deployment, state);
}

/** Takes over an existing campaign. It cannot be changed in place, so what is declared must be what it is. */
async function adopt(inputs: Inputs, campaignId: string, deployment: Deployment): Promise<Confirmed> {
  const { appId } = inputs;
  claim(deployment, claimOf({ ...inputs, campaignId }));
  const rows = await campaignsOf(appId, deployment, "fresh").catch((error: unknown) => {
    throw new Refusal(`Campaign ${campaignId} cannot be adopted: ${unreadable(error, deployment)}`);
  });
  const campaign = byId(rows, campaignId);
  if (campaign === undefined || isRemoved(campaign)) throw new Refusal(notThere(appId, campaignId, rows));
  const differs = differing(campaign, inputs);
  if (differs.length > 0)
    throw new Refusal(
      `Campaign ${campaignId} of app ${appId} differs in ${differs.join(", ")} from what is declared, and a campaign cannot be changed in place: declare its own values. Nothing was changed.`,
    );
  const state = seen(inputs, campaign, { origin: "adopted" }, deployment);
  return settlePaused(state, inputs, deployment);
}

function notThere(appId: string, campaignId: string, rows: readonly Listed[]): string {
  const meant = rows.find((row) => row.platform_campaign_id === campaignId);
  if (meant !== undefined) return `${campaignId} is the ad platform's id: declare campaignId "${meant.id}" instead.`;
  const why = byId(rows, campaignId) === undefined ? "is not in the list" : "was removed, which is permanent";
  return `Campaign ${campaignId} of app ${appId} cannot be adopted: it ${why}. Check campaignId and appId.`;
}

/** The campaign as the list shows it; from then on its absence from the list is evidence. */
function seen(
  declared: State | Inputs,
  campaign: Known,
  kept: Partial<Confirmed> & Pick<State, "origin">,
  { service }: Deployment,
): Confirmed {
  return stateOf(declared, campaign, { ...kept, readBy: service.endpoints.mark("campaign.list") });
}

/** Pauses or resumes where the program says so; the rest of what changes in place is only remembered. */
async function settlePaused(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const { paused, deletionPolicy, timezone } = inputs;
  const settled = { ...state, paused, deletionPolicy, timezone };
  if (paused === undefined) return settled;
  // While it is not known what the campaign does, the next command reads before it sends.
  return keeping({ ...settled, paused: undefined }, kept(state, paused), async () => {
    const isNow = state.paused ?? (await pausedNow(state, deployment));
    if (isNow !== paused) await setPaused(state, paused, deployment);
    return settled;
  });
}

function kept({ campaignId }: Confirmed, paused: boolean): string {
  return paused
    ? `MONEY MAY BE MOVING: campaign ${campaignId} is declared as paused and may be running`
    : `Campaign ${campaignId} is kept`;
}

async function pausedNow(state: Confirmed, deployment: Deployment): Promise<boolean | undefined> {
  const listed = await listedNow(state, deployment);
  if (listed === undefined || isRemoved(listed))
    throw new Refusal(
      `Campaign ${state.campaignId} is not there any more: run \`pulumi refresh\`, then \`pulumi up\`.`,
    );
  return isPaused(listed);
}

/**
 * An advertising campaign of an app. **Launching it starts spending.**
 *
 * Launching and deleting are documented by the service; the list, pausing, resuming and launch readiness rest on assumed
 * paths, which `workspace-apps:endpoints` can change. It is launched exactly once: before every launch the list of
 * campaigns is read, a live campaign of the same name and values is taken as this one, and after an answer that leaves
 * the outcome open the list is watched and nothing is posted again. A campaign cannot be changed in place: every change
 * but that of `paused`, `deletionPolicy` and `timezone` deletes it and launches another. Destroy deletes a campaign that
 * this stack launched, for good, and retains an adopted one, unless `deletionPolicy` says otherwise.
 *
 * ```ts
 * const spring = new apps.AdCampaign("spring", {
 *     appId: "app-1",
 *     campaignName: "Spring sale",
 *     campaignType: "SMART",
 *     dailyBudgetMicros: 5_000_000,
 *     landingPage: "https://shop.example.com/",
 * });
 * export const campaignId = spring.campaignId;
 * ```
 */
export class AdCampaign extends ManagedResource {
  declare readonly appId: pulumi.Output<string>;
  declare readonly campaignName: pulumi.Output<string>;
  declare readonly campaignType: pulumi.Output<string>;
  declare readonly dailyBudgetMicros: pulumi.Output<number>;
  declare readonly landingPage: pulumi.Output<string>;
  declare readonly businessName: pulumi.Output<string | undefined>;
  declare readonly keywordThemes: pulumi.Output<string[] | undefined>;
  declare readonly searchThemes: pulumi.Output<string[] | undefined>;
  declare readonly geoTargets: pulumi.Output<string[] | undefined>;
  declare readonly logoUrl: pulumi.Output<string | undefined>;
  declare readonly phoneNumber: pulumi.Output<string | undefined>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly extraFields: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly paused: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;
  /** The service's id. Undefined while `launchState` is `unconfirmed`. */
  declare readonly campaignId: pulumi.Output<string | undefined>;
  /** The ad platform's own id. */
  declare readonly platformCampaignId: pulumi.Output<string | undefined>;
  /** The advertising account, as far as the launch told of it: unknown for an adopted campaign. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  declare readonly accountCurrencyCode: pulumi.Output<string | undefined>;
  declare readonly accountTimezone: pulumi.Output<string | undefined>;
  declare readonly platformCustomerId: pulumi.Output<string | undefined>;
  /** `unconfirmed`: the launch was sent and nobody knows yet what came of it. */
  declare readonly launchState: pulumi.Output<"confirmed" | "unconfirmed">;
  /** When an unconfirmed launch was sent. */
  declare readonly launchAttemptedAt: pulumi.Output<string | undefined>;
  declare readonly createdDate: pulumi.Output<string | undefined>;

  constructor(name: string, args: AdCampaignArgs, options?: pulumi.CustomResourceOptions) {
    const outputs = [...Object.keys(inputs.shape), ...addedByService];
    // Delete first, so that two never spend at once.
    super({ name: "AdCampaign", outputs, deleteBeforeReplace: true }, name, args, options);
  }
}

const addedByService = [
  "platformCampaignId",
  "accountId",
  "accountCurrencyCode",
  "accountTimezone",
  "platformCustomerId",
  "launchState",
  "launchAttemptedAt",
  "createdDate",
];
