import { z } from "zod";
import { checkReach } from "../app-access";
import type { Area } from "../area";
import { id, ofApp, route, time } from "../control/route";
import type { Handlers } from "../handler";
import { refusal } from "../refusal";
import { isoTime, readBack } from "../times";
import type { WorkflowRun, WorkflowRunObjects } from "../types";

function openWorkflowRuns(now: () => number) {
  const runs = new Map<string, WorkflowRun>();
  let model: "available" | "unavailable" = "available";
  const key = (...ids: string[]): string => JSON.stringify(ids);
  const objects: WorkflowRunObjects = {
    workflowRun: (...ids) => {
      const run = runs.get(key(...ids));
      return run && { ...run };
    },
    putWorkflowRun: (appId, workflowId, runId, fields = {}) => {
      const run = { ...(runs.get(key(appId, workflowId, runId)) ?? newRun), ...fields };
      runs.set(key(appId, workflowId, runId), run);
      return { ...run };
    },
    setLanguageModel: (state) => {
      model = state;
    },
  };
  const handlers: Handlers = {
    "run.analyze": ({ parameters: { app_id, workflow_id, run_id }, caller }) => {
      checkReach(app_id, caller);
      const run = runs.get(key(app_id, workflow_id, run_id));
      if (run === undefined) throw refusal(404, "run_not_found", "There is no such run.");
      if (run.status !== "failed") throw refusal(400, "run_not_failed", "Only failed runs can be analyzed.");
      // "Both empty when the model is unavailable": nothing is stored, so a later call can succeed.
      if (run.explanation === null && model === "unavailable") return { explanation: "", generated_at: "" };
      run.explanation ??= `Run ${run_id} of workflow ${workflow_id} failed at its last step.`;
      run.generated_at ??= isoTime(now());
      return { explanation: run.explanation, generated_at: readBack(run.generated_at) };
    },
  };
  return { objects, handlers };
}

const newRun: WorkflowRun = { status: "failed", explanation: null, generated_at: null };

const runFields: z.ZodType<Partial<WorkflowRun>> = z
  .strictObject({ status: z.string(), explanation: z.string().nullable(), generated_at: time.nullable() })
  .exactPartial();

export const workflowRuns = {
  open: ({ now }) => openWorkflowRuns(now),
  controlRoutes: [
    route({
      endpoint: "PUT workflow-runs",
      description: "Adds a workflow run, `failed` by default, or changes it. `fields` is optional.",
      input: ofApp.extend({ workflowId: id, runId: id, fields: runFields.optional() }),
      examples: [{ appId: "a", workflowId: "w", runId: "r", fields: { status: "failed" } }],
      handle: ({ objects }, { appId, workflowId, runId, fields }) =>
        objects.putWorkflowRun(appId, workflowId, runId, fields),
    }),
    route({
      endpoint: "PUT language-model",
      description: 'Sets whether the language model is `"available"`. While it is not, new explanations are empty.',
      input: z.strictObject({ state: z.enum(["available", "unavailable"]) }),
      examples: [{ state: "unavailable" }],
      handle: ({ objects }, { state }) => {
        objects.setLanguageModel(state);
      },
    }),
  ],
} satisfies Area;
