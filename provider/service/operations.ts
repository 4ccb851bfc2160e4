import { z } from "zod";
import {
  campaign,
  campaignAction,
  codingSession,
  createdWebhook,
  folderItem,
  launched,
  listOf,
  readiness,
  record,
  removedFolderItem,
  scan,
  testFlow,
  trackingPrompt,
  webhook,
} from "./shapes";
import {
  assets,
  connectorFields,
  geoTargets,
  memberPage,
  runAnalysis,
  searchTerms,
  searchThemes,
  userStats,
} from "./lookup-shapes";
import type { OperationId } from "./operation-ids";

/* How much of a response is read. Submitted data must stay within it too, or it could not be read back. */
export const mebibyte = 1024 * 1024;

/** For the user's own objects: records, tests, connections. */
export const maxUserBytes = 4 * mebibyte;

/** `"METHOD /path/{parameter}"`. */
export type Endpoint = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

export interface Operation<E extends Endpoint = Endpoint, Answer extends z.ZodType = z.ZodType> {
  readonly endpoint: E;
  /** False: the specification does not show this endpoint, and it is an educated guess. */
  readonly documented: boolean;
  /**
   * `key`: it takes the `api_key` header, and a full-access token as well (Authentication, rule 1). All operations on one
   * kind of object act as one identity. If the specification lists the key for one of them, the assumed ones use it too.
   */
  readonly credential: "token" | "key";
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** A 204 is a success too. Every other success must have the body of `answer`. */
  readonly doneOn204?: boolean;
  /** Only a 200 says that it was carried out. Any other success leaves that uncertain. */
  readonly doneOnlyOn200?: boolean;
  /** It changes nothing, although it is not a GET. */
  readonly reads?: boolean;
  /** A language model writes text for it, which takes time and may cost. */
  readonly generatesText?: boolean;
  /** The documented limit in requests per minute. */
  readonly perMinute?: number;
  /** The path parameter that has a limit of its own for each value. */
  readonly limitedPer?: string;
  /** Its bodies hold the user's own records, tests or connections. Errors never repeat their values. */
  readonly carriesRecords?: boolean;
  /** Fields of the body that may hold a secret of the program, such as a key in a URL. Errors never repeat them. */
  readonly hiddenFields?: readonly string[];
  /** Its time-out is never shorter than this, because it may take longer than other operations. */
  readonly minTimeoutSeconds?: number;
  /** A larger response is not read. @default 1 MiB, far above any object that the specification shows */
  readonly maxBytes?: number;
  /** The statuses with which it refuses, where they are not the usual ones. Any other leaves the outcome uncertain. */
  readonly refusals?: readonly number[];
  /** The consequence of a refusal, unless nothing was changed. */
  readonly whenRefused?: string;
  /** The consequence of setting the operation to `"none"`. */
  readonly whenNone?: string;
  readonly answer: Answer;
}

type Traits = Partial<Omit<Operation, "endpoint" | "documented" | "answer">>;

const anything = z.unknown();

function operation(documented: boolean) {
  return <E extends Endpoint, Answer extends z.ZodType>(
    endpoint: E,
    answer: Answer,
    traits: Traits = {},
  ): Operation<E, Answer> => ({
    endpoint,
    documented,
    credential: "token",
    repeatable: endpoint.startsWith("GET "),
    answer,
    ...traits,
  });
}

const documented = operation(true);
const assumed = operation(false);

const key: Traits = { credential: "key" };
const harmless: Traits = { repeatable: true };
const userData: Traits = { carriesRecords: true, maxBytes: maxUserBytes };
/** The specification lists the key for record.update, and row-level rules depend on who asks. */
const records: Traits = { ...key, ...userData };
const webhookTexts: Traits = { hiddenFields: ["target_url", "description"] };
/** Lists without paging, such as all records of an entity. */
const many: Traits = { maxBytes: 16 * mebibyte };
/** The library has up to 5,000 assets in one response, and cannot be asked for fewer. */
const assetLibrary: Traits = { maxBytes: 64 * mebibyte };
const read: Traits = { reads: true, repeatable: true };
const written: Traits = { generatesText: true, minTimeoutSeconds: 60 };

/**
 * Every operation of the service that this package may call: the only place that knows a path, a credential or a
 * limit. Documented ones are in the specification; assumed ones are not shown there, and users can set each of them
 * with `workspace-apps:endpoints`.
 */
