import type { Values } from "../hidden-values";
import { type Phrase, phrase, shown } from "../phrase";
import type { KindReview } from "../kind-review";

export const ignoredFindingReview: KindReview = {
  object,
  deleting: "restores it",
  created: ({ after }) => [
    { category: "hidden-finding", text: phrase`${object(after)} is marked as ignored in the security scan` },
  ],
  // Restoring a finding shows more, not less.
  deleted: ({ before }, policy) =>
    policy === "retain" ? { category: "left-behind", text: phrase`${object(before)} stays ignored` } : undefined,
  calls: { delete: (policy) => (policy === "retain" ? [] : ["finding.restore"]) },
};

function object({ fingerprint, appId }: Values): Phrase {
  return phrase`security finding ${shown(fingerprint)} of app ${shown(appId)}`;
}
