import type { Lookup } from "../../lookups/shared/lookup";
import {
  type AnyLookup,
  invoke,
  invokeOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../lookup-functions";

/** A look-up of the packaged form, typed as the function of the dynamic form: the plugin runs it. */
export function asFunction<Like, Args extends object, Result>(_: Like, lookup: Lookup<Args, Result>): Like {
  const run = (args?: object, options?: LookupOptions): unknown =>
    invoke(lookup as unknown as AnyLookup, args, options);
  return run as Like;
}

/** The same for inputs. */
export function asOutputFunction<Like, Args extends object, Result>(_: Like, lookup: Lookup<Args, Result>): Like {
  const run = (args?: object, options?: LookupOutputOptions): unknown =>
    invokeOutput(lookup as unknown as AnyLookup, args, options);
  return run as Like;
}
