import { z } from "zod";
import { flag, identifier, oneOf } from "../../arguments";
import type { ServiceClient } from "../../service/client";
import { formatReport, isAbsent, knownFrom, nextFrom, ProviderError, type ServiceError } from "../../service/errors";
import { pagesOf } from "../../service/lists";
import type { Deployment, Step } from "../shared/deployment";
import { cannotRead } from "../shared/evidence";
import { importing } from "../shared/importing";
import type { Lifecycle } from "../shared/lifecycle";
import { claimWhile, deletionPolicyOf, type Origin } from "../shared/ownership";
import { removeFromStack } from "../shared/state-delete";
import { savingOnFailure } from "../shared/partial-failure";

const schema = z.strictObject({
  folderId: identifier(),
  appId: identifier(),
  adopt: flag().optional(),
  deletionPolicy: oneOf(["delete", "retain"]).optional(),
});

type Inputs = z.output<typeof schema>;

interface State extends Inputs {
  origin?: Origin | undefined;
}

type Address = Pick<Inputs, "folderId" | "appId">;

export const folderMembershipLifecycle: Lifecycle<Inputs, State> = {
  kind: "FolderMembership",
  purpose: "Puts an app in a folder",
  inputs: schema,
  outputs: [],
  declares: [{ properties: ["appId", "folderId"], object: objectName }],
  adoptedBy: "adopt",
  importing: importing(schema, {
    id: ["folderId", "appId"],
    objectName,
    read: async (address, step) => ({
      state: await adopt({ ...address, adopt: true }, step, "Check folderId and appId."),
    }),
  }),
  replacedBy: ["folderId", "appId"],
  requiredOperations: ({ adopt }) =>
    adopt === true
      ? [{ operation: "folderItem.list", instead: "Or leave adopt out, and the app is added." }]
      : [{ operation: "folderItem.add", instead: "Or adopt a membership that exists, with adopt: true." }],
  objectName,
  idOf: ({ folderId, appId }) => `${folderId}/${appId}`,

  create: (inputs, step) =>
    claimWhile(step, objectName(inputs), () => (inputs.adopt === true ? adopt(inputs, step) : add(inputs, step))),

  async read(state, step) {
    const { evidence } = step;
    const isListed = await evidence.readUnlessGone(() => isInFolder(state, step));
    if (isListed === undefined) return undefined;
    if (!isListed) {
      evidence.requireListedBefore("folderItem.list");
      return undefined;
    }
    evidence.shownBy("folderItem.list");
    return state;
  },

  // Everything else replaces: what changes in place is only what this package remembers.
  update: (state, { adopt, deletionPolicy }, step) => confirmListed({ ...state, adopt, deletionPolicy }, step),

  async delete(state, step) {
    if (deletionPolicyOf(state) === "delete") return remove(state, step);
    const { folderId, appId } = state;
    step.log(`App ${appId} stays in folder ${folderId}: it is removed from the stack, not from the service.`);
  },
};

async function add(inputs: Inputs, step: Step): Promise<State> {
  const { folderId, appId } = inputs;
  const { service } = step;
  try {
    await service.call("folderItem.add", { parameters: { folder_id: folderId }, body: { app_id: appId } });
  } catch (error) {
    if (!isAbsent(error) || error.serviceCode !== "folder_not_found" || !(await isVisible(folderId, service)))
      throw error;
    throw outOfReach(inputs, error);
  }
  step.evidence.shownBy("folderItem.add");
  return savingOnFailure(inputs, `App ${appId} was added to folder ${folderId}`, () => confirmListed(inputs, step));
}

/** Looks once for the membership in the folder's list, so that its later absence is evidence. */
async function confirmListed(state: State, step: Step): Promise<State> {
  const { service, evidence, log } = step;
  if (evidence.isKnownBy("folderItem.list") || !service.can("folderItem.list")) return state;
  try {
    if (await isInFolder(state, step)) evidence.shownBy("folderItem.list");
    else
      log(
        formatReport({
          code: "WA1408",
          what: `The list of folder ${state.folderId} does not show app ${state.appId}, so a refresh cannot notice its removal.`,
          ...service.endpoints.doubt("folderItem.list"),
        }),
      );
  } catch (error) {
    if (!isAbsent(error)) throw error;
    log(cannotRead(objectName(state), error));
  }
  return state;
}

async function adopt(inputs: Inputs, step: Step, ifAbsent = "Leave adopt out to add it."): Promise<State> {
  const { folderId, appId } = inputs;
  if (!(await isInFolder(inputs, step)))
    throw new ProviderError({
      code: "WA1301",
      what: `App ${appId} is not in folder ${folderId}, so there is nothing to adopt.`,
      next: [ifAbsent],
    });
  step.evidence.shownBy("folderItem.list");
  return { ...inputs, origin: "adopted" };
}

/** Whether the folder's list shows the app. Many memberships share one list. */
async function isInFolder(address: Address, { service }: Deployment): Promise<boolean> {
  const { folderId, appId } = address;
  const parameters = { folder_id: folderId };
  const { row, isComplete, failure } = await service.findInList("folderItem.list", parameters, appId, {
    // Alone, it would be read by the same list.
    minReads: 1,
    isBounded: false,
    pages: (reader) => pagesOf(reader, "folderItem.list", parameters),
    idOf: (item) => item.app_id,
  });
  if (row === undefined && !isComplete) throw failure;
  return row !== undefined;
}

/**
 * A 404 of the removal stands for a folder that is gone, for another user's folder and for an app outside the token's
 * reach. The folder's list decides, where it has shown this membership before.
 */
async function remove(state: State, step: Step): Promise<void> {
  const { service, evidence, log } = step;
  const { folderId, appId } = state;
  await evidence.requireShown("folderItem.remove", () => isInFolder(state, step));
  try {
    await service.call("folderItem.remove", { parameters: { folder_id: folderId, app_id: appId } });
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await requireFolderGone(state, error, step);
    log(`Folder ${folderId} is gone, and app ${appId} with it.`);
  }
}

async function requireFolderGone(state: State, removal: ServiceError, { service, evidence }: Step): Promise<void> {
  try {
    await service.call("folderItem.list", { parameters: { folder_id: state.folderId } });
  } catch (error) {
    if (evidence.provesAbsence(error)) return;
    throw new ProviderError({
      code: "WA1407",
      what: `The ${objectName(state)} may still exist: the response to its removal does not prove that the folder is gone.`,
      known: [...knownFrom(removal), "The folder's list, which would tell, cannot be read:", ...knownFrom(error)],
      next: [...nextFrom(removal), ...nextFrom(error), removeFromStack("If the folder was deleted")],
    });
  }
  throw outOfReach(state, removal);
}

function outOfReach({ folderId, appId }: Address, error: ServiceError): ProviderError {
  return new ProviderError({
    code: "WA1406",
    what: `Folder ${folderId} exists, but this token does not reach app ${appId}.`,
    known: knownFrom(error),
    next: ["Use a token that is not limited to other apps."],
  });
}

/** Whether the folder is there for this token, where adding an app was answered with `folder_not_found`. */
async function isVisible(folderId: string, service: ServiceClient): Promise<boolean> {
  if (!service.can("folderItem.list")) return false;
  try {
    await service.call("folderItem.list", { parameters: { folder_id: folderId } });
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function objectName({ folderId, appId }: Address): string {
  return `membership of app ${appId} in folder ${folderId}`;
}
