import { z } from "zod";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { type Values, withoutHidden } from "../../provider/resources/shared/hidden-values";

/* What `pulumi preview --json` prints, as far as a review needs it. More fields are no fault. */

const values = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((properties): Values => withoutHidden(properties ?? {}) as Values);

const state = z.looseObject({
  inputs: values,
  outputs: values,
  protect: z.boolean().nullish(),
  retainOnDelete: z.boolean().nullish(),
  deletedWith: z.string().nullish(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

const document = z
  .looseObject({
    config: values,
    steps: z.array(step).nullish(),
    diagnostics: z.array(z.looseObject({ urn: z.string().nullish(), severity: z.string() })).nullish(),
    changeSummary: z.record(z.string(), z.number()).nullish(),
    maybeCorrupt: z.boolean().nullish(),
  })
  .refine(({ steps, changeSummary }) => Array.isArray(steps) || changeSummary !== undefined, "no steps");

export type Step = z.output<typeof step>;

export interface Plan {
  /** `project/stack`; undefined where the plan has no step. */
  readonly stack: string | undefined;
  /** The stack's configuration; secrets are hidden. */
  readonly config: Values;
  readonly steps: readonly Step[];
  /** How many errors the command reported, and the resources that it named with them. */
  readonly errors: { readonly count: number; readonly urns: readonly string[] };
  readonly maybeCorrupt: boolean;
  /** Unchanged resources that are counted and not listed, as without `--show-sames`. */
  readonly unlisted: number;
  /** Resources that a refresh found changed: it counts them, and shows neither which nor how. */
  readonly drifted: number;
}

/** The text is no plan at all. */
export class NotAPlan extends Error {
  override readonly name = "NotAPlan";
}

/** The text begins as a plan and does not end as one: the command that wrote it failed. */
export class CutPlan extends Error {
  override readonly name = "CutPlan";
}

const wanted = "give the standard output of `pulumi preview --json --show-sames`";

export function planFrom(text: string): Plan {
  const found = document.safeParse(jsonOf(text));
  if (!found.success) {
    const [issue] = found.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : ` (at ${issue.path.join(".")})`;
    throw new NotAPlan(`This is JSON, but not a plan${where}: ${wanted}.`);
  }
  const { config, diagnostics, maybeCorrupt, changeSummary } = found.data;
  const steps = found.data.steps ?? [];
  const errors = (diagnostics ?? []).filter(({ severity }) => severity === "error");
  return {
    stack: stackIn(steps),
    config,
    steps,
    errors: { count: errors.length, urns: [...new Set(errors.flatMap(({ urn }) => (urn ? [urn] : [])))] },
    maybeCorrupt: maybeCorrupt ?? false,
    unlisted: Math.max(0, (changeSummary?.["same"] ?? 0) - unchangedIn(steps)),
    drifted: steps.some(({ op }) => op === "update") ? 0 : (changeSummary?.["update"] ?? 0),
  };
}

function stackIn([first]: readonly Step[]): string | undefined {
  const { stack, project } = partsOfUrn(first?.urn ?? "");
  return stack === "" || project === "" ? undefined : `${project}/${stack}`;
}

function jsonOf(text: string): unknown {
  if (text.trim() === "") throw new CutPlan("it is empty, so the command that should print it failed");
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*\{"sequence":|\n\{"sequence":/.test(text))
      throw new NotAPlan(`This is a stream of events, as \`pulumi up --json\` prints: ${wanted}.`);
    if (/^\s*\{\s*"(config|steps)"/.test(text))
      throw new CutPlan("it is cut off, so the command that should print it did not end");
    throw new NotAPlan(`This is not JSON: ${wanted}, without what it prints on standard error.`);
  }
}

/** With `--refresh` an unchanged resource is listed as refreshed alone. */
function unchangedIn(steps: readonly Step[]): number {
  const changed = new Set(steps.filter(({ op }) => op !== "same" && op !== "refresh").map(({ urn }) => urn));
  return new Set(steps.map(({ urn }) => urn).filter((urn) => !changed.has(urn))).size;
}
