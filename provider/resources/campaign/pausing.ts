import type { Deployment } from "../../engine/lifecycle";
import { Refusal } from "../../service/errors";
import { keeping } from "../evidence";
import { listedNow, setPaused } from "./changes";
import { isPaused, isRemoved } from "./listing";
import type { Confirmed, Inputs } from "./state";

/** Pauses or resumes where the program says so; the rest of what changes in place is only remembered. */
export async function settlePaused(state: Confirmed, inputs: Inputs, deployment: Deployment): Promise<Confirmed> {
  const { paused, deletionPolicy, timezone } = inputs;
  const settled = { ...state, paused, deletionPolicy, timezone };
  if (paused === undefined) return settled;
  // While it is not known what the campaign does, the next command reads before it sends.
  return keeping({ ...settled, paused: undefined }, kept(state, paused), async () => {
    const isNow = state.paused ?? (await pausedNow(state, deployment));
    if (isNow !== paused) await setPaused(state, paused, deployment);
    return settled;
  });
}

function kept({ campaignId }: Confirmed, paused: boolean): string {
  return paused
    ? `MONEY MAY BE MOVING: campaign ${campaignId} is declared as paused and may be running`
    : `Campaign ${campaignId} is kept`;
}

async function pausedNow(state: Confirmed, deployment: Deployment): Promise<boolean | undefined> {
  const listed = await listedNow(state, deployment);
  if (listed === undefined || isRemoved(listed))
    throw new Refusal(
      `Campaign ${state.campaignId} is not there any more: run \`pulumi refresh\`, then \`pulumi up\`.`,
    );
  return isPaused(listed);
}
