import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "../../pulumi/provider";

/* How programs call look-ups. Every declaration that a program loads needs these, so they need no library but the SDK. */

/** The options of a look-up. */
export interface LookupOptions {
  /** In the dynamic form, the resource at which Pulumi shows the messages of this look-up. */
  parent?: pulumi.Resource;
  /** The workspace to ask, if it is not the one of the stack's configuration. Default: the provider of `parent`. */
  provider?: Provider;
}

/** The options of a look-up with inputs. */
export interface LookupOutputOptions extends LookupOptions {
  /** Resources that must be created or updated before the look-up runs. While one does not exist, no request is sent. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** The same arguments, where each value at every depth may be an output or a promise. */
export type LookupInputs<Args> = { [Key in keyof Args]: DeepInput<Args[Key]> };

/** In brackets, so that a union is not distributed: one input of `"asc" | "desc"`, not an input of each. */
type DeepInput<T> = [T] extends [string | number | boolean | undefined]
  ? pulumi.Input<T>
  : [NonNullable<T>] extends [readonly (infer Item)[]]
    ? pulumi.Input<DeepInput<Item>[]>
    : pulumi.Input<LookupInputs<NonNullable<T>>>;
