import { z } from "zod";
import { identifier, oneOf } from "../../arguments";
import { isInterruption } from "../../service/clock";
import { knownFrom, ProviderError } from "../../service/errors";
import { checkBaseUrl } from "../../service/setting-names";
import type { Deployment } from "../shared/deployment";
import { heirMayBeSkipped } from "../shared/ownership";
import type { Lifecycle } from "../shared/lifecycle";
import { deletionPolicies, type DeletionPolicy } from "./campaign";
import { readCampaigns, unreadableList } from "./campaign-list";
import { keyIn, newKey } from "./identity";
import { credentialChanged, waysToForget } from "./messages";
import { type Identity, settle } from "./settle";

/*
 * Pulumi does not save a create that is interrupted. So a campaign that launches registers a launch intent before itself.
 * It holds the key by which every later command recognizes the campaign. If it is removed from the stack without a
 * campaign, it looks for one that a dead command launched.
 */

export interface Inputs {
  readonly appId: string;
  readonly deletionPolicy?: DeletionPolicy | undefined;
}

export interface State extends Inputs {
  /** The 7 hexadecimal digits that end the names of its campaigns, before a hash. */
  key: string;
  /** Every app that it has had. The last one is the app of now. */
  apps: string[];
  /** The credential and the list with which it was written. */
  readBy: string;
}

export const launchIntentLifecycle: Lifecycle<Inputs, State> = {
  kind: "LaunchIntent",
  purpose: "Identifies the campaign of a launch",
  inputs: z.strictObject({ appId: identifier(), deletionPolicy: oneOf(deletionPolicies).optional() }),
  outputs: ["key", "apps"],
  replacedBy: [],
  requiredOperations: () => [{ operation: "campaign.list" }],
  objectName: ({ key }) => `launch intent ${key}`,
  idOf: ({ key }) => key,

  beforeKeep: (state, inputs, deployment) => {
    requireIntentOfThisService(state, deployment);
    remember(updated(state, inputs), deployment);
  },

  /** Without a readable list there is no intent, and so no launch. */
  async create(inputs, deployment) {
    const { launches, service } = deployment;
    const rows = await readCampaigns(inputs.appId, deployment, "recent").catch((error: unknown) => {
      const { known, next } = unreadableList(error, deployment);
      throw new ProviderError({ what: `No campaign of app ${inputs.appId} is launched.`, known, next });
    });
    let key = newKey();
    while (rows.some((row) => keyIn(row.campaign_name) === key)) key = newKey();
    const state = { ...inputs, key, apps: [inputs.appId], readBy: service.endpoints.evidence("campaign.list") };
    launches.written.add(key);
    remember(state, deployment);
    return state;
  },
  read: (state) => Promise.resolve(state),
  update: (state, inputs, deployment) => {
    const next = updated(state, inputs);
    remember(next, deployment);
    return Promise.resolve(next);
  },

  async delete(state, deployment) {
    const { key, deletionPolicy: policy = "delete", apps, readBy } = state;
    if (deployment.launches.settled.has(key)) return;
    requireIntentOfThisService(state, deployment);
    requireNoSkippedHeir(state, deployment);
    await removeOrphans({ key, apps, policy, readBy }, deployment);
  },
};

/** Deletes or pauses, by the policy, every campaign that a dead command may have launched under the key. */
async function removeOrphans(identity: Identity, deployment: Deployment): Promise<void> {
  const { settings, clock, log } = deployment;
  const { key, apps } = identity;
  const settled = await settle(
    {
      command: "remove",
      identity,
      milliseconds: settings.launchSettleSeconds * 1000,
      why: `The launch intent ${key} of ${appList(apps)} is removed from the stack, and no campaign of its key is in the state.`,
    },
    deployment,
  ).catch((error: unknown) => {
    if (!isInterruption(clock, error)) throw error;
    throw new ProviderError({
      what: `${mayBeLive(apps)} The search for it was interrupted.`,
      known: knownFrom(error),
      next: ["Run the same command again.", ...waysToForget()],
    });
  });
  if (settled.do === "done") {
    const ids = settled.left.map(({ row }) => row.id).join(", ");
    if (ids !== "") log(`Campaigns launched by this resource go on, by the deletionPolicy "retain": ${ids}.`);
    return;
  }
  if (settled.do !== "fail") throw new Error(`internal error: an intent is removed, and the decision is ${settled.do}`);
  const { unreadable } = settled;
  throw new ProviderError(
    unreadable === undefined
      ? {
          what: `${mayBeLive(apps)} The list does not show it.`,
          known: credentialChanged.known,
          next: [...credentialChanged.next, ...waysToForget()],
        }
      : {
          what: `${mayBeLive(apps)} The campaign list cannot be read.`,
          known: unreadable.known ?? [],
          next: [...(unreadable.next ?? []), "Then run the same command again.", ...waysToForget()],
        },
  );
}

function mayBeLive(apps: readonly string[]): string {
  return `MONEY MAY BE MOVING: an earlier command may have launched a campaign of ${appList(apps)}.`;
}

function appList(apps: readonly string[]): string {
  return `${apps.length === 1 ? "app" : "apps"} ${apps.join(", ")}`;
}

function requireIntentOfThisService({ apps, readBy }: State, { service }: Deployment): void {
  if (service.endpoints.isOfThisService(readBy)) return;
  throw new ProviderError({
    what: `The launch intent of ${appList(apps)} was written for another base URL. No request was sent.`,
    next: [checkBaseUrl, ...waysToForget()],
  });
}

/** A resource that was skipped in this command might adopt the campaign. */
function requireNoSkippedHeir({ apps, deletionPolicy }: State, { failure }: Deployment): void {
  if (deletionPolicy === "retain" || !failure.isSeen) return;
  throw new ProviderError({
    what: `${mayBeLive(apps)} Nothing was deleted or paused: ${heirMayBeSkipped}.`,
    next: ["Fix the failure, and run the same command again.", ...waysToForget()],
  });
}

/** It keeps its key, and remembers every app. */
function updated(state: State, { appId, deletionPolicy }: Inputs): State {
  return { ...state, appId, deletionPolicy, apps: [...state.apps.filter((app) => app !== appId), appId] };
}

function remember({ key, apps, deletionPolicy, readBy }: State, { launches }: Deployment): void {
  launches.intents.set(key, { apps, deletionPolicy, readBy });
}
