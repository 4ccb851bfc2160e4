import { install, uninstall } from "../tools/harness/installation";

/* The tests that run programs need the engine, and the package installed from its tarball. */

export const mochaGlobalSetup = install;
export const mochaGlobalTeardown = uninstall;
