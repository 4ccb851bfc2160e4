import type * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "../lookups/shared/lookup";
import type { LookupOptions, LookupOutputOptions } from "../lookups/shared/options";
import type * as LookupCalls from "./lookup-calls";

/*
 * Look-ups as programs call them in the dynamic form. The first call loads the SDK. So tools and the plugin can read the
 * definitions of the look-ups without it.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports
const calls = () => require("./lookup-calls") as typeof LookupCalls;

/** @internal */
export function lookUp<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOptions,
): Promise<Result> {
  return calls().callLookup("dynamic", lookup, args, options);
}

/** @internal */
export function lookUpOutput<Args extends object, Result>(
  lookup: Lookup<Args, Result>,
  args: object,
  options?: LookupOutputOptions,
): pulumi.Output<Result> {
  return calls().callLookupOutput("dynamic", lookup, args, options);
}
