import * as pulumi from "@pulumi/pulumi";
import { configNamespace } from "../settings";
import { nameKey, stackKey } from "./declarations";
import { lookAtSettings } from "./given-settings";
import { requirePlainValues } from "./plain-values";
import { secretArguments } from "./secret-arguments";
import { shell } from "./shell";

export interface Kind {
  /** The last part of the type token, and the name of its lifecycle in the runtime. */
  name: string;
  /** Every property that a program can read: the arguments, given or not, and what the service adds. */
  outputs: readonly string[];
  secretOutputs?: readonly string[];
  /** For a resource that must never run beside its replacement. Others are replaced first, so that a failure loses none. */
  deleteBeforeReplace?: boolean;
}

/** A resource whose lifecycle runs in Pulumi's dynamic host, found there by the stored shell. */
export abstract class ManagedResource extends pulumi.CustomResource {
  protected constructor(
    kind: Kind,
    name: string,
    given: object | null = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    // A JavaScript program gives null for nothing, and is told which arguments are missing.
    const args = given ?? {};
    if (options.import !== undefined)
      throw new pulumi.RunError(
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
    super(
      `pulumi-nodejs:dynamic/${configNamespace}:${kind.name}`,
      name,
      {
        ...outputs,
        ...args,
        ...secretArguments(args),
        [nameKey]: declaredBy(name, options),
        [stackKey]: `${pulumi.getProject()}/${pulumi.getStack()}`,
        __provider: shell(kind.name),
      },
      pulumi.mergeOptions(
        // Not left to `diff`, which the engine does not call for `pulumi up --replace`.
        kind.deleteBeforeReplace === true ? { deleteBeforeReplace: true, ...options } : options,
        { additionalSecretOutputs: [...(kind.secretOutputs ?? [])] },
      ),
    );
  }
}

/** The resource's name, under that of its parent: two components may each have a child of one name. */
function declaredBy(name: string, { parent }: pulumi.CustomResourceOptions): string {
  const { __name } = (parent ?? {}) as { __name?: string };
  return __name === undefined ? name : `${__name}/${name}`;
}
