import * as pulumi from "@pulumi/pulumi";
import type { Lifecycle } from "../resources/shared/lifecycle";
import { serializationProblem } from "../serializable";
import { withCode } from "../service/errors";
import type { MessageCode } from "../service/message-codes";
import { resourceDigitsKey, locatorKey, locatorOf, nameKey, placeKey, resourceDigitsOf } from "./hidden-inputs";
import { isLater, isOfOtherForm, programError } from "./sdk";
import { requirePlugin } from "./require-plugin";
import { checkSettings } from "./program-settings";
import { type Form, typeOf } from "./urn";

/** The classes of the packaged form say so; a subclass in a program inherits it. */
export function formOf(constructed: object): Form {
  return (constructed as { form?: Form }).form ?? "dynamic";
}

type Registration = [type: string, name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions];

/**
 * The arguments with which a resource's class calls its base class. The lifecycle runs in the host of the form.
 *
 * A function and not a base class. The SDK treats the caller of the third constructor as the program, and keeps its
 * line with the resource.
 */
export function registration<Inputs extends object, State extends object>(
  form: Form,
  lifecycle: Lifecycle<Inputs, State>,
  name: string,
  given: object | null = {},
  options: pulumi.CustomResourceOptions = {},
): Registration {
  const { kind } = lifecycle;
  // A JavaScript program gives null for nothing, and is told which arguments are missing.
  const args = given ?? {};
  // With a stack trace, because there is no name to find it by.
  if (typeof name !== "string" || name === "")
    throw new TypeError(
      withCode("WA1101", `${kind}: the first argument must be the resource's name in the program, a string.`),
    );
  const what = `${kind} "${name}"`;
  if (typeof args !== "object" || Array.isArray(args))
    throw programError("WA1101", `${what}: the second argument must be an object.`);
  checkOptions(form, lifecycle, what, options);
  // The host only gets what Pulumi makes of it.
  const unserializable = serializationProblem(args, isHandledBySdk);
  if (unserializable !== undefined) throw programError("WA1103", `${what}: ${unserializable}`);
  checkSettings();
  if (form === "packaged") requirePlugin();
  return [
    typeOf(form, kind),
    name,
    inputsOf(form, lifecycle, name, args, options),
    optionsOf(form, lifecycle, options),
  ];
}

/** The arguments, the hidden inputs and the outputs: Pulumi only makes properties of registered names. */
function inputsOf<Inputs extends object, State extends object>(
  form: Form,
  lifecycle: Lifecycle<Inputs, State>,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  const { kind, inputs, outputs, namedBy, needsResourceDigits = false } = lifecycle;
  const properties = [...Object.keys(inputs.shape), ...outputs];
  return {
    ...Object.fromEntries(properties.map((property) => [property, undefined])),
    ...args,
    ...(needsPlace(lifecycle, args) ? { [placeKey]: placeOf(name, options) } : {}),
    ...(namedBy === undefined ? {} : { [nameKey]: name }),
    ...(needsResourceDigits ? { [resourceDigitsKey]: resourceDigits(typeOf(form, kind), name, options) } : {}),
    ...(form === "dynamic" ? { [locatorKey]: locatorOf(kind) } : {}),
  };
}

function optionsOf<Inputs extends object, State extends object>(
  form: Form,
  { kind, secretOutputs = [], deleteBeforeReplace = false }: Lifecycle<Inputs, State>,
  options: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  return pulumi.mergeOptions(
    // Not left to `diff`, which the engine does not call for `pulumi up --replace`.
    deleteBeforeReplace ? { ...options, deleteBeforeReplace: options.deleteBeforeReplace ?? true } : options,
    {
      // The plugin marks its secrets itself.
      ...(form === "dynamic" ? { additionalSecretOutputs: [...secretOutputs] } : {}),
      aliases: otherForm(form, kind, options),
    },
  );
}

