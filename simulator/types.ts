/*
 * Every public type of the simulator; `index.ts` exports all of this file. It imports no package, so that a program
 * which uses the simulator compiles without the types of zod or hono.
 */
import type { OperationId } from "../provider/service/operation-ids";

export type { OperationId };

/** An operation that lists objects. */
export type ListOperation = Extract<OperationId, `${string}.list`>;

/** A running simulator, on a port of the loopback address. */
export interface Simulator {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The requests so far, in the order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** The objects of the default workspace. */
  readonly objects: StoredObjects;
  /** The objects of another workspace, by the name that its credentials have. It begins empty. */
  workspace(name: string): StoredObjects;
  readonly advertising: AdvertisingControls;
  readonly clock: ClockControls;
  /** Adds a fault after the earlier faults of the same operation. Throws if the fault is not valid. */
  fault(fault: Fault): void;
  /** The faults that still wait for requests, in the order in which they were added. */
  waitingFaults(): WaitingFault[];
  /** Removes one fault. Returns whether it was waiting. */
  removeFault(number: number): boolean;
  /** Removes all faults. From now on the service sends its own responses. */
  clearFaults(): void;
  /** Sends the responses that `then: "hold"` keeps back. Resolves when they are sent, to how many there were. */
  release(): Promise<number>;
  /** The whole exchange of a logged request. Throws if it is not kept, or no longer. */
  exchange(number: number): Exchange;
  /** Forgets the requests so far. Their numbers are not used again. */
  clearRequests(): void;
  /** Simulates one delivery. A webhook that is off gets no deliveries, so nothing changes. Throws if there is no such webhook. */
  deliver(agentId: string, webhookId: string, outcome: DeliveryOutcome): void;
  /** Calls the listener from now on, until the returned function is called. */
  listen(listener: Listener): () => void;
  /**
   * Starts over with the same options: objects, requests, faults, rate limits and the clock are as at the start. Resets
   * the connections of responses that `then: "hold"` keeps back.
   */
  reset(): void;
  /** Stops at once and closes open connections. */
  close(): Promise<void>;
}

/** The service's clock. Everything that the service dates or counts is by this clock. */
export interface ClockControls {
  /** Milliseconds since 1970. */
  now(): number;
  /** How far it was moved ahead of the option `now`. */
  readonly aheadMilliseconds: number;
  /** Moves it forward. It never goes back, except by `reset`. */
  advance(milliseconds: number): void;
}

/** Something that a listener can be told of. */
export type Change = "objects" | "requests" | "faults" | "clock";

/** Is called during the change, so it must neither wait nor throw. */
export interface Listener {
  /** A request arrived, or what is known about it changed. The entry is the one in the log. */
  request(entry: LoggedRequest): void;
  /** Something else changed. `"requests"`: the log was cleared. */
  changed(what: Change): void;
}

/** How the service starts. */
export interface SimulatorOptions
  extends RecordOptions, TestOptions, CodingSessionOptions, MemberOptions, GeoTargetOptions {
  /** The port; 0 uses any free one. @default 0 */
  port?: number;
  /** The credentials that it accepts. @default defaultCredentials */
  credentials?: Credential[];
  /** The operations that a read-only token may call. The specification shows no operation that lists `read_only`. @default readOnlyOperations */
  readOnlyOperations?: OperationId[];
  /** Requests per minute, instead of the documented limits. */
  limits?: Partial<Record<OperationId, number>>;
  /** The service's clock, in milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** The agents that exist. @default "any" */
  agents?: string[] | "any";
  /** Apps that exist but are not agents. Webhook operations respond 400 for them. @default none */
  apps?: string[];
  /** The folders that exist. @default "any" */
  folders?: Folder[] | "any";
  /**
   * Host names under which a proxy in front of the simulator is reached, in lower case and without a port. A request for
   * any other name, except a loopback name, gets a 403. @default none
   */
  hosts?: string[];
  /**
   * Whether conversion tracking is wired. A campaign launched while it is pending is paused until
   * `advertising.trackingVerified`. @default "wired"
   */
  tracking?: "wired" | "pending";
  /** Launches are refused while it is unreachable. @default "reachable" */
  paymentProvider?: PaymentProvider;
  /** Whether the workspace is on billing hold. Launches respond 409 while it is. @default false */
  billingHold?: boolean;
  /**
   * The landing page that launch readiness returns, by app. A launch for the app must send exactly this text, by rule 1 of
   * launches. @default none
   */
  landingPages?: Record<string, string>;
  /**
   * Whether the service refuses a launch with another landing page than launch readiness returns, with 400 (assumed), or
   * accepts it. The specification does not show this. @default "refused"
   */
  otherLandingPages?: "refused" | "accepted";
  /** Whether the ad platform accepts new campaigns; see `AdvertisingControls.setAdPlatform`. @default "accepting" */
  adPlatform?: AdPlatform;
}

