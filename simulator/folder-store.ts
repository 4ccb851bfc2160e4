import { isoTime } from "./times";
import type { Folder, FolderObjects, SimulatorOptions } from "./types";

interface FolderItem {
  app_id: string;
  added_date: string;
}

export interface FolderStore {
  objects: FolderObjects;
  /** Undefined when there is none. */
  folder: (folderId: string) => Folder | undefined;
  items: (folderId: string) => FolderItem[];
  all: () => Record<string, string[]>;
}

/** Folders and the apps in them. */
export function openFolderStore({ folders = "any" }: SimulatorOptions, now: () => number): FolderStore {
  const known = new Map(folders === "any" ? [] : folders.map((folder) => [folder.id, folder]));
  const gone = new Set<string>();
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
        gone.delete(folder.id);
        known.set(folder.id, folder);
      },

      removeFolder: (folderId) => {
        known.delete(folderId);
        itemsOf.delete(folderId);
        gone.add(folderId);
      },
    },

    folder: (folderId) => {
      if (gone.has(folderId)) return undefined;
      return known.get(folderId) ?? (folders === "any" ? { id: folderId } : undefined);
    },

    items,

    all: () => {
      const ids = new Set([...known.keys(), ...itemsOf.keys()]);
      return Object.fromEntries([...ids].map((id) => [id, folderItems(id)]));
    },
  };
}
