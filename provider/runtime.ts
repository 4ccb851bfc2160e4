/**
 * What the locator of each resource finds: one export for each kind, named as in its type token. States of every earlier
 * version refer to these names.
 */
import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "./pulumi/dynamic-host";
import { type companions, type KindName, lifecycles } from "./registry";

const providers = Object.fromEntries(
  lifecycles.map((lifecycle) => [lifecycle.kind, dynamicProvider(lifecycle)]),
) as Record<KindName | keyof typeof companions, dynamic.ResourceProvider>;

export = providers;