/** Who may call the service, and what they can reach. */
export interface Credential {
  /** The token or key itself. */
  value: string;
  /**
   * A personal token is sent as `Authorization: Bearer`, a personal API key as `api_key`. A workspace key is recognized
   * in both forms.
   */
  kind: "personal-token" | "api-key" | "workspace-key";
  /** @default "full_access" */
  permission?: "full_access" | "read_only";
  /** The only apps and agents it reaches. @default all of them */
  apps?: string[];
  /** Its owner, for personal folders. @default "user" */
  user?: string;
  /** Its owner's role in the workspace. A viewer or guest cannot change anything. @default "owner" */
  role?: "owner" | "admin" | "editor" | "viewer" | "guest";
  /** The workspace that it belongs to. Workspaces share nothing but the clock. @default the default workspace */
  workspace?: string;
}

/** How a request sends its credential. */
export type CredentialForm = "bearer" | "api_key" | "none";

/** One request as the service received it. No credential is kept. The response is in `Simulator.exchange`. */
export interface LoggedRequest {
  /** Counts from 1 in the order of arrival, and does not restart after `clearRequests`. */
  number: number;
  /** Undefined if no operation has this method and path. */
  operation: OperationId | undefined;
  /** Whether the specification shows the operation. Otherwise this package assumes it, or there is no such path. */
  documented: boolean;
  method: string;
  /** The request target as received, including the query. A credential in the query reads `[secret]`. */
  path: string;
  /** The path parameters, decoded once. */
  parameters: Record<string, string>;
  /** Undefined if there was no body or it was not JSON. */
  body: unknown;
  /** `"none"`: no response was sent, or not yet. */
  status: number | "reset" | "none";
  credential: CredentialForm;
  /** The `Idempotency-Key` header. Absent if it was not sent. */
  idempotencyKey?: string;
  /** ISO 8601, by the service's clock. */
  at: string;
  /** Until the response was sent or the connection was closed, in real time. Absent before. */
  milliseconds?: number;
}

/**
 * A request and its response as they were on the wire. Headers and query parameters read `[secret]` if, by their names,
 * they may hold a credential. So do `secret` and the values of `connection_config` in responses.
 */
export interface Exchange {
  request: { method: string; path: string } & ExchangedMessage;
  /** `"reset"`: the connection was reset. `"none"`: no response was sent, or not yet. */
  response: ({ status: number } & ExchangedMessage) | "reset" | "none";
}

/** The headers and the body of a request or a response. */
export interface ExchangedMessage {
  /** By lower-case name. */
  headers: Record<string, string>;
  /** As text. Empty if there was none. */
  body: string;
  /** How long the body was, if it was too long to keep: then `body` is only its beginning. */
  fullLength?: number;
}

/** A fault of requests or of a list: the field `then` or `lagMilliseconds` tells which. */
export type Fault = RequestFault | ListLag;

/** The fate of the next requests of one operation. An operation's faults apply in the order they were added. */
export interface RequestFault {
  operation: OperationId;
  /** Only requests with these path parameters: `{ app_id: "app-1" }`. @default any */
  parameters?: Record<string, string>;
  /** How many requests it applies to; `"always"` until it is cleared. @default 1 */
  times?: number | "always";
  /** How many requests to leave alone first. @default 0 */
  skip?: number;
  /** Carry out the request first, as without the fault. @default false */
  commit?: boolean;
  /**
   * A response to send, or:
   * - `"reset"`: resets the connection (TCP RST).
   * - `"hang"`: sends no response, and leaves the connection open.
   * - `"pass"`: sends the service's own response, to add only a delay.
   * - `"hold"`: sends the service's own response when `release` is called. The request is carried out at that time too,
   *   unless `commit` is set.
   */
  then: ScriptedAnswer | "reset" | "hang" | "pass" | "hold";
  /** How long to wait before `then`. With `commit`, the wait starts after the request is carried out. */
  delayMilliseconds?: number;
}

