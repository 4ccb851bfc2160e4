import { z } from "zod";
import { partsOfUrn, typePrefix } from "../../provider/pulumi/urn";
import { InputError } from "../command";
import type { Declaration } from "./declarations";

/* What a stack has already, by the output of `pulumi stack export`. */

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z
      .array(
        z.looseObject({
          urn: z.string(),
          id: z.string().nullish(),
          outputs: z.record(z.string(), z.unknown()).nullish(),
        }),
      )
      .nullish(),
  }),
});

/** Whether a stack has the object of a declaration. */
export type IsKnown = (declaration: Pick<Declaration, "kind" | "id" | "parent">) => boolean;

export function knownIn(text: string, file: string): IsKnown {
  const { deployment } = exported.safeParse(jsonOf(text)).data ?? {};
  if (deployment === undefined)
    throw new InputError(`--exclude: ${file} is not a state. Pass the output of \`pulumi stack export\`.`);
  const known = (deployment.resources ?? []).flatMap(({ urn, id, outputs }) => {
    const { type } = partsOfUrn(urn);
    return type.startsWith(typePrefix) && id
      ? [{ kind: type.slice(typePrefix.length), id, outputs: outputs ?? {} }]
      : [];
  });
  return ({ kind, id, parent }) =>
    known.some((one) => one.kind === kind && one.id === id && isSameOrHidden(parentIn(kind, one.outputs), parent));
}

/** A parent that is secret in the state may be any. */
function isSameOrHidden(one: string | undefined, other: string): boolean {
  return one === undefined || one === other;
}

/** The ids of a membership and of a finding contain their parents. */
function parentIn(kind: string, outputs: Readonly<Record<string, unknown>>): string | undefined {
  const text = (name: string): string | undefined => {
    const value = outputs[name];
    return typeof value === "string" ? value : undefined;
  };
  const appId = text("appId");
  switch (kind) {
    case "Webhook":
      return text("agentId");
    case "EntityRecord": {
      const entityName = text("entityName");
      return appId === undefined || entityName === undefined ? undefined : `${appId}/${entityName}`;
    }
    case "AdCampaign":
    case "TestFlow":
      return appId;
    default:
      return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
