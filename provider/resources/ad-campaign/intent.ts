import { z } from "zod";
import { identifier, oneOf } from "../../arguments";
import { isInterruption } from "../../service/clock";
import { knownFrom, ProviderError } from "../../service/errors";
import type { Deployment } from "../shared/deployment";
import type { Lifecycle } from "../shared/lifecycle";
import { deletionPolicies, type DeletionPolicy } from "./campaign";
import { readCampaigns, unreadableList } from "./campaign-list";
import { keyIn, newKey } from "./campaign-name";
import { appList, credentialChanged, idsOf, mayBeLive, notListed, severalCredentials } from "./messages";
import { search } from "./search";

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
  /** The credential and the list with which it was written. Neither, once several may have launched under it. */
  readBy: string;
}

export const launchIntentLifecycle: Lifecycle<Inputs, State> = {
  kind: "LaunchIntent",
  keepsOwnReadBy: true,
  purpose: "Identifies the campaign of a launch",
  inputs: z.strictObject({ appId: identifier(), deletionPolicy: oneOf(deletionPolicies).optional() }),
  outputs: ["key", "apps"],
  replacedBy: [],
  requiredOperations: () => [{ operation: "campaign.list" }],
  // The check of its campaign waits for the intent. Conversion tracking may be compared before that.
  checkInCommand: ({ appId }, { isKnown }, { launches }) => {
    if (isKnown("appId")) launches.apps.add(appId);
    return [];
  },
  // The change of the credential is saved before the campaign is launched with it.
  hasMoreToDo: (state, deployment) => deployment !== undefined && readByNow(state, deployment) !== state.readBy,
  objectName: ({ key }) => `launch intent ${key}`,
  idOf: ({ key }) => key,

  // No argument replaces an intent.
  planned: (state, inputs, _isReplaced, deployment) => {
    rememberIntent(updated(state, inputs, deployment), deployment);
  },

  /** Without a readable list there is no intent, and so no launch. */
  async create(inputs, deployment) {
    const { launches, service } = deployment;
    const rows = await readCampaigns(inputs.appId, deployment, "recent").catch((error: unknown) => {
      const { known, next } = unreadableList(error, deployment);
      throw new ProviderError({ code: "WA1223", what: `Nothing was launched for app ${inputs.appId}.`, known, next });
    });
    let key = newKey();
    while (rows.some((row) => keyIn(row.campaign_name) === key)) key = newKey();
    const state = { ...inputs, key, apps: [inputs.appId], readBy: service.endpoints.readBy("campaign.list") };
    rememberIntent(state, deployment);
    launches.of(key).history = "new";
    return state;
  },

  /** A list that shows a campaign of the key is one that shows its launches. */
  async read(state, deployment) {
    const { endpoints } = deployment.service;
    if (endpoints.isEvidence("campaign.list", state.readBy)) return state;
    const lists = await Promise.all(
      state.apps.map((appId) => readCampaigns(appId, deployment, "recent").catch(() => [])),
    );
    const isShown = lists.flat().some((row) => keyIn(row.campaign_name) === state.key);
    return isShown ? { ...state, readBy: endpoints.readBy("campaign.list") } : state;
  },
  update: (state, inputs, deployment) => {
    const next = updated(state, inputs, deployment);
    rememberIntent(next, deployment);
    return Promise.resolve(next);
  },

  async delete(state, deployment) {
    const { key } = state;
    const { history } = deployment.launches.of(key);
    if (history === "kept" || history === "freed") return;
    deployment.evidence.requireSameBaseUrl(undefined);
    await removeCampaigns(state, deployment);
  },
};

/** Deletes or pauses, by the policy, every campaign that a dead command may have launched under the key. */
async function removeCampaigns(state: State, deployment: Deployment): Promise<void> {
  const { clock, log } = deployment;
  const { key, apps, deletionPolicy: policy = "delete", readBy } = state;
  const why = `The launch intent ${key} of ${appList(apps)} is being removed from the stack, and this command has seen no campaign of its key.`;
  const launchKey = { key, apps, policy, readBy };
  const outcome = await search({ purpose: "remove", launchKey, why }, deployment).catch((error: unknown) => {
    if (!isInterruption(clock, error)) throw error;
    throw mayBeLive(apps, "The search for it was interrupted.", { known: knownFrom(error) });
  });
  if (outcome.do === "fail") {
    if (outcome.unreadable !== undefined)
      throw mayBeLive(apps, "The campaign list cannot be read.", outcome.unreadable);
    const isOfSeveral = deployment.service.endpoints.isOfSeveralCredentials(readBy);
    throw mayBeLive(apps, notListed, isOfSeveral ? severalCredentials : credentialChanged);
  }
  if (outcome.left.length > 0)
    log(`Campaigns launched by this resource go on, by the deletionPolicy "retain": ${idsOf(outcome.left)}.`);
}

/** It keeps its key, and remembers every app. */
function updated(state: State, { appId, deletionPolicy }: Inputs, deployment: Deployment): State {
  const apps = [...state.apps.filter((app) => app !== appId), appId];
  return { ...state, appId, deletionPolicy, apps, readBy: readByNow(state, deployment) };
}

/** A launch of this command may be out of reach of the earlier credential, and the other way round. */
function readByNow({ readBy }: State, { service }: Deployment): string {
  const { endpoints } = service;
  return endpoints.isEvidence("campaign.list", readBy) ? readBy : endpoints.ofSeveralCredentials(readBy);
}

function rememberIntent({ key, apps, deletionPolicy, readBy }: State, { launches }: Deployment): void {
  launches.of(key).intent = { apps, deletionPolicy, readBy };
}
