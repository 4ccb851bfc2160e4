import type { Command } from "./command";

const help = `Usage: workspace-apps simulator [options]

Runs the service in memory, over HTTP, for tests and for trying a program offline. It is a test tool: it listens on
127.0.0.1 alone, and whoever reaches its port can script it under /__simulator/. Everything is lost when it ends.

Options:
  --port NUMBER   the port; 0 takes any free one (default 4010)
  --limits JSON   requests per minute by operation, instead of the documented limits
  --token VALUE   take this full-access token instead of "full-access-token"
  --help          this text

Example:
  npx --no -- workspace-apps simulator --port 4010 --limits '{"webhook.update": 1000}'

Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 wrong use, 1 any other failure, as a port that is taken.

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
  run(args, output) {
    // Loaded when it runs: the help stays fast.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return (require("./simulator/run") as Pick<Command, "run">).run(args, output);
  },
};
