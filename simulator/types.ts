import type { OperationId } from "../provider/service/operations";
import type { AssetObjects } from "./assets";
import type { CodingSession, CodingSessionObjects, CodingSessionOptions } from "./coding-session-store";
import type { ConnectorObjects } from "./connectors";
import type { Credential, CredentialForm } from "./credentials";
import type { GeoTargetObjects, GeoTargetOptions } from "./geo-targets";
import type { Member, MemberObjects, MemberOptions } from "./member-store";
import type { RecordObjects, RecordOptions, StoredRecord } from "./record-store";
import type { Scan, ScanObjects } from "./scan-store";
import type { SearchTermObjects } from "./search-terms";
import type { SearchThemeObjects } from "./search-themes";
import type { TestFlow, TestObjects, TestOptions } from "./test-store";
import type { TrackingObjects } from "./tracking-store";
import type { UserStatsObjects } from "./user-stats";
import type { WorkflowRunObjects } from "./workflow-runs";

/** A folder; with an owner it is that user's personal one. */
export interface Folder {
  id: string;
  owner?: string;
}

/** What the service is like at the start. */
export interface SimulatorOptions
  extends RecordOptions, TestOptions, CodingSessionOptions, MemberOptions, GeoTargetOptions {
  /** 0: any free port. @default 0 */
  port?: number;
  /** @default defaultCredentials */
  credentials?: Credential[];
  /** Requests per minute, instead of the documented limits. */
  limits?: Partial<Record<OperationId, number>>;
  /** The service's clock, in milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** The agents that exist. @default "any" */
  agents?: string[] | "any";
  /** Apps that exist and are not agents: webhook operations answer 400 for them. @default none */
  apps?: string[];
  /** The folders that exist. @default "any" */
  folders?: Folder[] | "any";
  /**
   * Whether conversion tracking is wired. A campaign launched while it is pending is paused until
   * `advertising.trackingVerified`. @default "wired"
   */
  tracking?: "wired" | "pending";
  /** Launches are refused while it is unreachable. @default "reachable" */
  paymentProvider?: PaymentProvider;
  /** Launches answer 409 while the workspace is on it. @default false */
  billingHold?: boolean;
  /** The landing page that launch readiness gives, by app. @default none */
  landingPages?: Record<string, string>;
}

/** Whether the service reaches its payment provider to confirm a card. */
export type PaymentProvider = "reachable" | "unreachable";

/** An answer that a fault gives in place of the service's own. */
export interface ScriptedAnswer {
  status: number;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** @default "text/plain" for a string, else "application/json" */
  contentType?: string;
}

/** What happens to the next requests of one operation. Faults of an operation are used up in the order they were added. */
export interface RequestFault {
  operation: OperationId;
  /** Only those with these parameters in their path, by the names in the operation's path: `{ app_id: "app-1" }`. @default any */
  parameters?: Record<string, string>;
  /** How many requests it meets; `"always"` until it is cleared. @default 1 */
  times?: number | "always";
  /** How many requests it lets pass first. @default 0 */
  skip?: number;
  /** Carry the request out first, as without the fault. @default false */
  commit?: boolean;
  /**
   * An answer; `"reset"` the connection (TCP RST); `"hang"`: no answer, the connection stays open; `"pass"`: the
   * service's own answer, for a delay alone; `"hold"`: the service's own answer, when `release` is called, which is also
   * when the request is carried out unless `commit` is set.
   */
  then: ScriptedAnswer | "reset" | "hang" | "pass" | "hold";
  /** Waits before `then`, and after the request was carried out if `commit` is set. */
  delayMilliseconds?: number;
}

/** An operation that lists objects. */
export type ListOperation = Extract<OperationId, `${string}.list`>;

/** A list that lags: objects younger than this are not in it. Stays until cleared. */
export interface ListLag {
  operation: ListOperation;
  lagMilliseconds: number;
}

