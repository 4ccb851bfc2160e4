import * as pulumi from "@pulumi/pulumi";
import { typePrefix } from "../type-tokens";
import { placeKey } from "./declarations";
import { lookAtSettings } from "./given-settings";
import { requirePlainValues } from "./plain-values";
import { programError } from "./program-error";
import { secretArguments } from "./secret-arguments";
import { shell } from "./shell";

export interface Kind {
  /** The last part of the type token, and the name of its lifecycle in the runtime. */
  name: string;
  /** Every property that a program can read: the arguments, given or not, and what the service adds. */
  outputs: readonly string[];
  secretOutputs?: readonly string[];
  /**
   * The argument without which the resource makes an object of its own, so that no other one can stand for it and the
   * resource need not tell its place.
   */
  adoptedBy?: string;
  /** For a resource that must never run beside its replacement. Others are replaced first, so that a failure loses none. */
  deleteBeforeReplace?: boolean;
}

type Registration = [type: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions];

/**
 * What a resource's class gives to Pulumi's. The lifecycle runs in Pulumi's dynamic host, found there by the stored shell.
 *
 * A function and no class in between: the SDK takes the caller of the third constructor for the program, and keeps its
 * line with the resource.
 */
export function registration(
  kind: Kind,
  name: string,
  given: object | null = {},
  options: pulumi.CustomResourceOptions = {},
): Registration {
  // A JavaScript program gives null for nothing, and is told which arguments are missing.
  const args = given ?? {};
  // With a stack trace, because there is no name to find it by.
  if (typeof name !== "string" || name === "")
    throw new TypeError(`${kind.name}: the first argument must be the resource's name in the program, a text.`);
  if (typeof args !== "object" || Array.isArray(args))
    throw programError(`${kind.name} "${name}": the second argument must be an object.`);
  if (options.parent !== undefined && !pulumi.Resource.isInstance(options.parent))
    throw programError(`${kind.name} "${name}": the option parent must be a resource.`);
  if (options.import !== undefined)
    throw programError(
      `${kind.name} "${name}": Pulumi cannot import dynamic resources. Give the service's id as an argument (or adopt: true) to adopt the existing object instead.`,
    );
  if (options.replaceOnChanges !== undefined && options.replaceOnChanges.length > 0)
    void pulumi.log.warn(
      `${kind.name} "${name}": replaceOnChanges has no effect, because Pulumi's dynamic host does not report which property changed. Use \`pulumi up --replace URN\` to replace the resource once.`,
    );
  if (kind.deleteBeforeReplace === true && options.deleteBeforeReplace === false)
    void pulumi.log.warn(
      `${kind.name} "${name}": with deleteBeforeReplace: false a replacement is made beside the old object, and both may run at once. Leave the option out.`,
    );
  requirePlainValues(`${kind.name} "${name}"`, args);
  lookAtSettings();
  const outputs = Object.fromEntries(kind.outputs.map((output) => [output, undefined]));
  return [
    `${typePrefix}${kind.name}`,
    name,
    {
      ...outputs,
      ...args,
      ...secretArguments(args),
      ...(isTold(kind, args) ? { [placeKey]: placeOf(name, options) } : {}),
      __provider: shell(kind.name),
    },
    pulumi.mergeOptions(
      // Not left to `diff`, which the engine does not call for `pulumi up --replace`.
      kind.deleteBeforeReplace === true ? { deleteBeforeReplace: true, ...options } : options,
      { additionalSecretOutputs: [...(kind.secretOutputs ?? [])] },
    ),
  ];
}

function isTold({ adoptedBy }: Kind, args: Partial<Record<string, unknown>>): boolean {
  return adoptedBy === undefined || (args[adoptedBy] ?? undefined) !== undefined;
}

/** Project, stack and name, this under that of its parent: two components may each have a child of one name. */
function placeOf(name: string, { parent }: pulumi.CustomResourceOptions): string {
  const { __name } = (parent ?? {}) as { __name?: string };
  return [pulumi.getProject(), pulumi.getStack(), ...(__name === undefined ? [] : [__name]), name].join("/");
}