/** A response that a fault sends instead of the service's own. */
export interface ScriptedAnswer {
  status: number;
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** @default "text/plain" for a string, "application/json" otherwise */
  contentType?: string;
}

/** A list that lags: it does not show objects younger than this. Replaces an earlier lag of the same list. */
export interface ListLag {
  operation: ListOperation;
  /** Only lists with these path parameters: `{ app_id: "app-1" }`. @default any */
  parameters?: Record<string, string>;
  /** How many requests it applies to; `"always"` until it is cleared. @default "always" */
  times?: number | "always";
  lagMilliseconds: number;
}

/** A fault that still waits for requests. */
export interface WaitingFault {
  /** Counts from 1. For `Simulator.removeFault`. */
  number: number;
  operation: OperationId;
  parameters?: Record<string, string>;
  /** Its effect, as a sentence. */
  words: string;
  /** How many requests it still applies to. */
  remaining: number | "always";
  /** How many requests it still leaves alone first. Absent if none. */
  skip?: number;
  /** The lag of a list. */
  lagMilliseconds?: number;
}

/** The objects that the service holds, and methods to change them directly. No credential, limit or rule applies to them. */
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
  /** Returns copies of all objects. */
  all(): AllObjects;
  /**
   * Replaces all objects by what `all` returned, of this or another simulator. Throws if a value is not valid, and then
   * changes nothing. Values that `all` does not return stay unchanged, such as accounts, landing pages and past launches.
   * If an object was created later than the clock's time, the clock moves forward to its creation.
   */
  replaceAll(objects: AllObjects): void;
}

/** All objects that resources manage, by agent, folder or app (records by app and entity), and the members. */
export interface AllObjects {
  webhooks: Record<string, Webhook[]>;
  folders: Record<string, string[]>;
  campaigns: Record<string, Campaign[]>;
  records: Record<string, Record<string, StoredRecord[]>>;
  tests: Record<string, TestFlow[]>;
  scans: Record<string, Scan>;
  conversionGoals: Record<string, string[]>;
  codingSessions: Record<string, CodingSession[]>;
  members: Member[];
}

/** A webhook as stored, with the service's field names. Times end in `Z`. The secret is not stored. */
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

/** A failed delivery, as the webhook reports it. */
export interface DeliveryError {
  message: string;
  attempted_at: string;
  status_code: number | null;
  response_body: string | null;
  error_type: string | null;
}

/** How one delivery ended. */
export type DeliveryOutcome =
  | { ok: true }
  | {
      ok: false;
      /** The status that the endpoint responded with. Leave it out if there was no response. */
      status?: number;
      /** The start of the endpoint's response. */
      body?: string;
      /** Why there was no response. @default "timeout" */
      errorType?: string;
    };

/** The webhooks that the service holds. */
export interface WebhookObjects {
  /** Returns copies, oldest first. */
  webhooks(agentId?: string): Webhook[];
  /** Undefined if it does not exist. */
  webhook(agentId: string, id: string): Webhook | undefined;
  /** Adds a webhook, or replaces the one with the same id. Omitted fields have the values of a new webhook. */
  putWebhook(agentId: string, fields?: Partial<Webhook>): Webhook;
  /** Throws if it does not exist. */
  changeWebhook(agentId: string, id: string, fields: Partial<Omit<Webhook, "id">>): Webhook;
  /** Returns whether it existed. */
  removeWebhook(agentId: string, id: string): boolean;
}

/** A folder. With an owner, it is that user's personal folder. */
export interface Folder {
  id: string;
  owner?: string;
}

/** The folders that the service holds. */
export interface FolderObjects {
  /** The apps in a folder, in the order in which they were added. */
  folderItems(folderId: string): string[];
  /** Adds an app to a folder, unless it is in it. */
  addFolderItem(folderId: string, appId: string): void;
  /** Returns whether it was in the folder. */
  removeFolderItem(folderId: string, appId: string): boolean;
  /** Adds a folder, or changes its owner. Its items stay. */
  putFolder(folder: Folder): void;
  /** Removes a folder and its items. It no longer exists, even with `folders: "any"`. */
  removeFolder(folderId: string): void;
}

