import type { Run } from "./run";
import type { Stack } from "./stack";
import type { Witness } from "./witness";

/* What must be true after every step. What must be true when a launch is sent is in the witness. */

/**
 * 1. Never two live campaigns for one declaration. 4. Every live campaign is in the state, or the intent to launch it is, or
 * the last error names it, or its policy let it go.
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
      stack.intends(declaredAs, launchedAt) ||
      stack.lastErrors.some((error) => error.includes(id));
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
