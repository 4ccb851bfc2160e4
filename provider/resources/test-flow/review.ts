import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../review/hidden-values";
import { type Phrase, phrase, shown } from "../../review/phrase";
import type { KindReview } from "../../review/kind-review";

export const testFlowReview: KindReview = {
  object,
  deleted: ({ before }, policy) =>
    policy === "retain"
      ? { category: "left-behind", text: phrase`${object(before)} stays as it is` }
      : {
          category: "permanent-delete",
          text: phrase`${object(before)} is deleted, and a run in progress is cancelled; past runs and reports remain`,
        },
  calls: {
    create: () => ["test.get"],
    adopt: ({ definition }) => ["test.get", ...(definition === undefined ? [] : (["test.update"] as const))],
    update: (before, { definition }) =>
      before["unconfirmed"] !== true &&
      (definition === undefined || isDeepStrictEqual(before["definition"], definition))
        ? []
        : ["test.update", "test.get"],
    delete: (policy) => (policy === "retain" ? [] : ["test.delete"]),
  },
};

function object({ flowId, appId }: Values): Phrase {
  return phrase`test ${shown(flowId)} of app ${shown(appId)}`;
}
