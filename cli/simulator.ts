import { parseArgs } from "node:util";
import { z } from "zod";
import { isOperationId, type OperationId } from "../provider/service/operations";
import { type Credential, defaultCredentials, type Simulator, startSimulator } from "../simulator";
import { type Command, UsageError } from "./command";

const help = `Usage: workspace-apps simulator [options]

Runs the service in memory, over HTTP, for tests and for trying a program offline. It is a test tool: it listens on
127.0.0.1 alone, and whoever reaches its port can script it under /__simulator/. Everything is lost when it ends.

Options:
  --port NUMBER   the port; 0 takes any free one (default 4010)
  --limits JSON   requests per minute by operation, instead of the documented limits
  --token VALUE   take this full-access token instead of "full-access-token"
  --help          this text

Example:
  npx workspace-apps simulator --port 4010 --limits '{"webhook.update": 1000}'

Control interface (JSON, no credential), under /__simulator/:
  GET, DELETE requests               the request log
  POST, DELETE faults                {"operation": "webhook.create", "commit": true, "then": "reset"}
                                     then: {"status": 503, "body": {}}, "reset", "hang" or "pass"; also times, skip
                                     and delayMilliseconds
                                     {"operation": "webhook.list", "lagMilliseconds": 5000}
  GET objects                        what is stored
  PUT objects/webhooks               {"agentId": "a", "webhookId": "w", "fields": {"description": "changed"}}
  DELETE objects/webhooks            ?agentId=a&webhookId=w
  PUT objects/folders                {"id": "f", "owner": "user"}; without an owner it is the workspace's
  DELETE objects/folders             ?folderId=f
  PUT objects/folder-items           {"folderId": "f", "appId": "a"}
  DELETE objects/folder-items        ?folderId=f&appId=a
  PUT objects/campaigns              {"appId": "a", "campaignId": "c", "fields": {"status": "PAUSED"}}
  DELETE objects/campaigns           ?appId=a&campaignId=c
  PUT objects/records                {"appId": "a", "entityName": "e", "recordId": "r", "fields": {"title": "changed"}}
  DELETE objects/records             ?appId=a&entityName=e&recordId=r
  GET record-writes                  ?appId=a&entityName=e; every write of a record through the service
  PUT entities                       {"appId": "a", "entityName": "e", "schema": {"fields": ["title"],
                                     "updateRule": {"title": "open"}, "readOnlyFields": [], "refusalStatus": 403}}
  PUT objects/tests                  {"appId": "a", "flowId": "f", "definition": {}}
  DELETE objects/tests               ?appId=a&flowId=f
  POST test-runs                     {"appId": "a", "flowId": "f"}; starts a run
  GET cancelled-runs                 ?appId=a; the runs that deletions cancelled
  PUT objects/scans                  {"appId": "a", "fields": {"status": "up_to_date", "ignored_fingerprints": []}}
  PUT objects/coding-sessions        {"appId": "a", "sessionId": "s", "fields": {"state": "completed"}}
  PUT repositories                   {"appId": "a", "fullName": "owner/name"}; the connected repository
  GET launches                       ?appId=a; every campaign that a launch request created
  PUT advertising                    {"paymentProvider": "unreachable", "billingHold": true}; or "reachable", false
  PUT advertising/landing-pages      {"appId": "a", "landingPage": "https://example.com/"}; null: none
  PUT advertising/accounts           {"appId": "a"}; an account without a launch
  PUT advertising/conversions        {"appId": "a", "enabledMappings": 2, "goals": ["PURCHASE"], "conversionId": "t"}
  POST advertising/tracking          {"appId": "a"}; its conversion tracking is verified
  PUT objects/members                {"email": "a@example.com", "fields": {"role": "admin"}}
  DELETE objects/members             ?email=a@example.com
  PUT credit-limits                  {"monthly_limit": 1000, "default_member_credit_limit": null}
  PUT advertising/geo-targets        [{"resource_name": "g", "name": "Bern", "canonical_name": "Bern,Switzerland",
                                     "country_code": "CH", "target_type": "City", "reach": 1}]; the whole catalogue
  PUT advertising/search-themes      {"appId": "a", "themes": ["pots"]}; null: made from the request
  PUT advertising/search-terms       {"appId": "a", "rows": [{"search_term": "pots", "impressions": 3}]}
  PUT advertising/search-term-sources
                                     {"appId": "a", "source": "SMART", "state": "failing"}; or "working"
  PUT advertising/assets             {"appId": "a", "library": []}; or with "sessionId" and "session", or with
                                     "campaignId" and "durable"
  PUT connectors                     {"integrationType": "crm", "fields": [{"name": "key", "required": true}]}
  PUT connections                    {"appId": "a", "integrationType": "crm", "values": {"key": "k"}}; null: none
  PUT user-stats                     {"appId": "a", "fields": {"live_users": 0}}
  PUT workflow-runs                  {"appId": "a", "workflowId": "w", "runId": "r", "fields": {"status": "failed"}}
  PUT language-model                 {"state": "unavailable"}; or "available"
  POST deliveries                    {"agentId": "a", "webhookId": "w", "outcome": {"ok": false, "status": 500}}
`;

/** @public `workspace-apps.ts` requires it. */
export const command: Command = {
  help,
  async run(args, { out }) {
    const { port, limits, token } = optionsFrom(args);
    const started = await startSimulator({ port, limits, credentials: credentialsWith(token) });
    out(greeting(started, token));
    await interrupted();
    await started.close();
    return 0;
  },
};

function optionsFrom(args: string[]) {
  const values = parsed(args);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new UsageError("--port must be a whole number from 0 to 65535.");
  if (values.token !== undefined && !/^[\x21-\x7e]+$/.test(values.token))
    throw new UsageError("--token must be printable characters without spaces.");
  return { port, limits: limitsFrom(values.limits), token: values.token };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string", default: "4010" },
        limits: { type: "string", default: "{}" },
        token: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const limitsShape = z.record(
  z.custom<OperationId>((id) => typeof id === "string" && isOperationId(id)),
  z.int().positive(),
);

function limitsFrom(text: string): Partial<Record<OperationId, number>> {
  try {
    return limitsShape.parse(JSON.parse(text));
  } catch {
    throw new UsageError(
      `--limits must be JSON that gives operations their requests per minute, as '{"webhook.update": 1000}'.`,
    );
  }
}

function credentialsWith(token: string | undefined): Credential[] {
  return defaultCredentials.map((credential, index) =>
    index === 0 && token !== undefined ? { ...credential, value: token } : credential,
  );
}

/** A token that the user gave is not repeated: it may be a real one. */
function greeting({ url }: Simulator, token: string | undefined): string {
  const [fullAccess, ...others] = defaultCredentials.map(
    ({ value, kind, permission = "full_access" }) => `  ${value.padEnd(20)}${kind}, ${permission}`,
  );
  const first = token === undefined ? fullAccess : `  ${"(as given)".padEnd(20)}personal-token, full_access`;
  return `The simulator listens on ${url} (this machine only). It takes these credentials:
${[first, ...others].join("\n")}

Point a program at it:
  export WORKSPACE_APPS_BASE_URL=${url}
  export WORKSPACE_APPS_ACCESS_TOKEN=${token === undefined ? "full-access-token" : "<the value of --token>"}
  pulumi up

Ctrl-C ends it.
`;
}

async function interrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}
