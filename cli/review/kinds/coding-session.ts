import type { Values } from "../hidden";
import { listed, type Phrase, say, shown, words } from "../phrase";
import type { Kind } from "./kind";

export const codingSession: Kind = {
  identifiedBy: [["idempotencyKey", "appId"]],
  object,
  made({ action, after, reasons }) {
    const another = action === "replace" ? say`another (changed: ${listed(reasons)})` : words("a");
    return [
      {
        category: "launch",
        text: say`${another} coding session is launched: an AI works in the repository of app ${shown(after["appId"])} and opens a pull request`,
      },
    ];
  },
  ended: ({ action, before }) =>
    // What a replacement leaves behind is said with the new session.
    action === "replace"
      ? undefined
      : { category: "left-behind", text: say`${object(before)} is forgotten; what it did stays` },
  calls: { make: () => ["codingSession.launch"] },
};

function object(values: Values): Phrase {
  return say`coding session ${shown(values["sessionId"])} of app ${shown(values["appId"])}`;
}
