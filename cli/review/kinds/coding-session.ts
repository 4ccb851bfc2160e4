import type { Values } from "../hidden-values";
import { listed, type Phrase, phrase, shown, words } from "../phrase";
import type { KindReview } from "../kind-review";

export const codingSessionReview: KindReview = {
  object,
  created({ action, after, reasons }) {
    const why = reasons.length === 0 ? words("") : phrase` (changed: ${listed(reasons)})`;
    const another = action === "replace" ? phrase`another${why}` : words("a");
    return [
      {
        category: "launch",
        text: phrase`${another} coding session is launched: an AI works in the repository of app ${shown(after["appId"])} and opens a pull request`,
      },
    ];
  },
  deleted: ({ action, before }) =>
    // For a replacement, the finding about the new session is enough.
    action === "replace"
      ? undefined
      : { category: "left-behind", text: phrase`${object(before)} is removed from the stack; its work stays` },
};

function object(values: Values): Phrase {
  return phrase`coding session ${shown(values["sessionId"])} of app ${shown(values["appId"])}`;
}
