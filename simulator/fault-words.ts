import type { Fault, RequestFault } from "./types";

/** The effect of a fault, as a sentence. */
export function wordsOf(fault: Fault): string {
  if ("lagMilliseconds" in fault) return `The list lags ${asSeconds(fault.lagMilliseconds)}`;
  const { commit = false, delayMilliseconds = 0 } = fault;
  const steps = [
    ...(commit ? ["carry it out"] : []),
    ...(delayMilliseconds === 0 ? [] : [`wait ${asSeconds(delayMilliseconds)}`]),
    endOf(fault.then, commit),
  ];
  const sentence = steps.join(", then ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function endOf(then: RequestFault["then"], isCarriedOut: boolean): string {
  const notDone = isCarriedOut ? "" : " without carrying it out";
  switch (then) {
    case "reset":
      return isCarriedOut ? "lose the answer" : `close the connection${notDone}`;
    case "hang":
      return `never answer${isCarriedOut ? "" : ", and do not carry it out"}`;
    case "pass":
      return "answer as usual";
    case "hold":
      return `hold the answer back until it is released${isCarriedOut ? "" : ", and carry it out then"}`;
    default:
      return `answer ${String(then.status)}${notDone}`;
  }
}

function asSeconds(milliseconds: number): string {
  return `${String(milliseconds / 1000)} s`;
}
