import type { Values } from "../hidden-values";
import { type Phrase, phrase, shown } from "../phrase";
import type { KindReview } from "../kind-review";

export const folderMembershipReview: KindReview = {
  object,
  deleting: "removes the app",
  // Removing an app from a folder can be undone by adding it again.
  deleted: ({ before }, policy) =>
    policy === "retain" ? { category: "left-behind", text: phrase`${object(before)} stays` } : undefined,
  calls: {
    create: () => ["folderItem.list"],
    // A membership that no list has shown yet is looked for again.
    update: (before) => (before["readBy"] === undefined ? ["folderItem.list"] : []),
    delete: (policy) => (policy === "retain" ? [] : ["folderItem.remove"]),
  },
};

function object({ appId, folderId }: Values): Phrase {
  return phrase`the place of app ${shown(appId)} in folder ${shown(folderId)}`;
}
