import type { LoggedRequest } from "../../simulator";
import type { PulumiProject, Run } from "../harness/engine";

/** After this many looks without a new request, an `up` that has begun to send requests counts as hung. */
const hungAfter = 6;
const lookEvery = 5_000;

/**
 * Runs `pulumi up`, and ends it by Ctrl-C if it hangs. With --continue-on-error, CLI 3.259.0 waits for ever if the deletion
 * that begins a replacement fails.
 */
export async function upUnlessHung(
  stack: PulumiProject,
  service: { readonly requests: readonly LoggedRequest[] },
  options: readonly string[],
): Promise<Run> {
  const { pid, ended } = stack.start("up", ...options);
  let [seen, looks] = [0, 0];
  const watch = setInterval(() => {
    const { length } = service.requests;
    looks = length > 0 && length === seen ? looks + 1 : 0;
    seen = length;
    if (looks === hungAfter) process.kill(pid, "SIGINT");
  }, lookEvery);
  try {
    return await ended;
  } finally {
    clearInterval(watch);
  }
}
