import assert from "node:assert/strict";
import { type Connection, EndpointMap, segmentProblem } from "../../provider/service/endpoints";
import { ProviderError } from "../../provider/service/errors";
import { type OperationId, operations } from "../../provider/service/operations";
import { accessToken, connectionTo } from "./support/client";

const baseUrl = "https://service.example.com";

function mapOf(more: Partial<Connection> = {}): EndpointMap {
  return new EndpointMap(connectionTo(baseUrl, more));
}

const ids = Object.keys(operations) as OperationId[];

describe("A path", () => {
  it("comes from the operation, with each id in its place", () => {
    const target = mapOf().target("folderItem.remove", { folder_id: "folder-1", app_id: "app-2" });
    assert.deepEqual(target, { method: "DELETE", path: "/api/app-folders/folder-1/items/app-2" });
  });

  for (const [value, problem] of [
    ["", /must not be empty/],
    [".", /must not be "\.", which would name another path/],
    ["..", /must not be "\.\.", which would name another path/],
    ["a\ud800", /well-formed Unicode/],
    ["\udc00", /well-formed Unicode/],
  ] as const)
    it(`is refused for the id ${JSON.stringify(value)}`, () => {
      assert.match(segmentProblem(value) ?? "", problem);
    });

  it("is refused when a parameter is missing", () => {
    assert.throws(
      () => mapOf().target("webhook.get", { agent_id: "agent" }),
      /^ProviderError: webhook_id must not be empty/,
    );
  });
});

describe("The endpoints of a deployment", () => {
  it("are those of the table unless a setting changes them", () => {
    for (const id of ids) assert.equal(mapOf().endpoint(id), operations[id].endpoint);
  });

  it("can be changed by `endpoints`, in method and path", () => {
    const map = mapOf({ endpoints: { "webhook.get": "POST /v2/{webhook_id}/of/{agent_id}" } });
    const target = map.target("webhook.get", { agent_id: "a/1", webhook_id: "w" });
    assert.deepEqual(target, { method: "POST", path: "/v2/w/of/a%2F1" });
  });

  it('exclude an operation that is set to "none", with how to set it', () => {
    const map = mapOf({ endpoints: { "webhook.update": "none" } });
    assert.equal(map.endpoint("webhook.update"), undefined);
    assert.throws(
      () => map.target("webhook.update", { agent_id: "a", webhook_id: "w" }),
      (error) =>
        error instanceof ProviderError &&
        error.message.startsWith(
          'webhook.update is set to "none" in workspace-apps:endpoints. [WA1004]\n  - Set the path ',
        ) &&
        error.message.includes("WORKSPACE_APPS_ENDPOINTS") &&
        error.message.includes(`{"webhook.update": "${operations["webhook.update"].endpoint}"}`),
    );
  });

  it("with documentedOnly are the documented ones and those that are set", () => {
    const set = "GET /own/{agent_id}" as const;
    const map = mapOf({ documentedOnly: true, endpoints: { "webhook.list": set, "campaign.launch": "none" } });
    for (const id of ids) {
      const expected = operations[id].documented ? operations[id].endpoint : undefined;
      const changed: Partial<Record<OperationId, string | undefined>> = {
        "webhook.list": set,
        "campaign.launch": undefined,
      };
      assert.equal(map.endpoint(id), id in changed ? changed[id] : expected, id);
    }
    assert.throws(
      () => map.target("webhook.create", { agent_id: "a" }),
      /webhook\.create is not called: workspace-apps:documentedOnly is true .*\n {2}- Set the path .* in workspace-apps:endpoints/,
    );
  });

  it("are certain only when the specification shows them", () => {
    const map = mapOf({ endpoints: { "webhook.update": "PATCH /own/{agent_id}/{webhook_id}" } });
    assert.deepEqual(map.doubt("folderItem.remove"), { known: [], next: [] });
    assert.ok(map.isAsDocumented("folderItem.remove"));
    assert.deepEqual(map.doubt("webhook.get"), {
      known: ["The path of webhook.get is assumed: the specification does not show it."],
      next: [
        'If your service has another path, set it in workspace-apps:endpoints (or WORKSPACE_APPS_ENDPOINTS): {"webhook.get": "GET /your/path/{agent_id}/{webhook_id}"}.',
        'Or set it to "none": webhooks are then read through the documented webhook.update.',
      ],
    });
    assert.ok(!map.isAsDocumented("webhook.get"));
    assert.match(
      map.doubt("webhook.update").known.join(),
      /^The path of webhook\.update is set in workspace-apps:endp/,
    );
    assert.ok(!map.isAsDocumented("webhook.update"));
  });
});

describe("readBy, which the state keeps of a read", () => {
  const readBy = mapOf().readBy("webhook.get");
  const isEvidence = (settings = {}) => mapOf(settings).isEvidence("webhook.get", readBy);

  it("is short, and evidence for the same service, endpoint and credential", () => {
    assert.match(readBy, /^[0-9a-f]{8}(\.[0-9a-f]{4}){3}$/);
    assert.ok(isEvidence());
    assert.ok(isEvidence({ endpoints: { "webhook.get": operations["webhook.get"].endpoint } }));
    assert.equal(mapOf().readBy("webhook.get", readBy), readBy);
  });

  it("is no evidence for another service, endpoint or credential", () => {
    const elsewhere = new EndpointMap(connectionTo("https://other.example.com"));
    assert.ok(!elsewhere.isEvidence("webhook.get", readBy));
    assert.ok(!elsewhere.isOfThisService(readBy));
    assert.ok(!mapOf().isEvidence("webhook.list", readBy));
    assert.ok(!isEvidence({ endpoints: { "webhook.get": "GET /v2/{agent_id}/{webhook_id}" } }));
    const other = mapOf({ accessToken: `other-${accessToken}` });
    assert.ok(!other.isEvidence("webhook.get", readBy));
    assert.ok(!other.isOfThisCredential("webhook.get", readBy));
    assert.ok(other.isOfThisService(readBy));
    assert.notEqual(other.readBy("webhook.get", readBy), readBy);
  });

  it("is about the credential that the operation sends", () => {
    assert.ok(isEvidence({ apiKey: "key" }));
    const ofRecord = mapOf().readBy("record.get");
    assert.ok(!mapOf({ apiKey: "key" }).isEvidence("record.get", ofRecord));
  });

  it("is salted, so that equal credentials cannot be recognized", () => {
    const parts = [readBy, mapOf().readBy("webhook.get")].map((one) => one.split("."));
    assert.notEqual(parts[0]?.[3], parts[1]?.[3]);
  });
});