/** To be told apart by `then` and `lagMilliseconds`. */
export type Fault = RequestFault | ListLag;

/** One request as the service saw it: of its headers one alone, so no credential, and nothing of the answer but its status. */
export interface LoggedRequest {
  /** Counts from 1 in the order of arrival, and goes on after `clearRequests`. */
  number: number;
  /** Undefined when no operation has this method and path. */
  operation: OperationId | undefined;
  method: string;
  /** The request target as received, with its query. */
  path: string;
  /** The path's parameters, decoded once. */
  parameters: Record<string, string>;
  /** Undefined when there was none, or none that is JSON. */
  body: unknown;
  /** `"none"`: no answer was sent, or not yet. */
  status: number | "reset" | "none";
  credential: CredentialForm;
  /** The `Idempotency-Key` header; absent when it was not sent. */
  idempotencyKey?: string;
  /** ISO 8601, by the service's clock. */
  at: string;
}

/** A failed delivery, as the webhook remembers it. */
export interface DeliveryError {
  message: string;
  attempted_at: string;
  status_code: number | null;
  response_body: string | null;
  error_type: string | null;
}

/**
 * A webhook as stored, in the field names of the service. Times carry a `Z` here. The secret is not kept: it was shown
 * once.
 */
export interface Webhook {
  id: string;
  target_url: string;
  events: string[];
  description: string | null;
  has_secret: boolean;
  last_trigger_time: string | null;
  last_error: DeliveryError | null;
  consecutive_failures: number;
  disabled_at: string | null;
  created_date: string;
  updated_date: string;
}

/** The webhooks that the service holds. */
export interface WebhookObjects {
  /** Copies, oldest first. */
  webhooks(agentId?: string): Webhook[];
  /** Undefined when there is none. */
  webhook(agentId: string, id: string): Webhook | undefined;
  /** Adds a webhook, or replaces the one of the same id; what is left out is as of one just created. */
  putWebhook(agentId: string, fields?: Partial<Webhook>): Webhook;
  /** Fails when there is none. */
  changeWebhook(agentId: string, id: string, fields: Partial<Omit<Webhook, "id">>): Webhook;
  /** Whether there was one. */
  removeWebhook(agentId: string, id: string): boolean;
}

/** The folders that the service holds. */
export interface FolderObjects {
  /** The apps in a folder, in the order in which they were added. */
  folderItems(folderId: string): string[];
  /** Puts an app into a folder, once. */
  addFolderItem(folderId: string, appId: string): void;
  /** Whether it was there. */
  removeFolderItem(folderId: string, appId: string): boolean;
  /** Adds a folder, or gives it another owner; its items stay. */
  putFolder(folder: Folder): void;
  /** With its items. The folder stays gone, even where any folder exists. */
  removeFolder(folderId: string): void;
}

/** An app's advertising account, in the field names of the service. */
export interface AdvertisingAccount {
  id: string;
  status: string;
  account_name: string;
  currency_code: string;
  timezone: string;
  platform_customer_id: string;
}

/**
 * An advertising campaign as stored, in the field names of the service. Times carry a `Z` here. Review, serving and
 * primary status, the reasons and `updated_date` move by themselves as the service's clock goes on; a status of these
 * that was set by hand stays.
 */
export interface Campaign {
  id: string;
  platform_campaign_id: string;
  campaign_name: string;
  campaign_type: string;
  /** `ENABLED`, `PAUSED` or `REMOVED`; others can be put by hand, because not all are shown. */
  status: string;
  daily_budget_micros: number;
  landing_page: string;
  geo_targets: string[];
  /** Empty when none was given: the specification has a string here, and no null. */
  phone_number: string;
  review_status: string;
  serving_status: string;
  primary_status: string;
  primary_status_reasons: string[];
  created_date: string;
  updated_date: string;
  learning_ends_at: string;
}

