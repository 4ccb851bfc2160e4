import * as pulumi from "@pulumi/pulumi";
import type { Deployment, Lifecycle } from "../engine/lifecycle";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import { adopt } from "./campaign/adoption";
import { assertSeen, remove, stop } from "./campaign/changes";
import { byId, isRemoved, sameValue } from "./campaign/listing";
import { settlePaused } from "./campaign/pausing";
import { campaignsOf } from "./campaign/reads";
import {
  claimOf,
  type Confirmed,
  declaredIn,
  type Inputs,
  inputs,
  isConfirmed,
  isPerformanceMax,
  seen,
  type State,
} from "./campaign/state";
import { launch, review, search, seenOnce } from "./campaign/taking";
import { policyOf } from "./ownership";

/** What to launch, or which campaign to adopt. */
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
  mustStay: (state, { appId, campaignId, campaignName }) => {
    if (policyOf(state) === "retain")
      return 'Its deletionPolicy is "retain", so it would go on spending beside the new one. Take the change back; or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';
    const keepsName = appId === state.appId && sameValue("campaignName", state.campaignName, campaignName);
    if (policyOf(state) === "pause" && keepsName)
      return 'Its deletionPolicy is "pause", so it would stay in the list under the same name, and could be taken for the new one. Give the new one another campaignName; or set deletionPolicy to "delete", run `pulumi up`, and then make the change.';
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
  isUnfinished: (state) => !isConfirmed(state) || state.twins !== undefined,
  claimOf,
  idOf: (state) => state.campaignId ?? `unconfirmed ${state.campaignName}`,
  inputsOf: (state) =>
    state.origin === "adopted" ? { ...declaredIn(state), campaignId: state.campaignId } : declaredIn(state),

  create: async (inputs, deployment) => settlePaused(await begin(inputs, deployment), inputs, deployment),

  async read(state, deployment) {
    if (!isConfirmed(state)) return review(state, deployment);
    const campaign = byId(await campaignsOf(state.appId, deployment, "recent"), state.campaignId);
    if (campaign === undefined) assertSeen(state, deployment);
    // Removed ones stay in the list.
    if (campaign === undefined || isRemoved(campaign)) return undefined;
    const read = seen(state, campaign, state, deployment.service);
    return { ...read, paused: read.paused ?? state.paused };
  },

  async update(state, inputs, deployment) {
    return settlePaused(await current(state, inputs, deployment), inputs, deployment);
  },

  delete: (state, deployment, livesOn) =>
    inTurn(state, deployment, async () => {
      const campaign = isConfirmed(state) ? state : await search(state, deployment);
      // Asked once more: while this waited for its turn, another resource may have taken the campaign over.
      if (campaign !== undefined && !livesOn(claimOf(campaign))) await end(campaign, deployment);
    }),
};

/** The declared campaign: adopted by its id, or launched, which an earlier command may have tried. */
function begin(inputs: Inputs, deployment: Deployment, earlier?: State): Promise<Confirmed> {
  return inputs.campaignId === undefined
    ? inTurn(inputs, deployment, () => launch(inputs, deployment, earlier))
    : inTurn(inputs, deployment, () => adopt(inputs, inputs.campaignId ?? "", deployment));
}

/** The campaign that an `up` goes on with. */
function current(state: State, inputs: Inputs, deployment: Deployment): Promise<Confirmed> | Confirmed {
  if (!isConfirmed(state)) return begin(inputs, deployment, state);
  return state.twins === undefined ? state : seenOnce(state, deployment);
}

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
      deployment.say(
        `Campaign ${campaign.campaignId} is retained: it leaves the stack and ${campaign.paused === true ? "stays paused" : "goes on spending"}.`,
      );
      return;
    case "pause":
      return stop(campaign, deployment);
    case "delete":
      return remove(campaign, deployment);
  }
}

const kind: Kind = {
  name: "AdCampaign",
  outputs: [
    ...Object.keys(inputs.shape),
    "platformCampaignId",
    "accountId",
    "accountCurrencyCode",
    "accountTimezone",
    "platformCustomerId",
    "launchState",
    "launchAttemptedAt",
    "createdDate",
  ],
  // So that two never spend at once.
  deleteBeforeReplace: true,
};

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
export class AdCampaign extends pulumi.CustomResource {
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
  /** The currency of all its amounts, with the same limits. */
  declare readonly accountCurrencyCode: pulumi.Output<string | undefined>;
  /** In which the account counts its days. */
  declare readonly accountTimezone: pulumi.Output<string | undefined>;
  /** The ad platform's id of the account. */
  declare readonly platformCustomerId: pulumi.Output<string | undefined>;
  /** `unconfirmed`: the launch was sent and nobody knows yet what came of it. */
  declare readonly launchState: pulumi.Output<"confirmed" | "unconfirmed">;
  /** When an unconfirmed launch was sent. */
  declare readonly launchAttemptedAt: pulumi.Output<string | undefined>;
  /** When the service created it, ISO 8601. */
  declare readonly createdDate: pulumi.Output<string | undefined>;

  constructor(name: string, args: AdCampaignArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
