import type { Run } from "./run";
import type { Resource, Stack } from "./stack";
import type { Witness } from "./witness";

/* What must be true after every step. What must be true when a launch is sent is in the witness. */

/**
 * 1. Never two live campaigns for one declaration. 4. Every live campaign is in the state, or named in the last error, or
 * its policy let it go. Its intent in the state is enough only if the last command was killed, or did not come to it.
 */
export function assertAllKnown(stack: Stack, witness: Witness): void {
  witness.assertOneLive(stack.number);
  const managed = stack.managed();
  const unconfirmed = stack.unconfirmed();
  for (const { id, declaredAs, launchedAt } of witness.live(stack.number)) {
    const isKnown =
      managed.has(id) ||
      unconfirmed.has(declaredAs) ||
      witness.letGo.has(id) ||
      stack.lastErrors.some((error) => mentions(error, id)) ||
      isIntendedOrNamed(stack, stack.intentOf(declaredAs, launchedAt));
    if (!isKnown)
      witness.breaks(`4. ${id}, ${declaredAs}, is live, and neither in the state nor named in the last error.`);
  }
}

/** 4. The state has every launch whose outcome is uncertain, with its time, or else the campaign that it created. */
export function assertAttemptsSaved(run: Run, stack: Stack, witness: Witness): void {
  if (run.isInterrupted) return;
  const managed = stack.managed();
  const unconfirmed = stack.unconfirmed();
  const last = new Map(witness.posts.filter((post) => post.run === run).map((post) => [post.campaign, post]));
  for (const { campaign, outcome, at, campaignId } of last.values()) {
    if (outcome !== "uncertain") continue;
    if (campaignId !== undefined && managed.has(campaignId)) continue;
    // The state keeps the time of its end. A time before it was sent would end the quarantine too early.
    if (!((unconfirmed.get(campaign)?.at ?? NaN) >= at))
      witness.breaks(`4. The launch of ${campaign} is uncertain, and the state does not know when it was sent.`);
    const name = campaign.slice(0, campaign.lastIndexOf('"') + 1);
    if (!run.errors.some((error) => error.includes(name)))
      witness.breaks(`4. The launch of ${campaign} is uncertain, and the error does not name it.`);
  }
}

function isIntendedOrNamed({ dealtWith, lastErrors }: Stack, intent: Resource | undefined): boolean {
  if (intent === undefined) return false;
  return !dealtWith.has(intent.id) || lastErrors.some((error) => names(error, intent));
}

/** Whether the error names the campaign of an intent by its declared name and app. */
function names(error: string, { outputs }: Resource): boolean {
  return error.includes(`"${String(outputs["campaignName"])}"`) && mentions(error, String(outputs["appId"]));
}

/** As a whole word: cmp_1 is not cmp_10. */
function mentions(error: string, word: string): boolean {
  return error.split(/[^\w-]+/).includes(word);
}