/** Outputs and promises have no value yet. The SDK serializes resources and assets itself. */
function isHandledBySdk(value: object): boolean {
  return (
    isLater(value) ||
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

/** A stack moves to the packaged form by changing the import. The dynamic form recognizes the way back, to refuse it. */
function otherForm(form: Form, kind: string, { aliases = [] }: pulumi.CustomResourceOptions): pulumi.Alias[] {
  // Not a URN: a transform may still set the parent, and then a URN without it would replace the resource.
  const type = typeOf(form === "dynamic" ? "packaged" : "dynamic", kind);
  const renamed = aliases.filter(
    (alias): alias is pulumi.Alias => typeof alias === "object" && !isLater(alias) && !("type" in alias),
  );
  return [{ type }, ...renamed.map((alias) => ({ ...alias, type }))];
}

function checkOptions<Inputs extends object, State extends object>(
  form: Form,
  { kind, adoptedBy, deleteBeforeReplace = false }: Lifecycle<Inputs, State>,
  what: string,
  options: pulumi.CustomResourceOptions,
): void {
  if (deleteBeforeReplace && options.deleteBeforeReplace === false)
    warn(
      "WA1608",
      `${what}: with deleteBeforeReplace: false the replacement is created beside the old object, and both may run at once. Leave the option out.`,
    );
  if (isOfOtherForm(form, options.provider))
    throw programError(
      "WA1602",
      `${what}: the option provider is not a Provider of the ${form} form. Import Provider and ${kind} from the same module.`,
    );
  const { replaceOnChanges = [] } = options;
  const nested = replaceOnChanges.filter((path) => /[.[]/.test(path));
  if (form === "packaged" && nested.length > 0)
    warn(
      "WA1607",
      `${what}: replaceOnChanges of ${nested.join(", ")} has no effect, because whole arguments are compared. Give the name of the argument.`,
    );
  if (form === "packaged") return;
  if (options.import !== undefined || options.id !== undefined)
    throw programError(
      "WA1611",
      `${what}: Pulumi cannot import or read dynamic resources by their id. ${adoptedBy === undefined ? "Declare it without the option: `pulumi up` repeats its request, which does no harm." : `Give ${adoptedBy} as an argument to adopt the existing object instead.`}`,
    );
  if (replaceOnChanges.length > 0)
    warn(
      "WA1607",
      `${what}: replaceOnChanges has no effect, because Pulumi's dynamic host does not report which property changed. Use \`pulumi up --replace URN\` to replace the resource once.`,
    );
}

function warn(code: MessageCode, text: string): void {
  void pulumi.log.warn(withCode(code, text));
}

/** Whether the host must know the resource's name: to refuse a second declaration of an object, or to derive a key. */
function needsPlace<Inputs extends object, State extends object>(
  { declares = [], derived, namedBy }: Lifecycle<Inputs, State>,
  args: Partial<Record<string, unknown>>,
): boolean {
  const isGiven = (property: string): boolean => property === namedBy || (args[property] ?? undefined) !== undefined;
  return derived !== undefined || declares.some(({ properties }) => properties.every(isGiven));
}

/** The engine tells a dynamic host neither the URN nor the organization. */
function resourceDigits(type: string, name: string, { parent }: pulumi.CustomResourceOptions): pulumi.Input<string> {
  return pulumi.createUrn(name, type, parent).apply((urn) => resourceDigitsOf(urn, organization()));
}

/** The SDK throws where the engine or a test gives none. */
function organization(): string | undefined {
  try {
    return pulumi.getOrganization();
  } catch {
    return undefined;
  }
}

/** Project, stack and name. The name comes after the parent's: two components may each have a child of one name. */
function placeOf(name: string, { parent }: pulumi.CustomResourceOptions): string {
  const { __name } = (parent ?? {}) as { __name?: string };
  return [pulumi.getProject(), pulumi.getStack(), ...(__name === undefined ? [] : [__name]), name].join("/");
}
