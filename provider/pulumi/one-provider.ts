import * as pulumi from "@pulumi/pulumi";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { configNamespace, environmentName } from "../settings";
import { type Form, typeOf } from "./form";
import { programError } from "./program-error";

/*
 * Each Provider, and each form, is a process of its own, which does not know what another one declares. Where two are for
 * one workspace, only the program sees both.
 */

/** The base URLs of Providers, where they are known when the program runs. */
const baseUrls = new WeakMap<object, string>();

export function rememberBaseUrl(provider: object, baseUrl: unknown): void {
  if (typeof baseUrl === "string") baseUrls.set(provider, baseUrl);
}

interface Declaration {
  readonly name: string;
  readonly form: Form;
  readonly provider: object | undefined;
}

/** By stack resource: every run creates one, and an Automation API process may have many runs. */
const declarations = new WeakMap<object, Map<string, Declaration>>();

/** Refuses an object that the program declares already, with another Provider of the same workspace or in the other form. */
export function requireOneProvider<Inputs extends object, State extends object>(
  form: Form,
  { kind, declares = [], adoptedBy }: Lifecycle<Inputs, State>,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { provider, parent }: pulumi.CustomResourceOptions,
): void {
  const run = pulumi.runtime.getStackResource();
  const used = provider ?? parent?.getProvider(typeOf(form, kind));
  const workspace = workspaceOf(used);
  if (run === undefined || workspace === undefined) return;
  const declared = declarations.get(run) ?? new Map<string, Declaration>();
  declarations.set(run, declared);
  const isAdopted = adoptedBy !== undefined && args[adoptedBy] !== undefined;
  for (const { properties, object, isSharedByAdopted = false } of declares) {
    const isKnown = properties.every((property) => typeof args[property] === "string");
    if (!isKnown || (isSharedByAdopted && isAdopted)) continue;
    const key = JSON.stringify([workspace, kind, object(args as Inputs)]);
    const other = declared.get(key);
    if (other !== undefined && (other.form !== form || other.provider !== used)) {
      const how = other.form === form ? "with another Provider of the same workspace" : `in the ${other.form} form`;
      throw programError(
        `${kind} "${name}": declares the ${object(args as Inputs)}, which "${other.name}" declares too, ${how}. Declare it once.`,
      );
    }
    declared.set(key, { name, form, provider: used });
  }
}

/** The address of the workspace, as far as it is known. Without a Provider, it is the stack's. */
function workspaceOf(provider: object | undefined): string | undefined {
  const url =
    provider === undefined
      ? (new pulumi.Config(configNamespace).get("baseUrl") ?? process.env[environmentName("baseUrl")])
      : baseUrls.get(provider);
  return url !== undefined && URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : undefined;
}
