import type { Lookup } from "../../lookups/shared/lookup";
import type { LookupOptions, LookupOutputOptions } from "../../lookups/shared/options";
import { callLookup, callLookupOutput } from "../lookup-calls";

/** A look-up of the packaged form, typed as the function of the dynamic form. */
export function asFunction<Like, Args extends object, Result>(_: Like, lookup: Lookup<Args, Result>): Like {
  const call = (args: object = {}, options?: LookupOptions) => callLookup("packaged", lookup, args, options);
  return call as Like;
}

/** The same for inputs. */
export function asOutputFunction<Like, Args extends object, Result>(_: Like, lookup: Lookup<Args, Result>): Like {
  const call = (args: object = {}, options?: LookupOutputOptions) =>
    callLookupOutput("packaged", lookup, args, options);
  return call as Like;
}
