import assert from "node:assert/strict";
import { codeOf, nextStep } from "../../provider/service/advice";
import { certaintyOf } from "../../provider/service/errors";
import type { MessageCode } from "../../provider/service/message-codes";
import { type OperationId, operations } from "../../provider/service/operations";
import { serviceCodeIn, type KnownCode } from "../../provider/service/error-text";

const step = (operation: OperationId, status: number, code: KnownCode | undefined): string | undefined =>
  nextStep({ operation, certainty: certaintyOf(status), status, serviceCode: code });

describe("The advice in an error", () => {
  const ids = Object.keys(operations) as OperationId[];

  it("after a refused read-only token is to use one with full access, for every operation", () => {
    const code = serviceCodeIn(JSON.stringify({ error: { code: "read_only_credential_route_not_allowed" } }));
    for (const id of ids) {
      const said = step(id, 403, code) ?? "";
      assert.match(
        said,
        /read-only\. Use one with full access, in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN/,
      );
    }
  });

  it("after a refused API key is to remove it, because keys are being switched off (Authentication, rule 7)", () => {
    for (const [operation, status] of [
      ["record.update", 401],
      ["scan.get", 401],
      ["scan.get", 403],
    ] as const)
      assert.match(
        nextStep({ operation, certainty: "refused", status, credential: "apiKey" }) ?? "",
        /being switched off: remove workspace-apps:apiKey .*and the token is sent instead/,
      );
  });

  it("is given after 401, 402, 403 and 404 of every operation", () => {
    for (const id of ids) {
      assert.match(step(id, 401, undefined) ?? "", /Set workspace-apps:accessToken \(or WORKSPACE_APPS_ACCESS_TOKEN\)/);
      assert.match(step(id, 402, undefined) ?? "", /higher plan tier/);
      assert.match(step(id, 403, undefined) ?? "", /editor/);
      assert.match(step(id, 404, undefined) ?? "", /Check .*the token's scope and workspace-apps:baseUrl/);
    }
  });

  it("after a 403 of a webhook names who may change it (Authentication, rule 4)", () => {
    assert.match(
      step("webhook.update", 403, undefined) ?? "",
      /editor of the agent\. Viewers, read-only keys and workspace keys are refused/,
    );
  });

  it("after a 404 to a change is to check the token, then to preview a refresh, which may forget live objects", () => {
    for (const id of ids) {
      const said = step(id, 404, undefined) ?? "";
      assert.doesNotMatch(said, /pulumi refresh(?! --preview-only)/);
      if (said.includes("refresh")) assert.match(said, /^Check the token's scope .* If the token is right .*refresh/);
    }
    for (const id of ["webhook.update", "record.update", "test.delete"] as const)
      assert.match(step(id, 404, undefined) ?? "", /`pulumi refresh --preview-only` shows what a refresh would remove/);
  });

  it("after a 404 of a folder item mentions the token's apps", () => {
    assert.match(step("folderItem.remove", 404, undefined) ?? "", /limited to other apps/);
  });

  it("after folder_not_found mentions other users' personal folders", () => {
    const code = serviceCodeIn('{"code":"folder_not_found"}');
    assert.match(step("folderItem.remove", 404, code) ?? "", /another user's personal folder/);
  });

  it("after a 400 is the reason from the specification, if it has one", () => {
    assert.match(step("webhook.update", 400, undefined) ?? "", /not an agent/);
    assert.equal(step("campaign.launch", 400, undefined), undefined);
    assert.match(step("run.analyze", 400, undefined) ?? "", /status is not "failed"/);
    assert.match(step("searchTerm.report", 400, undefined) ?? "", /only one of the two dates/);
  });

  it("is omitted for a status that says too little", () => {
    assert.equal(step("webhook.update", 422, undefined), undefined);
  });

  it("after a 409 is to fix the reported problem, unless the caller has more specific advice", () => {
    assert.match(step("finding.ignore", 409, undefined) ?? "", /fix the reported problem/);
    for (const id of ["campaign.launch", "campaign.delete", "webhook.create", "codingSession.launch"] as const)
      assert.equal(step(id, 409, undefined), undefined);
  });

  it("after a 403 of a record names the entity's rules first, and then what the credential may lack", () => {
    for (const operation of ids.filter((id) => id.startsWith("record."))) {
      const said = (credential: "accessToken" | "apiKey"): string =>
        nextStep({ operation, certainty: "refused", status: 403, credential }) ?? "";
      const rulesFirst =
        /^A row or field rule of the entity may refuse this\. .* If no rule does, the (token|API key) may/;
      assert.match(said("accessToken"), rulesFirst);
      assert.doesNotMatch(said("accessToken"), /apiKey/);
      assert.match(said("apiKey"), rulesFirst);
      assert.match(said("apiKey"), /switched off\. Without workspace-apps:apiKey .*the rules then judge its owner\.$/);
    }
    assert.match(step("test.delete", 403, undefined) ?? "", /^Use a personal token .* not a workspace key\.$/);
  });

  it("ignores a code that the specification does not name", () => {
    assert.equal(serviceCodeIn('{"code":"something_else"}'), undefined);
  });

  it("after a redirect, a server error and an unreadable response is where to look", () => {
    assert.match(step("webhook.get", 307, undefined) ?? "", /Redirects are not followed/);
    assert.match(step("webhook.get", 503, undefined) ?? "", /Run the command again later/);
    assert.match(step("webhook.get", 200, undefined) ?? "", /not to a proxy or a sign-in page/);
  });

  it("after a 404 or 405 that is not JSON is to check the base URL, which may be wrong", () => {
    for (const status of [404, 405])
      for (const operation of ["webhook.update", "folderItem.remove", "campaign.delete"] as const)
        assert.match(
          nextStep({ operation, certainty: "refused", status, foreign: true }) ?? "",
          /not JSON, so it is not the service's\. Check that workspace-apps:baseUrl \(or WORKSPACE_APPS_BASE_URL\) points to/,
        );
  });

  it("after a failed connection is to check the address", () => {
    assert.match(nextStep({ operation: "webhook.get", certainty: "not-sent" }) ?? "", /WORKSPACE_APPS_BASE_URL/);
  });
});

describe("The code of a failed call", () => {
  const failed = { operation: "webhook.update", certainty: "refused", hasDoubtfulPath: false } as const;
  const readOnly = "read_only_credential_route_not_allowed";
  const cases: readonly (readonly [string, Partial<Parameters<typeof codeOf>[0]>, MessageCode])[] = [
    ["no byte was sent", { certainty: "not-sent" }, "WA1512"],
    ["no response came", { certainty: "uncertain" }, "WA1511"],
    ["the response is too large", { certainty: "uncertain", status: 200, isTooLarge: true }, "WA1514"],
    ["the response cannot be read", { certainty: "uncertain", status: 200 }, "WA1513"],
    ["a redirect", { certainty: "uncertain", status: 302 }, "WA1515"],
    ["a token that is refused", { status: 401 }, "WA1501"],
    ["an API key that is refused", { status: 401, credential: "apiKey" }, "WA1501"],
    ["a plan that is too small", { status: 402 }, "WA1502"],
    ["a credential that may not do it", { status: 403 }, "WA1503"],
    ["a read-only token", { status: 403, serviceCode: readOnly }, "WA1504"],
    ["a 404 of a documented path", { status: 404 }, "WA1505"],
    ["a folder that is not shown", { status: 404, serviceCode: "folder_not_found", hasDoubtfulPath: true }, "WA1505"],
    ["a 404 of an assumed path", { status: 404, hasDoubtfulPath: true }, "WA1506"],
    ["a 405", { status: 405 }, "WA1506"],
    ["a 404 of another server", { status: 404, foreign: true, hasDoubtfulPath: true }, "WA1513"],
    ["a refusal with 400", { status: 400 }, "WA1507"],
    ["a refusal with 422", { status: 422 }, "WA1507"],
    ["a conflict", { certainty: "uncertain", status: 409 }, "WA1508"],
    ["the rate limit", { certainty: "limited", status: 429 }, "WA1509"],
    ["a failure of the service", { certainty: "uncertain", status: 503 }, "WA1510"],
  ];
  for (const [what, given, code] of cases)
    it(`is ${code} for ${what}`, () => {
      assert.equal(codeOf({ ...failed, ...given }), code);
    });
});
