import { z } from "zod";
import type { Caller } from "./credentials";
import type { FolderStore } from "./folder-store";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import { readBack } from "./times";
import { validated } from "./validation";

const addition = z.object({ app_id: z.string().min(1) });

export function folderHandlers(store: FolderStore): Handlers {
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
  // "Personal folders belong to their owner; workspace folders can be changed by any editor or higher." The status of
  // the refusal is not shown.
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
