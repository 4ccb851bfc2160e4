import { isDeepStrictEqual } from "node:util";
import { isShown, mayBeSet, type Values } from "../hidden-values";
import { differingFields, type Fields } from "../../../provider/resources/shared/compare";
import { type Phrase, phrase, shown } from "../phrase";
import type { KindReview } from "../kind-review";

export const testFlowReview: KindReview = {
  object,
  contradicting({ definition: found }, { definition, overwrite }) {
    if (mayBeSet(overwrite) || !isShown(found) || !isShown(definition)) return [];
    // Where the definition was not managed until now, nothing is known about it.
    return differingFields((found === undefined ? {} : (definition ?? {})) as Fields, (found ?? {}) as Fields).map(
      (name) => `definition.${name}`,
    );
  },
  deleted: ({ before }, policy) =>
    policy === "retain"
      ? { category: "left-behind", text: phrase`${object(before)} stays unchanged` }
      : {
          category: "permanent-delete",
          text: phrase`${object(before)} is deleted, and a run in progress is cancelled; past runs and reports remain`,
        },
  calls: {
    create: () => ["test.get"],
    adopt: ({ definition, overwrite }) => [
      "test.get",
      ...(definition !== undefined && mayBeSet(overwrite) ? (["test.update"] as const) : []),
    ],
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
