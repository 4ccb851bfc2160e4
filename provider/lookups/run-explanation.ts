import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import type { Lookup } from "./shared/lookup";
import {
  lookUp,
  type LookupInputs,
  lookUpOutput,
  type LookupOptions,
  type LookupOutputOptions,
} from "../pulumi/lookup-functions";
import type { Answer } from "../service/operations";
import { withoutAbsent } from "./shared/result";

/** Which run of which workflow. */
export interface ExplainRunArgs {
  /** The app that the workflow belongs to. */
  appId: string;
  /** The workflow of the run. */
  workflowId: string;
  /** A run whose status is `failed`. */
  runId: string;
}

/** What the service wrote. */
export interface ExplainedRun {
  /** Tells the two results apart. */
  outcome: "explained";
  /** Why the run failed. */
  explanation: string;
  /** When the explanation was written, ISO 8601. */
  generatedAt?: string;
}

/** The service answered, but had no language model to write an explanation with. Ask again later. */
export interface UnexplainedRun {
  /** Tells the two results apart. */
  outcome: "model_unavailable";
  /** There is none. */
  explanation?: undefined;
  /** There is none. */
  generatedAt?: undefined;
}

/** To be told apart by `outcome`. */
export type ExplainRunResult = ExplainedRun | UnexplainedRun;

const args = z.strictObject({ appId: identifier(), workflowId: identifier(), runId: identifier() });

export const runExplanationLookup: Lookup<ExplainRunArgs, ExplainRunResult> = {
  name: "explainRun",
  purpose: "Why a workflow run failed",
  args,
  run: async ({ appId, workflowId, runId }, { service }) =>
    resultOf(
      await service.call("run.analyze", { parameters: { app_id: appId, workflow_id: workflowId, run_id: runId } }),
    ),
};

/** From wire to result. "The caller checks explanation is non-empty." */
function resultOf({ explanation, generated_at }: Answer<"run.analyze">): ExplainRunResult {
  if (explanation === null || explanation.trim() === "") return { outcome: "model_unavailable" };
  return withoutAbsent<ExplainedRun>({ outcome: "explained", explanation, generatedAt: generated_at });
}

/**
 * An explanation of why a run of a workflow failed.
 *
 * Documented by the service, 5 requests a minute. The first call has a language model write the explanation and stores
 * it, at a preview too; later calls give the stored text. A run that did not fail is an error; an unavailable model is an
 * outcome of its own.
 *
 * ```ts
 * const why = await apps.explainRun({ appId: "app-1", workflowId: "wf_1", runId: "run_1" });
 * export const explanation = why.outcome === "explained" ? why.explanation : "not explained yet";
 * ```
 */
export function explainRun(args: ExplainRunArgs, opts?: LookupOptions): Promise<ExplainRunResult> {
  return lookUp(runExplanationLookup, args, opts);
}

/** {@link explainRun} with inputs: asks once they are known. */
export function explainRunOutput(
  args: LookupInputs<ExplainRunArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<ExplainRunResult> {
  return lookUpOutput(runExplanationLookup, args, opts);
}
