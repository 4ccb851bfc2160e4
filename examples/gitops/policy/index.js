import { servePolicyPack, workspaceAppsPolicies } from "pulumi-workspace-apps/policy";
import settings from "./settings.json";

// The settings are a file of their own, so that raising a cap is one line in a review.
servePolicyPack("workspace-apps", workspaceAppsPolicies(), settings);
