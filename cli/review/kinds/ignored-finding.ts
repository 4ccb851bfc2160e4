import type { Values } from "../hidden";
import { type Phrase, say, shown } from "../phrase";
import type { Kind } from "./kind";

export const ignoredFinding: Kind = {
  identifiedBy: [["fingerprint", "appId"]],
  object,
  made: ({ after }) => [
    { category: "hidden-finding", text: say`${object(after)} is ignored: it no longer counts in the scan` },
  ],
  // Restoring a finding shows more, not less.
  ended: ({ before }, policy) =>
    policy === "retain" ? { category: "left-behind", text: say`${object(before)} stays ignored` } : undefined,
  calls: {
    make: () => ["finding.ignore", "scan.get"],
    end: (policy) => (policy === "retain" ? [] : ["finding.restore"]),
  },
};

function object({ fingerprint, appId }: Values): Phrase {
  return say`security finding ${shown(fingerprint)} of app ${shown(appId)}`;
}