/** An app's advertising account, with the service's field names. */
export interface AdvertisingAccount {
  id: string;
  status: string;
  account_name: string;
  currency_code: string;
  timezone: string;
  platform_customer_id: string;
}

/**
 * An advertising campaign as stored, with the service's field names. Times end in `Z`. The review, serving and primary
 * status, the reasons and `updated_date` change by themselves as the service's clock advances. A status that a test set
 * stays.
 */
export interface Campaign {
  id: string;
  platform_campaign_id: string;
  campaign_name: string;
  campaign_type: string;
  /** `ENABLED`, `PAUSED` or `REMOVED`. A test can set others, because the specification does not list all. */
  status: string;
  daily_budget_micros: number;
  landing_page: string;
  geo_targets: string[];
  /** Empty if none was sent: the specification has a string here, not null. */
  phone_number: string;
  review_status: string;
  serving_status: string;
  primary_status: string;
  primary_status_reasons: string[];
  created_date: string;
  updated_date: string;
  learning_ends_at: string;
}

/** The spending of a campaign. Amounts are in units of the currency, so 12.5 is USD 12.50. */
export interface CampaignSpending {
  appId: string;
  campaignId: string;
  currency: string;
  dailyBudget: number;
  spent: number;
}

/** The campaigns and advertising accounts that the service holds. */
export interface CampaignObjects {
  /** Returns copies, oldest first, including `REMOVED` campaigns. */
  campaigns(appId?: string): Campaign[];
  /** Undefined if it does not exist. */
  campaign(appId: string, id: string): Campaign | undefined;
  /** Adds a campaign without a launch, or replaces the one with the same id. Omitted fields have the values of a new campaign. */
  putCampaign(appId: string, fields?: Partial<Campaign>): Campaign;
  /** Throws if it does not exist. A new status also sets the live fields that belong to it, unless they are given. */
  changeCampaign(appId: string, id: string, fields: Partial<Omit<Campaign, "id">>): Campaign;
  /** Removes it from the list, which no request can do. Returns whether it existed. */
  removeCampaign(appId: string, id: string): boolean;
  /** Every campaign that a launch request created, in order, even if it was deleted or removed later. */
  launches(appId?: string): Campaign[];
  /** The spending of each campaign so far by the service's clock: an invention of the simulator, for people to look at. */
  spending(): CampaignSpending[];
  /** Undefined until the app's first launch or `putAdvertisingAccount`. */
  advertisingAccount(appId: string): AdvertisingAccount | undefined;
  /** Creates the account without a launch, or changes these fields of it. */
  putAdvertisingAccount(appId: string, fields?: Partial<AdvertisingAccount>): AdvertisingAccount;
}

/** Whether the service reaches its payment provider to confirm a card. */
export type PaymentProvider = "reachable" | "unreachable";

/** Whether the ad platform accepts new campaigns. */
export type AdPlatform = "accepting" | "refusing";

/** Changes what launches depend on. */
export interface AdvertisingControls {
  /**
   * While it refuses, a launch that passes the service's own checks creates the app's account and then fails. Rule 3 of
   * launches shows this for a logo that cannot be fetched. Applies to all apps. The status is assumed: 400.
   */
  setAdPlatform(state: AdPlatform): void;
  /** The app's tracking is wired from now on. Campaigns that waited for it are enabled. */
  trackingVerified(appId: string): void;
  /** Applies to all apps. */
  setPaymentProvider(state: PaymentProvider): void;
  /** Applies to the workspace, so to all apps. */
  setBillingHold(onHold: boolean): void;
  /** Sets what launch readiness returns for the app, and what a launch must send. Null removes it. */
  setLandingPage(appId: string, landingPage: string | null): void;
}

/** The schema and rules of an entity. */
export interface EntitySchema {
  /** The field names that the schema declares. Others are dropped without an error. @default every name */
  fields?: string[];
  /** The row-level update rule: only records with these values can be updated. @default every record */
  updateRule?: Record<string, unknown>;
  /** The field-level rule: an update that sends one of these is refused in full. @default none */
  readOnlyFields?: string[];
  /** The status of a refusal by one of the two rules, which the specification does not show. @default 403 */
  refusalStatus?: number;
}

