import * as pulumi from "@pulumi/pulumi";

/** The hidden input that carries the names; `check` takes it out, so it never reaches the state. */
export const secretArgumentsKey = "__secretArguments";

/**
 * The names of the arguments that hold a secret. The host is given plain values and cannot tell, and the engine prints the
 * value of a property that `check` complains of, secret or not.
 */
export function secretArguments(args: object): Record<string, pulumi.Output<string[]>> {
  const candidates = Object.entries(args).filter(([, value]) => mayHoldOutput(value));
  if (candidates.length === 0) return {};
  const names = Promise.all(
    candidates.map(async ([name, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [name] : [])),
  );
  return { [secretArgumentsKey]: pulumi.output(names.then((found) => found.flat())) };
}

function mayHoldOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(mayHoldOutput);
}
