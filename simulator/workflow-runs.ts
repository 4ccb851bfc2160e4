import { checkReach } from "./app-access";
import type { Handlers } from "./handler";
import { refusal } from "./refusal";
import { isoTime, readBack } from "./times";

/** A run of a workflow. */
export interface WorkflowRun {
  /** Analysis is possible only when it is `failed`; the other values are not shown. */
  status: string;
  /** Stored by the first analysis; null before. */
  explanation: string | null;
  generated_at: string | null;
}

/** The workflow runs that the service holds. */
export interface WorkflowRunObjects {
  /** Undefined when there is none. */
  workflowRun(appId: string, workflowId: string, runId: string): WorkflowRun | undefined;
  /** Adds a run, `failed` unless said otherwise, or changes one. */
  putWorkflowRun(appId: string, workflowId: string, runId: string, fields?: Partial<WorkflowRun>): WorkflowRun;
  /** Whether the language model can be reached. While it cannot, a new explanation comes back empty. */
  setLanguageModel(state: "available" | "unavailable"): void;
}

export interface WorkflowRuns {
  objects: WorkflowRunObjects;
  handlers: Handlers;
}

export function openWorkflowRuns(now: () => number): WorkflowRuns {
  const runs = new Map<string, WorkflowRun>();
  let model: "available" | "unavailable" = "available";
  const key = (...ids: string[]): string => JSON.stringify(ids);
  return {
    objects: {
      workflowRun: (...ids) => {
        const run = runs.get(key(...ids));
        return run && { ...run };
      },
      putWorkflowRun: (appId, workflowId, runId, fields = {}) => {
        const before = runs.get(key(appId, workflowId, runId)) ?? justFailed;
        const run = { ...before, ...fields };
        runs.set(key(appId, workflowId, runId), run);
        return { ...run };
      },
      setLanguageModel: (state) => {
        model = state;
      },
    },
    handlers: {
      "run.analyze": ({ parameters: { app_id, workflow_id, run_id }, caller }) => {
        checkReach(app_id, caller);
        const run = runs.get(key(app_id, workflow_id, run_id));
        if (run === undefined) throw refusal(404, "run_not_found", "There is no such run.");
        if (run.status !== "failed") throw refusal(400, "run_not_failed", "Only failed runs can be analyzed.");
        // "Both empty when the model is unavailable": nothing is stored, so that a later call can do better.
        if (run.explanation === null && model === "unavailable") return { explanation: "", generated_at: "" };
        run.explanation ??= `Run ${run_id} of workflow ${workflow_id} failed at its last step.`;
        run.generated_at ??= isoTime(now());
        return { explanation: run.explanation, generated_at: readBack(run.generated_at) };
      },
    },
  };
}

const justFailed: WorkflowRun = { status: "failed", explanation: null, generated_at: null };