/** How apps treat their records. */
export interface RecordOptions {
  /** The schemas and rules of entities, by app and entity. Any entity exists. @default no schema and no rule */
  entities?: Record<string, Record<string, EntitySchema>>;
  /** Whether ISO date-times in the fields of a stored record lose their `Z`, like the service's own times. @default true */
  datesLoseTheirZone?: boolean;
  /** Apps whose records have no `created_by`. @default none */
  appsHidingAuthorship?: string[];
}

/**
 * An entity record as stored: the values exactly as sent, and those that the service assigned. Times end in `Z`.
 * `created_by` is present even if the app hides it.
 */
export interface StoredRecord extends Record<string, unknown> {
  id: string;
  created_date: string;
  updated_date: string;
  created_by: string;
  created_by_id: string;
  is_sample: boolean;
}

/** One write through the service. Each triggers the app's webhooks and automations. */
export interface RecordWrite {
  appId: string;
  entityName: string;
  id: string;
  action: "create" | "update" | "delete";
  at: string;
}

/** The records that the service holds. */
export interface RecordObjects {
  /** Returns copies, oldest first. The records of `User` are not the app's real user accounts. */
  records(appId: string, entityName: string): StoredRecord[];
  /** Undefined if it does not exist. */
  record(appId: string, entityName: string, id: string): StoredRecord | undefined;
  /** Adds a record, or replaces the one with the same id. No schema or rule applies, and nothing is triggered. */
  putRecord(appId: string, entityName: string, fields?: Partial<StoredRecord>): StoredRecord;
  /** Merges these fields. No rule applies, and nothing is triggered. Throws if it does not exist. */
  changeRecord(appId: string, entityName: string, id: string, fields: Partial<StoredRecord>): StoredRecord;
  /** Returns whether it existed. */
  removeRecord(appId: string, entityName: string, id: string): boolean;
  /** Every write that the service carried out for a request, in order. */
  recordWrites(appId?: string, entityName?: string): RecordWrite[];
  /** Replaces an entity's schema and rules. Its records stay as they are. */
  setEntity(appId: string, entityName: string, schema: EntitySchema): void;
}

/** How the service returns tests. */
export interface TestOptions {
  /** The form of a test in a response, which the specification does not show. */
  testAnswers?: {
    /** The name of the field with its id. @default "id" */
    idField?: "id" | "flow_id";
    /** Whether it has `created_date` and `updated_date`. @default true */
    dates?: boolean;
  };
}

/** An automated test as stored. Times end in `Z`. */
export interface TestFlow {
  id: string;
  /** As it was sent. */
  definition: Record<string, unknown>;
  /** The ids of its unfinished runs. */
  running: string[];
  created_date: string;
  updated_date: string;
}

/** A run that was cancelled because its test was deleted. */
export interface CancelledRun {
  id: string;
  flow_id: string;
  cancelled_at: string;
}

/** The tests that the service holds. */
export interface TestObjects {
  /** Returns copies, oldest first. */
  tests(appId?: string): TestFlow[];
  /** Undefined if it does not exist. */
  test(appId: string, flowId: string): TestFlow | undefined;
  /** Adds a test, or replaces the one with the same id. Omitted fields have the values of a new test. */
  putTest(appId: string, fields?: Partial<TestFlow>): TestFlow;
  /** Cancels its runs first, as the service does. Returns whether it existed. */
  removeTest(appId: string, flowId: string): boolean;
  /** Returns the new run's id. Throws if there is no such test. */
  startRun(appId: string, flowId: string): string;
  /** The runs that deletions cancelled, in order. */
  cancelledRuns(appId?: string): CancelledRun[];
}

/** The result of a security scan. The specification does not show what its lists contain. */
export interface ScanResult {
  analysis_summary: string;
  rls_recommendations: unknown[];
  hardcoded_secrets: unknown[];
  backend_functions: unknown[];
  dependency_vulnerabilities: unknown[];
  static_code_findings: unknown[];
  header_recommendations: unknown[];
  core_integration_recommendation: string;
  scanned_at: string;
}

/** An app's latest security scan, with the service's field names. */
export interface Scan {
  status: "up_to_date" | "out_of_date" | "none" | "pending" | "scanning" | "scan_failed";
  /** Always null while the status is `none`. */
  result: ScanResult | null;
  static_code_enabled: boolean;
  ignored_fingerprints: string[];
}

