import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Deployment, Lifecycle } from "../engine/lifecycle";
import { type Kind, registration } from "../engine/resource";
import { briefTraces } from "../engine/traces";
import type { Service } from "../service/client";
import { isAbsent, Refusal, type ServiceError } from "../service/errors";
import { pagesOf } from "../service/lists";
import { flag, identifier, oneOf } from "../arguments";
import { keeping, provesAbsence } from "./evidence";
import { claim, type Origin, policyOf } from "./ownership";

/** Which app in which folder. */
export interface FolderMembershipArgs {
  /** The folder. A change replaces the membership. */
  folderId: pulumi.Input<string>;
  /** The app in it. A change replaces the membership. */
  appId: pulumi.Input<string>;
  /**
   * Take over a membership that exists, instead of adding the app; fails when the app is not in the folder.
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /**
   * What destroy does: `delete` takes the app out of the folder (it stays in the workspace), `retain` leaves it there.
   * @default `delete` for a membership that this stack created, `retain` for an adopted one
   */
  deletionPolicy?: pulumi.Input<"delete" | "retain">;
}

const inputs = z.strictObject({
  folderId: identifier(),
  appId: identifier(),
  adopt: flag().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof inputs>;

interface State extends Inputs {
  origin?: Origin | undefined;
  /** The list in which this membership has been seen, which makes its absence from it evidence. */
  readBy?: string | undefined;
}

type At = Pick<Inputs, "folderId" | "appId">;

export const folderMembershipLifecycle: Lifecycle<Inputs, State> = {
  inputs,
  declares: [{ properties: ["appId", "folderId"], object: claimOf }],
  replacedBy: ["folderId", "appId"],
  same: {
    // Only creation asks for it.
    adopt: () => true,
  },
  creatingNeeds: ({ adopt }) =>
    adopt === true
      ? [{ operation: "folderItem.list", instead: "Adopting a membership needs to see it in the folder's list." }]
      : [{ operation: "folderItem.add", instead: "Without it no app can be added to a folder." }],
  claimOf,
  idOf: ({ folderId, appId }) => `${folderId}/${appId}`,
  inputsOf: ({ folderId, appId, adopt, deletionPolicy }) => ({ folderId, appId, adopt, deletionPolicy }),

  async create(inputs, deployment) {
    claim(deployment, claimOf(inputs));
    return inputs.adopt === true ? adopt(inputs, deployment.service) : add(inputs, deployment);
  },

  async read(state, { service }) {
    try {
      if (await isListed(state, service)) return { ...state, readBy: service.endpoints.mark("folderItem.list") };
    } catch (error) {
      if (provesAbsence(error, service, state.readBy)) return undefined;
      throw error;
    }
    if (state.readBy === service.endpoints.mark("folderItem.list")) return undefined;
    throw new Refusal(neverListed(state, service));
  },

  // Everything else replaces: what changes in place is only what this package remembers.
  update: (state, { adopt, deletionPolicy }, deployment) => seen({ ...state, adopt, deletionPolicy }, deployment),

  async delete(state, deployment) {
    if (policyOf(state) === "delete") await remove(state, deployment);
  },
};

async function add(inputs: Inputs, deployment: Deployment): Promise<State> {
  const { folderId, appId } = inputs;
  const { service } = deployment;
  try {
    await service.call("folderItem.add", { parameters: { folder_id: folderId }, body: { app_id: appId } });
  } catch (error) {
    if (!isAbsent(error) || error.code !== "folder_not_found" || !(await isVisible(folderId, service))) throw error;
    throw outOfReach(inputs, error);
  }
  const added: State = { ...inputs };
  return keeping(added, `App ${appId} was added to folder ${folderId}`, () => seen(added, deployment));
}

/** Looks once for the membership in the folder's list, so that its later absence is evidence. */
async function seen(state: State, { service, say }: Deployment): Promise<State> {
  if (state.readBy !== undefined || !service.can("folderItem.list")) return state;
  try {
    if (await isListed(state, service)) return { ...state, readBy: service.endpoints.mark("folderItem.list") };
    say(neverListed(state, service));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    say(`App ${state.appId} was added to folder ${state.folderId}, but cannot be refreshed: ${error.message}`);
  }
  return state;
}

async function adopt(inputs: Inputs, service: Service): Promise<State> {
  const { folderId, appId } = inputs;
  if (!(await isListed(inputs, service)))
    throw new Refusal(`App ${appId} is not in folder ${folderId}: leave adopt out to add it.`);
  return { ...inputs, origin: "adopted", readBy: service.endpoints.mark("folderItem.list") };
}

async function isListed({ folderId, appId }: At, service: Service): Promise<boolean> {
  for await (const items of pagesOf(service, "folderItem.list", { folder_id: folderId }))
    if (items.some((item) => item.app_id === appId)) return true;
  return false;
}

async function remove(state: State, { service, say }: Deployment): Promise<void> {
  const { folderId, appId } = state;
  try {
    await service.call("folderItem.remove", { parameters: { folder_id: folderId, app_id: appId } });
  } catch (error) {
    if (!provesAbsence(error, service, state.readBy)) throw error;
    if (await isVisible(folderId, service)) throw outOfReach(state, error);
    say(
      `Folder ${folderId} is gone, or not visible to this token; app ${appId} counts as removed from it. If the token has changed since it was added, look whether it is still there.`,
    );
  }
}

function outOfReach({ folderId, appId }: At, { message }: ServiceError): Refusal {
  return new Refusal(
    `Folder ${folderId} is there, so it is app ${appId} that this token does not reach: use one that is not limited to other apps. ${message}`,
  );
}

/** `folder_not_found` stands for a folder that is gone and for an app outside the token's scope: the list tells which. */
async function isVisible(folderId: string, service: Service): Promise<boolean> {
  if (!service.can("folderItem.list")) return false;
  try {
    await service.call("folderItem.list", { parameters: { folder_id: folderId } });
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function neverListed({ folderId, appId }: At, service: Service): string {
  return `App ${appId} was added to folder ${folderId}, but its list does not show it and never has, which proves nothing. ${service.endpoints.doubt("folderItem.list") ?? ""}`;
}

function claimOf({ folderId, appId }: At): string {
  return `membership of app ${appId} in folder ${folderId}`;
}

const kind: Kind = { name: "FolderMembership", outputs: Object.keys(inputs.shape) };

/**
 * An app's place in a folder.
 *
 * Removing is documented by the service; adding and listing rest on assumed paths, which `workspace-apps:endpoints` can
 * change. A change of `folderId` or `appId` replaces the membership. Destroy takes the app out of the
 * folder; the app itself stays in the workspace.
 *
 * ```ts
 * new apps.FolderMembership("shop-in-team", { folderId: "folder-1", appId: "app-1" });
 * ```
 */
export class FolderMembership extends pulumi.CustomResource {
  declare readonly folderId: pulumi.Output<string>;
  declare readonly appId: pulumi.Output<string>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly deletionPolicy: pulumi.Output<string | undefined>;

  constructor(name: string, args: FolderMembershipArgs, options?: pulumi.CustomResourceOptions) {
    using traces = briefTraces();
    try {
      super(...registration(kind, name, args, options));
    } catch (error) {
      throw traces.extended(error);
    }
  }
}
