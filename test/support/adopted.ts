import assert from "node:assert/strict";
import { adopt } from "../../cli/adopt/run";
import { systemClock } from "../../provider/service/clock";
import type { Simulator } from "../../simulator";

/** The program that `workspace-apps adopt` prints. */
export async function adopted({ url }: Simulator, args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const code = await adopt(
    [...args],
    { out: (text) => void printed.push(text), err: () => undefined },
    {
      environment: { WORKSPACE_APPS_BASE_URL: url, WORKSPACE_APPS_ACCESS_TOKEN: "full-access-token" },
      clock: systemClock,
      isTerminal: false,
    },
  );
  assert.equal(code, 0);
  return printed.join("");
}
