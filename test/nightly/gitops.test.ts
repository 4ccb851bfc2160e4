import { pipelineRuns } from "../support/gitops";

pipelineRuns("GitHub Actions", { isNightly: true });
pipelineRuns("GitLab", { isNightly: true });
