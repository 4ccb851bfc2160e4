import { mayDiffer, type Values } from "../hidden-values";
import { type Phrase, phrase, shown } from "../phrase";
import type { Finding, KindReview } from "../kind-review";

export const conversionTrackingReview: KindReview = {
  object,
  created: ({ after }) => [goals(after)],
  // Under a new name it is created again, and creates what is missing.
  adopted: ({ after }) => [goals(after)],
  updated: ({ before, after }) => (isRunAgain(before, after) ? [goals(after)] : []),
  deleted: ({ before }) => ({
    category: "left-behind",
    text: phrase`the conversion goals of app ${shown(before["appId"])} stay in its advertising account`,
  }),
  calls: { update: (before, after) => (isRunAgain(before, after) ? ["tracking.bootstrap"] : []) },
};

function isRunAgain(before: Values, after: Values): boolean {
  // Any update runs a skipped one again.
  if (before["skippedReason"] !== undefined) return true;
  const isRerun = after["rerun"] !== undefined && mayDiffer(before["rerun"], after["rerun"]);
  return isRerun || mayDiffer(before["wireEvents"], after["wireEvents"]);
}

function goals({ appId }: Values): Finding {
  return {
    category: "unremovable",
    text: phrase`the conversion goals that are missing are created in the advertising account of app ${shown(appId)}: the service cannot remove them`,
  };
}

function object({ appId }: Values): Phrase {
  return phrase`conversion tracking of app ${shown(appId)}`;
}
