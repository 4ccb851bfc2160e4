import assert from "node:assert/strict";
import { isOperationId, type Operation, operations, parameterNames } from "../../provider/service/operations";

/** The table of the contract. Rows with several operations are expanded. */
const contract = {
  "webhook.create": ["assumed", "POST /api/agents/{agent_id}/webhooks"],
  "webhook.get": ["assumed", "GET /api/agents/{agent_id}/webhooks/{webhook_id}"],
  "webhook.list": ["assumed", "GET /api/agents/{agent_id}/webhooks"],
  "webhook.update": ["documented", "PATCH /api/agents/{agent_id}/webhooks/{webhook_id}"],
  "webhook.delete": ["assumed", "DELETE /api/agents/{agent_id}/webhooks/{webhook_id}"],
  "campaign.launch": ["documented", "POST /api/apps/{app_id}/ads-platform/launch"],
  "campaign.list": ["assumed", "GET /api/apps/{app_id}/ads-platform/campaigns"],
  "campaign.pause": ["assumed", "POST /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}/pause"],
  "campaign.resume": ["assumed", "POST /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}/resume"],
  "campaign.delete": ["documented", "DELETE /api/apps/{app_id}/ads-platform/campaigns/{campaign_id}"],
  "campaign.readiness": ["assumed", "GET /api/apps/{app_id}/ads-platform/launch-readiness"],
  "folderItem.add": ["assumed", "POST /api/app-folders/{folder_id}/items"],
  "folderItem.list": ["assumed", "GET /api/app-folders/{folder_id}/items"],
  "folderItem.remove": ["documented", "DELETE /api/app-folders/{folder_id}/items/{app_id}"],
  "record.create": ["assumed", "POST /api/apps/{app_id}/entities/{entity_name}"],
  "record.get": ["assumed", "GET /api/apps/{app_id}/entities/{entity_name}/{entity_id}"],
  "record.delete": ["assumed", "DELETE /api/apps/{app_id}/entities/{entity_name}/{entity_id}"],
  "record.list": ["assumed", "GET /api/apps/{app_id}/entities/{entity_name}"],
  "record.update": ["documented", "PUT /api/apps/{app_id}/entities/{entity_name}/{entity_id}"],
  "test.create": ["assumed", "POST /api/apps/{app_id}/testing-agent/flows"],
  "test.list": ["assumed", "GET /api/apps/{app_id}/testing-agent/flows"],
  "test.get": ["assumed", "GET /api/apps/{app_id}/testing-agent/flows/{flow_id}"],
  "test.update": ["assumed", "PUT /api/apps/{app_id}/testing-agent/flows/{flow_id}"],
  "test.delete": ["documented", "DELETE /api/apps/{app_id}/testing-agent/flows/{flow_id}"],
  "finding.ignore": ["assumed", "POST /api/apps/{app_id}/security/scan/ignore"],
  "finding.restore": ["documented", "DELETE /api/apps/{app_id}/security/scan/ignore/{fingerprint}"],
  "codingSession.launch": ["assumed", "POST /api/apps/{app_id}/coding-sessions"],
  "codingSession.get": ["assumed", "GET /api/apps/{app_id}/coding-sessions/{session_id}"],
  "tracking.bootstrap": ["documented", "POST /api/apps/{app_id}/ads-platform/tracking-scan/build-bootstrap-prompt"],
  "member.list": ["documented", "POST /api/workspace/members/list"],
  "geoTarget.search": ["documented", "GET /api/apps/{app_id}/ads-platform/geo-targets/search"],
  "searchTheme.suggest": ["documented", "POST /api/apps/{app_id}/ads-platform/suggestions/search-themes"],
  "searchTerm.report": ["documented", "GET /api/apps/{app_id}/ads-platform/analytics/search-terms"],
  "asset.list": ["documented", "GET /api/apps/{app_id}/ads-platform/assets"],
  "scan.get": ["documented", "GET /api/apps/{app_id}/security/scan"],
  "connector.fields": ["documented", "GET /api/apps/{app_id}/external-auth/connection-config/{integration_type}"],
  "userStats.get": ["documented", "GET /api/apps/{app_id}/analytics/stats/users"],
  "run.analyze": ["documented", "POST /api/apps/{app_id}/workflows/{workflow_id}/runs/{run_id}/analyze"],
};

