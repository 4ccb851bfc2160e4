import { install, uninstall } from "./support/installation";

export const mochaGlobalSetup = install;
export const mochaGlobalTeardown = uninstall;
