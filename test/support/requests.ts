import type { Simulator } from "../../simulator";
import { seen } from "./deployment";

/** The requests since the last call, as `operation body`. */
export function newRequests(simulator: Simulator): string[] {
  const requests = seen(simulator);
  simulator.clearRequests();
  return requests;
}
