import { z } from "zod";
import { partsOfUrn } from "../../provider/pulumi/urn";
import { type Values, hideValues } from "./hidden-values";

/* The parts of the output of `pulumi preview --json` that a review needs. Other fields are ignored. */

const values = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((properties): Values => hideValues(properties ?? {}) as Values);

const state = z.looseObject({
  urn: z.string().exactOptional(),
  id: z.string().nullish(),
  /** A replaced resource that is deleted last. */
  delete: z.boolean().nullish(),
  modified: z.string().nullish(),
  initErrors: z.array(z.string()).nullish(),
  inputs: values,
  outputs: values,
  /** The id that the option `import` gives. */
  importID: z.string().nullish(),
  protect: z.boolean().nullish(),
  retainOnDelete: z.boolean().nullish(),
  deletedWith: z.string().nullish(),
  /** Its URN and its id. */
  provider: z.string().nullish(),
  dependencies: z.array(z.string()).nullish(),
  /** The dependencies of each argument. */
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
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
  // A preview that fails before its first step, for example because of a wrong --target, prints only the error.
  .refine(
    ({ steps, changeSummary, diagnostics }) =>
      Array.isArray(steps) || changeSummary !== undefined || diagnostics?.some(isError),
    "no steps",
  );

function isError({ severity }: { severity: string }): boolean {
  return severity === "error";
}

export type Step = z.output<typeof step>;

export interface Plan {
  /** `project/stack`. Undefined if the plan has no step. */
  readonly stack: string | undefined;
  /** The stack's configuration, without secrets. */
  readonly config: Values;
  readonly steps: readonly Step[];
  /** The number of errors that the command reported, and the resources that they are about. */
  readonly errors: { readonly count: number; readonly urns: readonly string[] };
  readonly maybeCorrupt: boolean;
  /** The number of unchanged resources, listed or not. */
  readonly unchanged: number;
  /** The number of resources that a refresh found changed. Its plan does not show which, or how. */
  readonly drifted: number;
}

/** The text is not a plan. */
export class NotAPlan extends Error {
  override readonly name = "NotAPlan";
}

/** The text is empty or ends in the middle of a plan: the command that printed it failed. */
export class TruncatedPlan extends Error {
  override readonly name = "TruncatedPlan";
}

const expected = "Pass the standard output of `pulumi preview --json --show-sames --show-replacement-steps`";

export function planFrom(text: string): Plan {
  const found = document.safeParse(jsonOf(text));
  if (!found.success) {
    const [issue] = found.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : ` (at ${issue.path.join(".")})`;
    throw new NotAPlan(`The input is JSON, but not a plan${where}. ${expected}.`);
  }
  const { config, diagnostics, maybeCorrupt, changeSummary } = found.data;
  const steps = found.data.steps ?? [];
  const errors = (diagnostics ?? []).filter(isError);
  return {
    stack: stackIn(steps),
    config,
    steps,
    errors: { count: errors.length, urns: [...new Set(errors.flatMap(({ urn }) => (urn ? [urn] : [])))] },
    maybeCorrupt: maybeCorrupt ?? false,
    unchanged: changeSummary?.["same"] ?? 0,
    drifted: steps.some(({ op }) => op === "update") ? 0 : (changeSummary?.["update"] ?? 0),
  };
}

function stackIn([first]: readonly Step[]): string | undefined {
  const { stack, project } = partsOfUrn(first?.urn ?? "");
  return stack === "" || project === "" ? undefined : `${project}/${stack}`;
}

function jsonOf(text: string): unknown {
  if (text.trim() === "")
    throw new TruncatedPlan(
      "it is empty, so the command that prints it failed; run the same command without `--json` to see why",
    );
  try {
    return JSON.parse(text);
  } catch {
    if (/^\s*\{"sequence":|\n\{"sequence":/.test(text))
      throw new NotAPlan(`The input is a stream of events, like the output of \`pulumi up --json\`. ${expected}.`);
    if (/^\s*\{\s*"(config|steps)"/.test(text))
      throw new TruncatedPlan("it is cut off, so the command that prints it did not finish");
    throw new NotAPlan(`The input is not JSON. ${expected}, without its standard error.`);
  }
}
