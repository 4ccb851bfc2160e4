import type { Caller } from "./credentials";
import { refusal } from "./refusal";

/** Any app exists. One outside a token's reach answers 404, as Authentication, rule 6 has it for folder items. */
export function checkReach(appId: string, caller: Caller): void {
  if (!caller.reaches(appId)) throw refusal(404, "app_not_found", "There is no such app.");
}

/** Which role changes what an app has is shown for few operations: editor or higher, as with those. */
export function checkEditor(appId: string, caller: Caller, what: string): void {
  checkReach(appId, caller);
  if (!caller.edits) throw refusal(403, "not_an_editor", `Only an editor of the app can manage its ${what}.`);
}