const table: [string, Operation][] = Object.entries(operations);

/** The sorted ids of the operations that match. */
function where(holds: (operation: Operation) => boolean): string[] {
  return table
    .filter(([, operation]) => holds(operation))
    .map(([id]) => id)
    .sort();
}

describe("The operations table", () => {
  it("contains the operations and endpoints of the contract, and marks those that the specification does not show", () => {
    const found = table.map(([id, { documented, endpoint }]) => [
      id,
      [documented ? "documented" : "assumed", endpoint],
    ]);
    assert.deepEqual(Object.fromEntries(found), contract);
  });

  it("allows the api_key form only for advertising, records, scan read, workflow analysis and user stats", () => {
    const advertising = where(({ endpoint }) => endpoint.includes("/ads-platform/"));
    const records = where(({ endpoint }) => endpoint.includes("/entities/"));
    assert.deepEqual([advertising.length, records.length], [11, 5]);
    assert.deepEqual(
      where(({ credential }) => credential === "key"),
      [...advertising, ...records, "run.analyze", "scan.get", "userStats.get"].sort(),
    );
  });

  it("has one credential for all operations on a kind of object", () => {
    const credentials = new Map<string, Set<string>>();
    for (const [id, { credential }] of table) {
      const [object = ""] = id.split(".");
      credentials.set(object, (credentials.get(object) ?? new Set()).add(credential));
    }
    assert.deepEqual(
      [...credentials].filter(([, found]) => found.size > 1),
      [],
    );
  });

  it("contains the documented limits, and counts test deletion for each app", () => {
    const limits = table.flatMap(([id, { perMinute, limitedPer }]) =>
      perMinute === undefined && limitedPer === undefined ? [] : [[id, [perMinute, limitedPer]]],
    );
    assert.deepEqual(Object.fromEntries(limits), {
      "webhook.update": [100, undefined],
      "member.list": [30, undefined],
      "connector.fields": [150, undefined],
      "run.analyze": [5, undefined],
      "folderItem.remove": [600, undefined],
      "test.delete": [300, "app_id"],
    });
  });

  it("marks every read as repeatable, and the writes whose repetition is harmless", () => {
    assert.deepEqual(
      where(({ endpoint, repeatable }) => endpoint.startsWith("GET ") && !repeatable),
      [],
    );
    assert.deepEqual(
      where(({ endpoint, repeatable }) => !endpoint.startsWith("GET ") && repeatable),
      [
        "codingSession.launch",
        "finding.ignore",
        "finding.restore",
        "folderItem.add",
        "folderItem.remove",
        "member.list",
        "record.delete",
        "run.analyze",
        "searchTheme.suggest",
        "test.delete",
        "test.update",
        "tracking.bootstrap",
        "webhook.delete",
        "webhook.update",
      ],
    );
  });

  it("marks two of the POSTs as reads, which change nothing", () => {
    assert.deepEqual(
      where(({ reads }) => reads === true),
      ["member.list", "searchTheme.suggest"],
    );
  });

  it("allows more time when a language model writes or the ad platform publishes", () => {
    assert.deepEqual(
      where(({ minTimeoutSeconds }) => minTimeoutSeconds === 60),
      ["run.analyze", "searchTheme.suggest", "tracking.bootstrap"],
    );
  });

  it("marks the operations that carry the users' records, tests and connections", () => {
    assert.deepEqual(
      where(({ carriesRecords }) => carriesRecords === true),
      where(
        ({ endpoint }) =>
          endpoint.includes("/entities/") ||
          endpoint.includes("/connection-config/") ||
          (endpoint.includes("/flows") && !endpoint.startsWith("DELETE")),
      ),
    );
  });

  it("recognizes its own ids and no inherited property names", () => {
    for (const [id] of table) assert.ok(isOperationId(id));
    for (const text of ["", "webhook", "webhook.created", "toString", "constructor", "__proto__"])
      assert.ok(!isOperationId(text), text);
  });

  it("finds the parameters of an endpoint in order", () => {
    assert.deepEqual(parameterNames("GET /b/{b}/a/{a}"), ["b", "a"]);
    assert.deepEqual(parameterNames("GET /"), []);
  });
});
