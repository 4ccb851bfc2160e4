import type { Values } from "../hidden";
import { type Phrase, say, shown } from "../phrase";
import type { Kind } from "./kind";

export const folderMembership: Kind = {
  identifiedBy: [["appId", "folderId"]],
  adoptedBy: "adopt",
  object,
  // Taking an app out of a folder is undone by putting it back.
  ended: ({ before }, policy) =>
    policy === "retain" ? { category: "left-behind", text: say`${object(before)} stays` } : undefined,
  calls: {
    make: () => ["folderItem.add", "folderItem.list"],
    adopt: () => ["folderItem.list"],
    // One that no list has shown yet is looked for again.
    change: (before) => (before["readBy"] === undefined ? ["folderItem.list"] : []),
    end: (policy) => (policy === "retain" ? [] : ["folderItem.remove"]),
  },
};

function object({ appId, folderId }: Values): Phrase {
  return say`the place of app ${shown(appId)} in folder ${shown(folderId)}`;
}
