/**
 * The exports that the locators of resources find: one for each kind, named as in its type token. States of earlier
 * versions refer to these names.
 */
import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "./pulumi/dynamic-host";
import { type companions, type KindName, lifecycles } from "./registry";

const providers = Object.fromEntries(
  lifecycles.map((lifecycle) => [lifecycle.kind, dynamicProvider(lifecycle)]),
) as Record<KindName | keyof typeof companions, dynamic.ResourceProvider>;

export = providers;
