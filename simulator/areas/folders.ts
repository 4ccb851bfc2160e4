import { z } from "zod";
import type { Area } from "../area";
import { id, route } from "../control/route";
import type { Caller } from "../credentials";
import { byName, listBy } from "../exported";
import type { Handlers } from "../handler";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { AllObjects, Folder, FolderObjects, SimulatorOptions } from "../types";
import { validated } from "../validation";

interface FolderItem {
  app_id: string;
  added_date: string;
}

interface FolderStore {
  objects: FolderObjects;
  /** Undefined if it does not exist. */
  folder: (folderId: string) => Folder | undefined;
  items: (folderId: string) => FolderItem[];
  snapshot: () => { folders: Record<string, string[]> };
  /** A folder that exists keeps its owner. Every item counts as just added. */
  restore: (objects: AllObjects) => void;
}

function openStore({ folders = "any" }: SimulatorOptions, now: () => number): FolderStore {
  const known = new Map(folders === "any" ? [] : folders.map((folder) => [folder.id, folder]));
  const removed = new Set<string>();
  const itemsOf = new Map<string, Map<string, FolderItem>>();

  const items = (folderId: string) => [...(itemsOf.get(folderId)?.values() ?? [])];
  const folderItems = (folderId: string) => items(folderId).map((item) => item.app_id);

  return {
    objects: {
      folderItems,
      addFolderItem: (folderId, appId) => {
        const present = itemsOf.get(folderId) ?? new Map<string, FolderItem>();
        itemsOf.set(folderId, present);
        if (!present.has(appId)) present.set(appId, { app_id: appId, added_date: isoTime(now()) });
      },
      removeFolderItem: (folderId, appId) => itemsOf.get(folderId)?.delete(appId) ?? false,
      putFolder: (folder) => {
        removed.delete(folder.id);
        known.set(folder.id, folder);
      },
      removeFolder: (folderId) => {
        known.delete(folderId);
        itemsOf.delete(folderId);
        removed.add(folderId);
      },
    },
    folder: (folderId) => {
      if (removed.has(folderId)) return undefined;
      return known.get(folderId) ?? (folders === "any" ? { id: folderId } : undefined);
    },
    items,
    snapshot: () => {
      const ids = new Set([...known.keys(), ...itemsOf.keys()]);
      return { folders: Object.fromEntries([...ids].map((folderId) => [folderId, folderItems(folderId)])) };
    },
    restore: ({ folders: given }) => {
      for (const folderId of known.keys()) if (!Object.hasOwn(given, folderId)) known.delete(folderId);
      itemsOf.clear();
      for (const [folderId, apps] of Object.entries(given)) {
        removed.delete(folderId);
        if (folders !== "any" && !known.has(folderId)) known.set(folderId, { id: folderId });
        const added_date = isoTime(now());
        itemsOf.set(folderId, new Map(apps.map((app_id) => [app_id, { app_id, added_date }])));
      }
    },
  };
}

const addition = z.object({ app_id: z.string().min(1) });

function handlersOf(store: FolderStore): Handlers {
  return {
    "folderItem.add": ({ parameters: { folder_id }, caller, body }) => {
      const { app_id } = validated(addition, body);
      checkChange(store, folder_id, app_id, caller);
      store.objects.addFolderItem(folder_id, app_id);
      return { folder_id, app_id };
    },

    "folderItem.list": ({ parameters: { folder_id }, caller, isListed }) => {
      visibleFolder(store, folder_id, caller);
      const listed = store.items(folder_id).filter((item) => isListed(item.added_date) && caller.reaches(item.app_id));
      return { items: listed.map((item) => ({ ...item, added_date: readBack(item.added_date) })) };
    },

    "folderItem.remove": ({ parameters: { folder_id, app_id }, caller }) => {
      checkChange(store, folder_id, app_id, caller);
      // "Removing an app not in the folder succeeds with no change."
      store.objects.removeFolderItem(folder_id, app_id);
      return { unlinked: true, folder_id, app_id };
    },
  };
}

function checkChange(store: FolderStore, folderId: string, appId: string, caller: Caller): void {
  const { owner } = visibleFolder(store, folderId, caller);
  if (!caller.reaches(appId)) throw folderNotFound("There is no such app in this token's reach.");
  // "Personal folders belong to their owner; workspace folders can be changed by any editor or higher".
  // The specification does not show the status of the refusal.
  if (owner === undefined && !caller.edits)
    throw refusal(403, "not_an_editor", "Only an editor or higher can change a workspace folder.");
}

function visibleFolder(store: FolderStore, folderId: string, caller: Caller) {
  const folder = store.folder(folderId);
  if (folder === undefined || (folder.owner !== undefined && folder.owner !== caller.user))
    throw folderNotFound("There is no such folder.");
  return folder;
}

function folderNotFound(message: string) {
  return refusal(404, "folder_not_found", message);
}

const folderShape: z.ZodType<Folder> = z.strictObject({ id, owner: id.exactOptional() });
const ofFolder = z.strictObject({ folderId: id });
const ofFolderItem = ofFolder.extend({ appId: id });

export const folders = {
  open: ({ options, now }) => {
    const store = openStore(options, now);
    const { objects, snapshot, restore } = store;
    return { objects, handlers: handlersOf(store), snapshot, restore };
  },
  exported: { folders: byName(listBy((appId: string) => appId, id)) },
  controlRoutes: [
    route({
      endpoint: "PUT objects/folders",
      description:
        "Adds a folder, or changes its owner. Without `owner`, it belongs to the workspace. The default credentials belong to `user`.",
      input: folderShape,
      examples: [{ id: "f", owner: "user" }],
      handle: ({ objects }, folder) => {
        objects.putFolder(folder);
      },
    }),
    route({
      endpoint: "DELETE objects/folders",
      description: "Removes a folder and its items.",
      input: ofFolder,
      examples: [{ folderId: "f" }],
      handle: ({ objects }, { folderId }) => {
        objects.removeFolder(folderId);
      },
    }),
    route({
      endpoint: "PUT objects/folder-items",
      description: "Adds an app to a folder.",
      input: ofFolderItem,
      examples: [{ folderId: "f", appId: "a" }],
      handle: ({ objects }, { folderId, appId }) => {
        objects.addFolderItem(folderId, appId);
      },
    }),
    route({
      endpoint: "DELETE objects/folder-items",
      description: "Removes an app from a folder.",
      input: ofFolderItem,
      examples: [{ folderId: "f", appId: "a" }],
      handle: ({ objects }, { folderId, appId }) => ({ removed: objects.removeFolderItem(folderId, appId) }),
    }),
  ],
} satisfies Area;
