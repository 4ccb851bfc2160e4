export { defaultCredentials } from "./credentials";
export { startSimulator } from "./server";
export type {
  Credential,
  DeliveryError,
  DeliveryOutcome,
  Fault,
  Folder,
  FolderObjects,
  ListLag,
  ListOperation,
  LoggedRequest,
  RequestFault,
  ScriptedAnswer,
  Simulator,
  SimulatorOptions,
  StoredObjects,
  Webhook,
  WebhookObjects,
} from "./types";
