import { install, uninstall } from "../tools/harness/installation";

export const mochaGlobalSetup = install;
export const mochaGlobalTeardown = uninstall;

// Far from UTC, so that a time without a zone which is read as local shows in any test.
process.env["TZ"] = "Asia/Tokyo";