/** Fields of a scan to set. Omitted fields of the result are empty. */
export type ScanChange = Partial<Omit<Scan, "result">> & { result?: Partial<ScanResult> | null };

/** The security scans that the service holds. */
export interface ScanObjects {
  /** Returns a copy. An app that was never scanned has the status `none`. */
  scan(appId: string): Scan;
  /** Changes these fields. An `up_to_date` scan without a result gets one without findings. */
  setScan(appId: string, fields: ScanChange): Scan;
  /** In the order in which they were ignored. */
  ignoredFindings(appId: string): string[];
}

/** The conversion goals that the service holds. */
export interface TrackingObjects {
  /** The conversion goals of the app's advertising account, oldest first. They need not be of the standard set. */
  conversionGoals(appId: string): string[];
  /** Replaces the goals, which no request can do. Each is kept once. */
  setConversionGoals(appId: string, goals: string[]): void;
  /** Sets how many conversion mappings are enabled. It is 0 at the start. */
  setConversionMappings(appId: string, enabled: number): void;
  /** Sets the conversion tag's id. "" makes the prompt tell the AI to look ids up. By default it is made from the account. */
  setConversionTag(appId: string, conversionId: string): void;
}

/** A coding session, with the service's field names. It stays `queued` until a test changes it. */
export interface CodingSession {
  id: string;
  state:
    "queued" | "running" | "opening_pull_request" | "needs_input" | "completed" | "failed" | "cancelling" | "cancelled";
  message_id: string | null;
  repository_full_name: string;
  branch_id: string | null;
  branch_name: string | null;
  session_url: string | null;
  pull_request: Record<string, unknown> | null;
  error_code: string | null;
  launch_key: string | null;
  client_reference: string | null;
  input_request_id: string | null;
  outcome: "pull_request" | "answer" | null;
  summary: string | null;
}

/** The repository that coding sessions work on. */
export interface CodingSessionOptions {
  /** The connected repository, by app. @default "example/app" for each */
  repositories?: Record<string, string>;
}

/** The coding sessions that the service holds. */
export interface CodingSessionObjects {
  /** Returns copies, in the order of their launches. */
  codingSessions(appId?: string): CodingSession[];
  /** Adds a session that nobody launched here. Omitted fields have the values of a new session. */
  putCodingSession(appId: string, fields?: Partial<CodingSession>): CodingSession;
  /** Throws if it does not exist. */
  changeCodingSession(appId: string, id: string, fields: Partial<Omit<CodingSession, "id">>): CodingSession;
  /** Connects another repository. Existing sessions keep theirs. */
  setRepository(appId: string, fullName: string): void;
}

/**
 * A member or an invitation as stored, with the service's field names. The specification does not show the values of
 * `access_state`, `assigned_via` and `status`; `status` has the values of the filter `invite_statuses`.
 */
export interface Member {
  access_state: string;
  agents_owned: number;
  agents_shared: number;
  apps_owned: number;
  apps_shared: number;
  assigned_via: string;
  /** Null: no limit of their own. */
  credit_limit: number | null;
  credits_used: number;
  email: string;
  full_name: string;
  is_default_limit: boolean;
  /** The last credit use. Null if they never used credits. */
  last_active: string | null;
  last_seen: string | null;
  role: "owner" | "admin" | "editor" | "viewer" | "guest";
  status: "joined" | "pending" | "expired";
  /** Null for an invitation. */
  user_id: string | null;
}

/** A member's email and any other fields. */
export type GivenMember = Partial<Member> & Pick<Member, "email">;

/** The workspace's own limits. */
export interface CreditLimits {
  /** Null: unlimited. */
  monthly_limit: number | null;
  default_member_credit_limit: number | null;
}

/** The members at the start. */
export interface MemberOptions {
  /** The members of the workspace. @default an owner (who owns the default credentials), an admin, an editor, a viewer and an invitation */
  members?: GivenMember[];
  /** The domain of staff emails, which the specification does not show. Active guests from it are not listed. @default "staff.example.com" */
  staffDomain?: string;
}

/** The members and invitations of the workspace. */
export interface MemberObjects {
  /** Returns copies, in the order in which they were added. */
  members(): Member[];
  /** Adds a member, or changes the one with the same email. Omitted fields have the values of an editor who joined. */
  putMember(fields: GivenMember): Member;
  /** Returns whether they existed. */
  removeMember(email: string): boolean;
  /** Replaces all members. */
  setMembers(members: GivenMember[]): void;
  /** Changes the limits that are given. */
  setCreditLimits(limits: Partial<CreditLimits>): void;
}

