import type { AnyLifecycle } from "../../registry";
import { argumentsIn } from "../../resources/shared/lifecycle";
import type { Deployment } from "../../resources/shared/deployment";
import { ProviderError } from "../../service/errors";
import { problemsOf } from "../check";
import { withoutUndefined } from "../serializable";
import type { Properties, Saved } from "../steps";

/** Reads an object by Pulumi's id: for `pulumi import`, the option `import` and `get`. */
export async function importById(
  lifecycle: AnyLifecycle,
  id: string,
  deployment: Deployment,
): Promise<Saved & { inputs: Properties }> {
  const state = await importingOf(lifecycle).read(argumentsOf(lifecycle, id), deployment);
  return {
    id: lifecycle.idOf(state),
    outputs: withoutUndefined(state),
    inputs: withoutUndefined(argumentsIn(lifecycle, state)),
  };
}

/** The arguments that an id consists of. */
function argumentsOf(lifecycle: AnyLifecycle, id: string): Properties {
  const names = importingOf(lifecycle).id;
  const parts = id.split("/");
  const named = Object.fromEntries(names.map((name, index) => [name, parts[index] ?? ""]));
  // Only the arguments of the id: the others are not given yet.
  const wrong = problemsOf(lifecycle, named).filter(({ property }) => names.includes(property));
  if (parts.length !== names.length || wrong.length > 0)
    throw new ProviderError({
      what: `"${id}" is not the id of a ${lifecycle.kind}. No request was sent.`,
      known: wrong.map(({ property, reason }) => `${property} ${reason}`),
      next: [`Give ${names.join("/")}.`],
    });
  return named;
}

function importingOf({ kind, importing }: AnyLifecycle): NonNullable<AnyLifecycle["importing"]> {
  if (importing !== undefined) return importing;
  throw new ProviderError({
    what: `A ${kind} cannot be imported: it does not exist by itself in the service.`,
    next: ["Declare it without an id."],
  });
}
