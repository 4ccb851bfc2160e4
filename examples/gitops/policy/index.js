"use strict";

const { servePolicyPack, workspaceAppsPolicies } = require("pulumi-workspace-apps/policy");
// A file of their own, so that raising a cap is one line in a review.
const settings = require("./settings.json");

servePolicyPack("workspace-apps", workspaceAppsPolicies(), settings);