/** A location in the catalog, with the service's field names. */
export interface GeoTarget {
  resource_name: string;
  name: string;
  canonical_name: string;
  country_code: string;
  target_type: string;
  reach: number;
}

/** The location catalog at the start. */
export interface GeoTargetOptions {
  /** The location catalog. @default a few cities, regions and countries */
  geoTargets?: GeoTarget[];
}

/** The location catalog. */
export interface GeoTargetObjects {
  /** Returns a copy of the catalog. */
  geoTargets(): GeoTarget[];
  /** Replaces the whole catalog. */
  setGeoTargets(catalogue: GeoTarget[]): void;
}

/** The search themes that the service suggests. */
export interface SearchThemeObjects {
  /** Sets the themes suggested for the app, in any language. Null: made from the request again. */
  setSearchThemes(appId: string, themes: string[] | null): void;
}

/** A row of the search-term report, with the service's field names. */
export interface SearchTerm {
  search_term: string;
  campaign: string;
  impressions: number;
  clicks: number;
  cost_micros: number;
  conversions: number;
}

/** The rows of search-term reports. */
export interface SearchTermObjects {
  /** Returns all rows, including those that a report leaves out. */
  searchTerms(appId: string): SearchTerm[];
  /** Replaces the rows of one source, a campaign type. They are in the report for any dates. */
  setSearchTerms(appId: string, rows: Partial<SearchTerm>[], source?: string): void;
  /** Makes reads of this source fail or work. The report gives no sign of a failed read. */
  setSearchTermSource(appId: string, source: string, state: "failing" | "working"): void;
}

/** A generated asset. The specification shows only three of its fields, in the library. */
export type Asset = Record<string, unknown>;

/** The generated assets that the service holds. */
export interface AssetObjects {
  /** Sets the previews of a generation. Other sessions read as empty, like one that is running or expired. */
  setAssetSession(appId: string, sessionId: string, previews: Asset[]): void;
  /** Replaces the app's generated assets, newest first. Only the first 5,000 are returned. */
  setAssetLibrary(appId: string, assets: Asset[]): void;
  /** Sets the assets attached to a campaign. */
  setCampaignAssets(appId: string, campaignId: string, assets: Asset[]): void;
}

/** A value that a connector needs before a connection is started, with the service's field names. */
export interface ConnectorField {
  description: string;
  display_name: string;
  name: string;
  placeholder: string;
  required: boolean;
  validation_error: string;
  validation_pattern: string;
}

/** The fields of connectors, and the saved connections of apps. */
export interface ConnectorObjects {
  /** Sets the fields of a connector, for all apps. Omitted properties of a field are empty. */
  setConnector(integrationType: string, fields: Partial<ConnectorField>[]): void;
  /** Sets the values saved on the app's current connection. Null removes the connection. */
  setConnection(appId: string, integrationType: string, values: Record<string, unknown> | null): void;
}

/** Counts of an app's users, with the service's field names. */
export interface UserStats {
  active_users: number;
  live_users: number;
  inactive_7d: number;
  inactive_30d: number;
}

/** The user counts that the service returns. */
export interface UserStatsObjects {
  /** Returns a copy. */
  userStats(appId: string): UserStats;
  /** Changes these counts. A count that the service cannot read is 0 too. */
  setUserStats(appId: string, counts: Partial<UserStats>): UserStats;
}

/** A run of a workflow. */
export interface WorkflowRun {
  /** Only `failed` runs can be analyzed. The specification does not show the other values. */
  status: string;
  /** The first analysis stores it. Null before. */
  explanation: string | null;
  generated_at: string | null;
}

/** The workflow runs that the service holds. */
export interface WorkflowRunObjects {
  /** Undefined if it does not exist. */
  workflowRun(appId: string, workflowId: string, runId: string): WorkflowRun | undefined;
  /** Adds a run, `failed` by default, or changes one. */
  putWorkflowRun(appId: string, workflowId: string, runId: string, fields?: Partial<WorkflowRun>): WorkflowRun;
  /** Sets whether the language model is available. While it is not, a new explanation is empty. */
  setLanguageModel(state: "available" | "unavailable"): void;
}
