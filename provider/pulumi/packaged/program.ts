import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../../settings";
import { configOf, type ProviderConfig } from "../provider";
import { explicitKey, type ProviderArgs } from "../provider-arguments";
import { requirePlugin } from "../require-plugin";
import { programError } from "../sdk";
import type { Form } from "../urn";

/* Programs of the packaged form import these. Their declarations load no types but Pulumi's. */

/** {@inheritDoc Provider} */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  readonly config: ProviderConfig;

  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    requirePlugin();
    const config = configOf(name, args);
    super(configNamespace, name, { ...config, [explicitKey]: "true" }, options);
    this.config = config;
  }
}

export type Class<Args, Resource> = new (name: string, args: Args, options?: pulumi.CustomResourceOptions) => Resource;

export interface Gettable<Resource> {
  /**
   * Reads an existing object by its id, without managing it.
   *
   * @param name The name of the resource in the program.
   * @param id The id as for `pulumi import`.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Resource;
}

/** The class of a kind in the packaged form. */
export function packaged<Args, Resource extends pulumi.CustomResource>(
  dynamic: Class<Args, Resource>,
): Class<Args, Resource> & Gettable<Resource> {
  const Dynamic = dynamic as unknown as Class<unknown, pulumi.CustomResource>;
  const { [dynamic.name]: Packaged } = {
    [dynamic.name]: class extends Dynamic {
      static readonly form: Form = "packaged";

      static get(
        name: string,
        id: pulumi.Input<pulumi.ID>,
        options?: pulumi.CustomResourceOptions,
        ...more: unknown[]
      ): unknown {
        // Classes that Pulumi generates take get(name, id, state, options). Called like that, the options, and with them
        // the provider, would be ignored.
        if (more.length > 0)
          throw programError(
            "WA1609",
            `${dynamic.name} "${name}": get takes a name, an id and options. Remove the state, and pass the options as the third argument.`,
          );
        return new this(name, {}, { ...options, id });
      }
    },
  };
  return Packaged as unknown as Class<Args, Resource> & Gettable<Resource>;
}
