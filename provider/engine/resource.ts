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

/** Short stack traces, until they are disposed of. */
interface BriefTraces extends Disposable {
  /** An error that was thrown meanwhile, with the lines of the program besides the one that threw it. */
  readonly extended: (error: unknown) => unknown;
}

/**
 * Keeps stack traces to the line that throws. While a resource is built, the SDK takes four of them for each of its
 * properties, to describe promises that never end, and looks every frame up in source maps: a third of a program's time.
 * The line of the program that it keeps with the resource is found all the same.
 */
export function briefTraces(): BriefTraces {
  const { stackTraceLimit } = Error;
  const whole = (): void => {
    Error.stackTraceLimit = stackTraceLimit;
  };
  // Set by people who want to see these traces.
  const isBrief = !process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
  if (isBrief) Error.stackTraceLimit = Math.min(1, stackTraceLimit);
  const extended = (error: unknown): unknown => {
    whole();
    // Ours are for the user alone, and say where by the resource's name.
    if (!isBrief || pulumi.RunError.isInstance(error) || !(error instanceof Error)) return error;
    const caller: { stack?: string } = {};
    Error.captureStackTrace(caller, extended);
    const frames = caller.stack?.split("\n").slice(1) ?? [];
    error.stack = [error.stack ?? error.message, ...frames].join("\n");
    return error;
  };
  return { extended, [Symbol.dispose]: whole };
}

function isTold({ adoptedBy }: Kind, args: Partial<Record<string, unknown>>): boolean {
  return adoptedBy === undefined || (args[adoptedBy] ?? undefined) !== undefined;
}

/** Project, stack and name, this under that of its parent: two components may each have a child of one name. */
function placeOf(name: string, { parent }: pulumi.CustomResourceOptions): string {
  const { __name } = (parent ?? {}) as { __name?: string };
  return [pulumi.getProject(), pulumi.getStack(), ...(__name === undefined ? [] : [__name]), name].join("/");
}
