import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../../settings";
import { requirePlugin } from "../require-plugin";
import { configOf, type ProviderConfig } from "../provider";
import { explicitKey, type ProviderArgs } from "../provider-arguments";

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
