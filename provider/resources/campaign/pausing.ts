import type { Deployment } from "../../engine/lifecycle";
import { keeping } from "../evidence";
import { listedNow, Removed, setPaused } from "./changes";
import { isPaused, isRemoved } from "./listing";
import type { Confirmed, Inputs } from "./state";

/** Pauses or resumes where the program says so; the rest of what changes in place is only remembered. */
export async function settlePaused(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const { paused, deletionPolicy, timezone } = inputs;
  const settled = { ...state, paused, deletionPolicy, timezone };
  if (paused === undefined) return settled;
  const isOpen = state.pauseState === "uncertain";
  // While it is not known what the campaign does, the next command reads before it sends.
  const open: Confirmed = { ...settled, paused: undefined, pauseState: "uncertain" };
  const removed = await keeping(open, kept(state, paused), async () => {
    try {
      // Only a first pause needs no list: spending can be stopped without it.
      const isNow = state.paused ?? (paused && !isOpen ? false : await pausedNow(state, deployment));
      if (isNow !== paused) await setPaused(state, paused, deployment);
      return undefined;
    } catch (error) {
      if (error instanceof Removed) return error;
      throw error;
    }
  });
  if (removed !== undefined) throw removed;
  return { ...settled, pauseState: undefined };
}

function kept({ campaignId }: Confirmed, paused: boolean): string {
  return paused
    ? `MONEY MAY BE MOVING: campaign ${campaignId} is declared as paused and may be running`
    : `Campaign ${campaignId} is kept`;
}

async function pausedNow(state: Confirmed, deployment: Deployment): Promise<boolean | undefined> {
  const listed = await listedNow(state, deployment);
  if (listed === undefined || isRemoved(listed)) throw new Removed(state);
  return isPaused(listed);
}
