import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { identifier } from "../arguments";
import { lookUp, lookUpOutput } from "../pulumi/lookup-functions";
import { runAnalysis } from "../service/lookup-shapes";
import { fromWire, toWire } from "./shared/fields";
import type { Lookup } from "./shared/lookup";
import type { LookupInputs, LookupOptions, LookupOutputOptions } from "./shared/options";

/** The arguments of {@link explainRun}. */
export interface ExplainRunArgs {
  /** The app that the workflow belongs to. */
  appId: string;
  /** The workflow of the run. */
  workflowId: string;
  /** The run. Its status must be `failed`. */
  runId: string;
}

/** The result for a run with an explanation. */
export interface ExplainedRun {
  /** Tells the two forms of the result apart. */
  outcome: "explained";
  /** Why the run failed. */
  explanation: string;
  /** When the explanation was written, ISO 8601. */
  generatedAt?: string;
}

/** The result while the service's language model is unavailable. Run the command again later. */
export interface UnexplainedRun {
  /** Tells the two forms of the result apart. */
  outcome: "model_unavailable";
  /** Always absent. */
  explanation?: undefined;
  /** Always absent. */
  generatedAt?: undefined;
}

/** The result of {@link explainRun}. Check `outcome` first. */
export type ExplainRunResult = ExplainedRun | UnexplainedRun;

/** @internal */
export const runExplanationLookup: Lookup<ExplainRunArgs, ExplainRunResult> = {
  name: "explainRun",
  operation: "run.analyze",
  purpose: "Why a workflow run failed",
  args: z.strictObject({ appId: identifier(), workflowId: identifier(), runId: identifier() }),
  async run(args, { service }) {
    const { explanation, ...rest } = fromWire(
      runAnalysis,
      await service.call("run.analyze", { parameters: toWire(args) }),
    );
    // "The caller checks explanation is non-empty."
    return explanation === undefined || explanation.trim() === ""
      ? { outcome: "model_unavailable" }
      : { outcome: "explained", explanation, ...rest };
  },
};

/**
 * Explains why a run of a workflow failed.
 *
 * The service documents the operation (`run.analyze`), with 5 requests per minute. On the first call for a run, also during
 * a preview, a language model writes the explanation and the service stores it. Later calls return the stored text. A run
 * that did not fail is an error. If the model is unavailable, `outcome` says so.
 *
 * ```ts
 * const why = await apps.explainRun({ appId: "app-1", workflowId: "wf_1", runId: "run_1" });
 * export const explanation = why.outcome === "explained" ? why.explanation : "not explained yet";
 * ```
 */
export function explainRun(args: ExplainRunArgs, opts?: LookupOptions): Promise<ExplainRunResult> {
  return lookUp(runExplanationLookup, args, opts);
}

/** {@link explainRun} with inputs. Sends its requests once all inputs are known. */
export function explainRunOutput(
  args: LookupInputs<ExplainRunArgs>,
  opts?: LookupOutputOptions,
): pulumi.Output<ExplainRunResult> {
  return lookUpOutput(runExplanationLookup, args, opts);
}