export const operations = {
  "webhook.create": assumed("POST /api/agents/{agent_id}/webhooks", createdWebhook, webhookTexts),
  "webhook.get": assumed("GET /api/agents/{agent_id}/webhooks/{webhook_id}", webhook, {
    whenNone: "webhooks are then read through the documented webhook.update",
  }),
  "webhook.list": assumed("GET /api/agents/{agent_id}/webhooks", listOf("webhooks", webhook), many),
  "webhook.update": documented("PATCH /api/agents/{agent_id}/webhooks/{webhook_id}", webhook, {
    ...harmless,
    ...webhookTexts,
    perMinute: 100,
  }),
  "webhook.delete": assumed("DELETE /api/agents/{agent_id}/webhooks/{webhook_id}", anything, harmless),

  "campaign.launch": documented("POST /api/apps/{app_id}/ads-platform/launch", launched, {
    ...key,
    doneOnlyOn200: true,
    refusals: [400, 401, 402, 403, 404, 422],
    // The ad platform's own refusals come after the account. Nobody can tell them from the checks before it.
    whenRefused:
      "No campaign was launched. The app's advertising account may exist by now, and then its time zone is fixed.",
  }),
  "campaign.list": assumed("GET /api/apps/{app_id}/ads-platform/campaigns", listOf("campaigns", campaign), {
    ...key,
    ...many,
  }),
  "campaign.pause": assumed("POST /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}/pause", campaignAction, {
    ...key,
    doneOnlyOn200: true,
  }),
  "campaign.resume": assumed("POST /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}/resume", campaignAction, {
    ...key,
    doneOnlyOn200: true,
  }),
  "campaign.delete": documented("DELETE /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}", anything, {
    ...key,
    doneOnlyOn200: true,
  }),
  "campaign.readiness": assumed("GET /api/apps/{app_id}/ads-platform/launch-readiness", readiness, {
    ...key,
    whenNone: "campaigns are then launched without comparing the landing page first",
  }),

  "folderItem.add": assumed("POST /api/app-folders/{folder_id}/items", anything, harmless),
  "folderItem.list": assumed("GET /api/app-folders/{folder_id}/items", listOf("items", folderItem), many),
  "folderItem.remove": documented("DELETE /api/app-folders/{folder_id}/items/{app_id}", removedFolderItem, {
    ...harmless,
    doneOn204: true,
    perMinute: 600,
  }),

  "record.create": assumed("POST /api/apps/{app_id}/entities/{entity_name}", record, records),
  "record.get": assumed("GET /api/apps/{app_id}/entities/{entity_name}/{entity_id}", record, records),
  "record.delete": assumed("DELETE /api/apps/{app_id}/entities/{entity_name}/{entity_id}", anything, {
    ...harmless,
    ...records,
  }),
  "record.list": assumed("GET /api/apps/{app_id}/entities/{entity_name}", listOf("items", record), {
    ...records,
    ...many,
  }),
  "record.update": documented("PUT /api/apps/{app_id}/entities/{entity_name}/{entity_id}", record, records),

  "test.create": assumed("POST /api/apps/{app_id}/testing-agent/flows", testFlow, userData),
  "test.list": assumed("GET /api/apps/{app_id}/testing-agent/flows", listOf("flows", testFlow), {
    ...userData,
    ...many,
  }),
  "test.get": assumed("GET /api/apps/{app_id}/testing-agent/flows/{flow_id}", testFlow, userData),
  "test.update": assumed("PUT /api/apps/{app_id}/testing-agent/flows/{flow_id}", anything, {
    ...harmless,
    ...userData,
  }),
  "test.delete": documented("DELETE /api/apps/{app_id}/testing-agent/flows/{flow_id}", anything, {
    ...harmless,
    perMinute: 300,
    limitedPer: "app_id",
  }),

  "finding.ignore": assumed("POST /api/apps/{app_id}/security/scan/ignore", anything, harmless),
  "finding.restore": documented("DELETE /api/apps/{app_id}/security/scan/ignore/{fingerprint}", anything, harmless),

  // The operation is documented, its path is not.
  "codingSession.launch": assumed("POST /api/apps/{app_id}/coding-sessions", codingSession, {
    ...harmless,
    // Not the name of the repository: a refusal is often about it.
    hiddenFields: [
      "prompt",
      "title",
      "existing_branch",
      "source_ref",
      "pull_request_body",
      "commit_message",
      "client_reference",
    ],
  }),
  "codingSession.get": assumed("GET /api/apps/{app_id}/coding-sessions/{session_id}", codingSession),

  "tracking.bootstrap": documented(
    "POST /api/apps/{app_id}/ads-platform/tracking-scan/build-bootstrap-prompt",
    trackingPrompt,
    // Creates the goals that are missing, so a second call creates none. It waits for the ad platform to publish tags.
    { ...key, ...harmless, minTimeoutSeconds: 60 },
  ),
  "member.list": documented("POST /api/workspace/members/list", memberPage, {
    ...read,
    maxBytes: 4 * mebibyte,
    perMinute: 30,
  }),
  "geoTarget.search": documented("GET /api/apps/{app_id}/ads-platform/geo-targets/search", geoTargets, key),
  "searchTheme.suggest": documented("POST /api/apps/{app_id}/ads-platform/suggestions/search-themes", searchThemes, {
    ...key,
    ...read,
    ...written,
  }),
  "searchTerm.report": documented("GET /api/apps/{app_id}/ads-platform/analytics/search-terms", searchTerms, key),
  "asset.list": documented("GET /api/apps/{app_id}/ads-platform/assets", assets, { ...key, ...assetLibrary }),
  "scan.get": documented("GET /api/apps/{app_id}/security/scan", scan, { ...key, ...many }),
  "connector.fields": documented(
    "GET /api/apps/{app_id}/external-auth/connection-config/{integration_type}",
    connectorFields,
    { ...userData, perMinute: 150 },
  ),
  "userStats.get": documented("GET /api/apps/{app_id}/analytics/stats/users", userStats, key),
  "run.analyze": documented("POST /api/apps/{app_id}/workflows/{workflow_id}/runs/{run_id}/analyze", runAnalysis, {
    ...key,
    ...harmless,
    ...written,
    perMinute: 5,
  }),
} as const satisfies Record<OperationId, Operation>;

export type { OperationId };

/** The names in a path's braces. */
type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

export type Parameters<Id extends OperationId> = Record<ParametersOf<(typeof operations)[Id]["endpoint"]>, string>;

export type Answer<Id extends OperationId> = z.output<(typeof operations)[Id]["answer"]>;

export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}

/** Whether an operation changes nothing. `method`: the one that a setting gives it, if any. */
export function isRead(id: OperationId, method = operations[id].endpoint.split(" ")[0]): boolean {
  const { reads = method === "GET" }: Operation = operations[id];
  return reads;
}

/** The parameter names of an endpoint, in order. */
export function parameterNames(endpoint: string): string[] {
  return [...endpoint.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
}
