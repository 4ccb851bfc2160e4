import { z } from "zod";
import { kindOfType, partsOfUrn } from "../provider/pulumi/urn";

/* The stack's state, as `pulumi stack export` prints it. */

const resource = z.looseObject({
  urn: z.string(),
  id: z.string().nullish(),
  delete: z.boolean().nullish(),
  pendingReplacement: z.boolean().nullish(),
  modified: z.string().nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
});

const document = z.looseObject({
  version: z.number(),
  deployment: z.looseObject({ resources: z.array(resource).nullish() }),
});

/** A resource of this package. One that waits to be deleted has the URN of its replacement. */
export type StateResource = z.output<typeof resource>;

/** The text is not a state. The message follows the name of the file. */
export class NotAState extends Error {
  override readonly name = "NotAState";
}

export function stateFrom(text: string): readonly StateResource[] {
  if (text.trim() === "") throw new NotAState("is empty: `pulumi stack export` failed.");
  const { deployment } = document.safeParse(parseJson(text)).data ?? {};
  if (deployment === undefined) throw new NotAState("is not a state. Pass the output of `pulumi stack export`.");
  return (deployment.resources ?? []).filter(({ urn }) => isOfPackage(urn));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isOfPackage(urn: string): boolean {
  return kindOfType(partsOfUrn(urn).type) !== undefined;
}