/** The campaigns and advertising accounts that the service holds. */
export interface CampaignObjects {
  /** Copies, oldest first, those that are `REMOVED` included. */
  campaigns(appId?: string): Campaign[];
  /** Undefined when there is none. */
  campaign(appId: string, id: string): Campaign | undefined;
  /** Adds a campaign, or replaces the one of the same id; what is left out is as of one just launched. No launch. */
  putCampaign(appId: string, fields?: Partial<Campaign>): Campaign;
  /** Fails when there is none. A changed status brings the live values that go with it, but for those given. */
  changeCampaign(appId: string, id: string, fields: Partial<Omit<Campaign, "id">>): Campaign;
  /** Drops it from the list altogether, as no deletion does. Whether there was one. */
  removeCampaign(appId: string, id: string): boolean;
  /** Every campaign that a launch request created, in order, also when it was removed or dropped since. */
  launches(appId?: string): Campaign[];
  /** Undefined before the app's first launch, unless it was put. */
  advertisingAccount(appId: string): AdvertisingAccount | undefined;
  /** Makes the account without a launch, or changes these fields of it. */
  putAdvertisingAccount(appId: string, fields?: Partial<AdvertisingAccount>): AdvertisingAccount;
}

/** What an app's launches depend on, changed at run time. */
export interface AdvertisingControls {
  /** The app's tracking is wired from now on; its campaigns that waited for that are enabled. */
  trackingVerified(appId: string): void;
  /** For all apps, from now on. */
  setPaymentProvider(state: PaymentProvider): void;
  /** Of the workspace, so for all apps. */
  setBillingHold(onHold: boolean): void;
  /** What launch readiness gives for the app; null: none. */
  setLandingPage(appId: string, landingPage: string | null): void;
}

/** What the service holds, and how to change it behind its callers' backs: no credential, limit or rule applies here. */
export interface StoredObjects
  extends
    WebhookObjects,
    FolderObjects,
    CampaignObjects,
    RecordObjects,
    TestObjects,
    ScanObjects,
    TrackingObjects,
    CodingSessionObjects,
    MemberObjects,
    GeoTargetObjects,
    SearchThemeObjects,
    SearchTermObjects,
    AssetObjects,
    ConnectorObjects,
    UserStatsObjects,
    WorkflowRunObjects {
  /** What resources manage, by agent, by folder and by app, records by app and entity; and the members. */
  all(): {
    webhooks: Record<string, Webhook[]>;
    folders: Record<string, string[]>;
    campaigns: Record<string, Campaign[]>;
    records: Record<string, Record<string, StoredRecord[]>>;
    tests: Record<string, TestFlow[]>;
    scans: Record<string, Scan>;
    conversionGoals: Record<string, string[]>;
    codingSessions: Record<string, CodingSession[]>;
    members: Member[];
  };
}

/** How one delivery ended. */
export type DeliveryOutcome =
  | { ok: true }
  | {
      ok: false;
      /** The endpoint's answer; without it no answer came. */
      status?: number;
      /** The start of the endpoint's answer. */
      body?: string;
      /** Why no answer came. @default "timeout" */
      errorType?: string;
    };

/** A running service, on a port of the loopback address. */
export interface Simulator {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The requests so far, in the order of arrival. */
  readonly requests: readonly LoggedRequest[];
  readonly objects: StoredObjects;
  readonly advertising: AdvertisingControls;
  /** Adds a fault behind those of the same operation. */
  fault(fault: Fault): void;
  /** From now on the service answers by itself. */
  clearFaults(): void;
  /** Sends the answers that are held back; done when they have left, with how many there were. */
  release(): Promise<number>;
  /** Forgets the requests so far; their numbers go on. */
  clearRequests(): void;
  /** Plays one delivery. A webhook that is off gets none, so nothing changes. Fails when there is no such webhook. */
  deliver(agentId: string, webhookId: string, outcome: DeliveryOutcome): void;
  /** Ends at once, open connections included. */
  close(): Promise<void>;
}
