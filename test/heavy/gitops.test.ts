import { pipelineRuns } from "../support/gitops";

pipelineRuns("GitHub Actions");
