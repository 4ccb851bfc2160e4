import { Hidden, type Values } from "../hidden";
import { type Phrase, say, shown } from "../phrase";
import type { Finding, Kind } from "./kind";

export const conversionTracking: Kind = {
  identifiedBy: [["appId"]],
  object,
  made: ({ after }) => [goals(after)],
  // Made anew under another name, it creates what is missing as well.
  takenOver: ({ after }) => [goals(after)],
  changed: ({ before, after }) => (isRunAgain(before, after) ? [goals(after)] : []),
  ended: ({ before }) => ({
    category: "left-behind",
    text: say`the conversion goals of app ${shown(before["appId"])} stay in its advertising account`,
  }),
  calls: {
    make: () => ["tracking.bootstrap"],
    change: (before, after) => (isRunAgain(before, after) ? ["tracking.bootstrap"] : []),
  },
};

/** Two hidden values may differ. */
function isRunAgain(before: Values, after: Values): boolean {
  const mayDiffer = (key: string): boolean => after[key] instanceof Hidden || after[key] !== before[key];
  return mayDiffer("wireEvents") || (after["rerun"] !== undefined && mayDiffer("rerun"));
}

function goals({ appId }: Values): Finding {
  return {
    category: "unremovable",
    text: say`the conversion goals that are missing are created in the advertising account of app ${shown(appId)}: the service cannot remove them`,
  };
}

function object({ appId }: Values): Phrase {
  return say`conversion tracking of app ${shown(appId)}`;
}
