import assert from "node:assert/strict";
import { type Credential, type OperationId, readOnlyOperations } from "../../simulator";
import { isRead, operations } from "../../provider/service/operations";
import { apiKey, bearer, campaignBody, type Headers, onSimulator, send, webhookBody } from "./support";

const credentials: Credential[] = [
  { value: "full-access-token", kind: "personal-token" },
  { value: "other-workspace-token", kind: "personal-token", workspace: "other" },
  { value: "key", kind: "api-key" },
  { value: "workspace-key", kind: "workspace-key" },
  { value: "read-only", kind: "personal-token", permission: "read_only" },
  { value: "viewer", kind: "personal-token", role: "viewer" },
  { value: "limited", kind: "personal-token", apps: ["elsewhere"] },
];

/** Who calls each operation, beside a full-access token, which every operation accepts. */
const callers: Headers[] = [
  apiKey("key"),
  bearer("workspace-key"),
  apiKey("workspace-key"),
  bearer("read-only"),
  bearer("viewer"),
  bearer("limited"),
];

const unknown: Headers[] = [
  {},
  { authorization: "x" },
  bearer("nobody"),
  apiKey("nobody"),
  bearer("key"),
  apiKey("full-access-token"),
];

/** The status that each of the callers gets. */
const access: [title: string, statuses: number[], ids: OperationId[]][] = [
  [
    "that are not an editor's full-access token are refused by webhook operations and test deletion",
    [401, 403, 403, 403, 403, 404],
    ["webhook.create", "webhook.list", "webhook.get", "webhook.update", "webhook.delete", "test.delete"],
  ],
  [
    "of editors may change campaigns, an API key and a workspace key too",
    [200, 200, 200, 403, 403, 404],
    ["campaign.launch", "campaign.pause", "campaign.resume", "tracking.bootstrap"],
  ],
  [
    "of a workspace are refused by campaign deletion, in both forms, and an API key is accepted",
    [200, 403, 403, 403, 403, 404],
    ["campaign.delete"],
  ],
  [
    "of editors may change folders, tests, findings and coding sessions, a workspace key too, and an API key may not",
    [401, 200, 401, 403, 403, 404],
    [
      ...(["folderItem.add", "folderItem.remove", "test.create", "test.update"] as const),
      ...(["finding.ignore", "finding.restore", "codingSession.launch"] as const),
    ],
  ],
  [
    "of viewers may write what the rules of an entity allow, and have a run explained, and read-only ones may not",
    [200, 200, 200, 403, 200, 404],
    ["record.create", "record.update", "record.delete", "run.analyze"],
  ],
  [
    "of every form may read what the specification lists for the API key",
    [200, 200, 200, 200, 200, 404],
    [
      ...(["campaign.list", "campaign.readiness", "record.get", "record.list", "userStats.get"] as const),
      ...(["geoTarget.search", "searchTheme.suggest", "searchTerm.report"] as const),
    ],
  ],
  [
    "without access to the app get 403 where a 404 is not possible",
    [200, 200, 200, 200, 200, 403],
    ["asset.list", "scan.get"],
  ],
  [
    "in the api_key form are refused by reads for which the specification lists only the token",
    [401, 200, 401, 200, 200, 404],
    ["test.list", "test.get", "codingSession.get", "connector.fields"],
  ],
  [
    "with access to any app may read members and shared folders",
    [401, 200, 401, 200, 200, 200],
    ["member.list", "folderItem.list"],
  ],
];

const bodies: Partial<Record<OperationId, unknown>> = {
  "webhook.create": webhookBody,
  "campaign.launch": { campaign: campaignBody },
  "folderItem.add": { app_id: "a" },
  "finding.ignore": { fingerprint: "g" },
  "codingSession.launch": { prompt: "p", title: "t" },
};

/** The ids in the paths. */
const ids: Record<string, string> = {
  ...{ agent_id: "a", app_id: "a", webhook_id: "w", campaign_id: "c", entity_name: "Task", entity_id: "r" },
  ...{ flow_id: "t", session_id: "s", folder_id: "f", fingerprint: "p", integration_type: "crm" },
  ...{ workflow_id: "wf", run_id: "run" },
};

