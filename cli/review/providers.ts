import { isDefaultProvider, partsOfUrn } from "../../provider/pulumi/urn";
import type { Values } from "./hidden-values";
import type { Step } from "./plan";

/* Providers that the program constructs. Each has settings of its own, and may be for another workspace. */

/** The URN of the provider that the program constructs for a resource. Undefined for the default one, which Pulumi adds. */
export function explicitProviderIn(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  // The id follows the URN.
  const urn = reference.slice(0, reference.lastIndexOf("::"));
  return isDefaultProvider(urn) ? undefined : urn;
}

/** The arguments of each provider that a plan lists, by its URN. */
export function providerArguments(steps: readonly Step[]): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>();
  for (const { urn, oldState, newState } of steps)
    if (partsOfUrn(urn).type.startsWith("pulumi:providers:") && (newState || !found.has(urn)))
      found.set(urn, (newState ?? oldState)?.inputs ?? {});
  return found;
}
