/**
 * What the stored provider of each resource locates: one export for each kind, named as in its type token. States of every
 * earlier version refer to these names.
 */
import type { dynamic } from "@pulumi/pulumi";
import { dynamicProvider } from "./pulumi/dynamic-host";
import { type Kind, type KindName, kinds } from "./registry";

const providers = Object.fromEntries(
  Object.entries<Kind>(kinds).map(([name, { lifecycle }]) => [name, dynamicProvider(lifecycle)]),
) as Record<KindName, dynamic.ResourceProvider>;

export = providers;
