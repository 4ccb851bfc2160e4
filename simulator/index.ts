export { defaultCredentials } from "./credentials";
export { startSimulator } from "./server";
export * from "./types";
