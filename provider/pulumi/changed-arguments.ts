import { isDeepStrictEqual } from "node:util";
import { askedAtCreation, type Lifecycle } from "../resources/shared/lifecycle";
import { hasUnknown } from "./unknown";

/** The arguments that the state does not fulfil. An unknown value may turn out to be anything, so it counts. */
export function changedArguments<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  state: State,
  inputs: Inputs,
): (keyof Inputs & string)[] {
  const all = Object.keys(lifecycle.inputs.shape) as (keyof Inputs & string)[];
  const keys = all.filter((key) => !askedAtCreation.includes(key));
  const comparisons: Partial<Record<string, (state: State, inputs: Inputs) => boolean>> = lifecycle.equal ?? {};
  return keys.filter((key) => {
    if (hasUnknown(inputs[key])) return true;
    const equal = comparisons[key];
    if (equal !== undefined) return !equal(state, inputs);
    return !isDeepStrictEqual((state as Record<string, unknown>)[key], inputs[key]);
  });
}
