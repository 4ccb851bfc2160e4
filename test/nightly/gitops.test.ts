import { pipelineRuns } from "../support/gitops";

pipelineRuns("GitLab");
