export { defaultCredentials } from "./credentials";
export { startSimulator } from "./server";
export type { CodingSession, CodingSessionObjects, CodingSessionOptions } from "./coding-session-store";
export type { EntitySchema, RecordObjects, RecordOptions, RecordWrite, StoredRecord } from "./record-store";
export type { Scan, ScanChange, ScanObjects, ScanResult } from "./scan-store";
export type { CancelledRun, TestFlow, TestObjects, TestOptions } from "./test-store";
export type { TrackingObjects } from "./tracking-store";
export type {
  AdvertisingAccount,
  AdvertisingControls,
  Campaign,
  CampaignObjects,
  Credential,
  DeliveryError,
  DeliveryOutcome,
  Fault,
  Folder,
  FolderObjects,
  ListLag,
  ListOperation,
  LoggedRequest,
  PaymentProvider,
  RequestFault,
  ScriptedAnswer,
  Simulator,
  SimulatorOptions,
  StoredObjects,
  Webhook,
  WebhookObjects,
} from "./types";