describe("The simulator's credentials", () => {
  const { simulator, clock, restart, get } = onSimulator({ credentials });
  beforeEach(() => {
    const { objects } = simulator;
    objects.putWebhook("a", { id: "w" });
    objects.putCampaign("a", { id: "c" });
    objects.putRecord("a", "Task", { id: "r" });
    objects.putTest("a", { id: "t" });
    objects.putCodingSession("a", { id: "s" });
    objects.addFolderItem("f", "a");
    objects.setScan("a", { ignored_fingerprints: ["p"] });
    objects.putAdvertisingAccount("a");
    objects.putWorkflowRun("a", "wf", "run");
  });

  const call = async (id: OperationId, headers: Headers) => {
    const [method = "", path = ""] = operations[id].endpoint.split(" ");
    const body = method === "GET" || method === "DELETE" ? undefined : (bodies[id] ?? {});
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? assert.fail(name));
    return await send(simulator, method, address, { body, headers: { "idempotency-key": "k", ...headers } });
  };
  const agentPath = "/api/agents/a/webhooks";

  for (const [title, statuses, calledIds] of access)
    it(title, async () => {
      const before = simulator.objects.all();
      for (const id of calledIds) {
        const found: number[] = [];
        for (const headers of [...callers, ...unknown, bearer("full-access-token")]) {
          clock.advance(30_000);
          const { status, json } = await call(id, headers);
          found.push(status);
          if (status === 200) simulator.objects.replaceAll(before);
          else assert.deepEqual(simulator.objects.all(), before, `${id} changes nothing`);
          if (headers["authorization"] === "Bearer read-only" && status !== 200)
            assert.equal(json.code, "read_only_credential_route_not_allowed");
        }
        assert.deepEqual(found, [...statuses, ...unknown.map(() => 401), 200], id);
      }
    });

  it("are checked by every operation, and a read-only one only reads", () => {
    assert.deepEqual(access.flatMap(([, , ids]) => ids).toSorted(), Object.keys(operations).toSorted());
    const forReadOnly = access.flatMap(([, [, , , status], ids]) => (status === 200 ? ids : []));
    assert.deepEqual(forReadOnly.toSorted(), readOnlyOperations.toSorted());
    assert.ok(forReadOnly.every((id) => isRead(id) && !id.startsWith("webhook.")));
  });

  it("that are read-only can call other operations if the simulator is told so", async () => {
    await restart({ credentials, readOnlyOperations: ["scan.get"] });
    assert.equal((await call("scan.get", bearer("read-only"))).status, 200);
    assert.equal((await call("folderItem.list", bearer("read-only"))).status, 403);
  });

  it("limited to some apps can access those", async () => {
    const own = await get("/api/agents/elsewhere/webhooks", bearer("limited"));
    assert.equal(own.status, 200);
    assert.equal((await get("/api/apps/a/ads-platform/assets?campaign_id=c", bearer("limited"))).status, 404);
  });

  it("of another workspace reach what that one holds, and nothing of this one", async () => {
    simulator.workspace("other").putWebhook("a", { id: "there" });
    const idsOf = async (token: string) => (await get(agentPath, bearer(token))).json.webhooks.map(({ id }) => id);
    assert.deepEqual([await idsOf("full-access-token"), await idsOf("other-workspace-token")], [["w"], ["there"]]);
    const { text } = await get("/__simulator/objects?workspace=other", {});
    assert.match(text, /"there"/);
    assert.doesNotMatch(text, /"w"/);
    simulator.reset();
    assert.deepEqual(simulator.workspace("other").webhooks("a"), []);
  });

  it("are logged only by their form", async () => {
    for (const headers of [bearer("full-access-token"), apiKey("key"), {}]) await get(agentPath, headers);
    assert.deepEqual(
      simulator.requests.map((entry) => entry.credential),
      ["bearer", "api_key", "none"],
    );
    assert.doesNotMatch(JSON.stringify(simulator.requests), /full-access-token|"key"/);
  });
});
