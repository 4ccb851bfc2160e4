import type { Caller } from "./credentials";
import { refusal } from "./refusal";

/** Any app exists. If the token does not reach it: 404, as Authentication, rule 6 says for folder items. */
export function checkReach(appId: string, caller: Caller): void {
  if (!caller.reaches(appId)) throw refusal(404, "app_not_found", "There is no such app.");
}

/** The specification shows the required role for a few operations: editor or higher. Assumed for the others. */
export function checkEditor(appId: string, caller: Caller, what: string): void {
  checkReach(appId, caller);
  if (!caller.edits) throw refusal(403, "not_an_editor", `Only an editor of the app can manage its ${what}.`);
}
