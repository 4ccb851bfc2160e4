import { install, uninstall } from "../tools/harness/installation";

/* Needed by the tests that run programs: the engine, and the package installed from its tarball. */

export const mochaGlobalSetup = install;
export const mochaGlobalTeardown = uninstall;
