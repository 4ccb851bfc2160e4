export { defaultCredentials, readOnlyOperations } from "./credentials";
export { startSimulator } from "./server";
export * from "./types";
