import { isDeepStrictEqual } from "node:util";
import type { Values } from "../hidden";
import { type Phrase, say, shown } from "../phrase";
import type { Kind } from "./kind";

export const testFlow: Kind = {
  identifiedBy: [["flowId", "appId"]],
  adoptedBy: "flowId",
  leftAlone: ["definition"],
  object,
  ended: ({ before }, policy) =>
    policy === "retain"
      ? { category: "left-behind", text: say`${object(before)} stays as it is` }
      : {
          category: "permanent-delete",
          text: say`${object(before)} is deleted and a run that is under way cancelled; past runs and reports remain`,
        },
  calls: {
    make: () => ["test.create", "test.get"],
    adopt: ({ definition }) => ["test.get", ...(definition === undefined ? [] : (["test.update"] as const))],
    change: (before, { definition }) =>
      before["unconfirmed"] !== true &&
      (definition === undefined || isDeepStrictEqual(before["definition"], definition))
        ? []
        : ["test.update", "test.get"],
    end: (policy) => (policy === "retain" ? [] : ["test.delete"]),
  },
};

function object({ flowId, appId }: Values): Phrase {
  return say`test ${shown(flowId)} of app ${shown(appId)}`;
}
