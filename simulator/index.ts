export { defaultCredentials } from "./credentials";
export { startSimulator } from "./server";
export type { Asset, AssetObjects } from "./assets";
export type { CodingSession, CodingSessionObjects, CodingSessionOptions } from "./coding-session-store";
export type { ConnectorField, ConnectorObjects } from "./connectors";
export type { GeoTarget, GeoTargetObjects, GeoTargetOptions } from "./geo-targets";
export type { CreditLimits, GivenMember, Member, MemberObjects, MemberOptions } from "./member-store";
export type { EntitySchema, RecordObjects, RecordOptions, RecordWrite, StoredRecord } from "./record-store";
export type { Scan, ScanChange, ScanObjects, ScanResult } from "./scan-store";
export type { SearchTerm, SearchTermObjects } from "./search-terms";
export type { SearchThemeObjects } from "./search-themes";
export type { CancelledRun, TestFlow, TestObjects, TestOptions } from "./test-store";
export type { TrackingObjects } from "./tracking-store";
export type { UserStats, UserStatsObjects } from "./user-stats";
export type { WorkflowRun, WorkflowRunObjects } from "./workflow-runs";
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
