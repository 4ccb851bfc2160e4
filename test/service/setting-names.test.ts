import assert from "node:assert/strict";
import { nextStep } from "../../provider/service/advice";
import { checkService } from "../../provider/service/errors";
import { type OperationId, operations } from "../../provider/service/operations";
import { checkBaseUrl, endpointsSetting } from "../../provider/service/setting-names";
import { inWordsOfProvider, settingKeys } from "../../provider/settings";

describe("A message in the words of a Provider", () => {
  it("names its arguments", () => {
    assert.equal(inWordsOfProvider(checkBaseUrl), "Check the Provider's baseUrl.");
    assert.equal(
      inWordsOfProvider(`Set the path in ${endpointsSetting}: {}.`),
      "Set the path in the Provider's endpoints: {}.",
    );
    assert.equal(
      inWordsOfProvider("in workspace-apps:accessToken or WORKSPACE_APPS_ACCESS_TOKEN."),
      "in the Provider's accessToken.",
    );
  });

  it("names every setting as its argument", () => {
    for (const key of settingKeys)
      assert.equal(inWordsOfProvider(`See workspace-apps:${key}.`), `See the Provider's ${key}.`);
  });

  for (const [what, text] of Object.entries({
    types: "workspace-apps:index:Webhook of urn:pulumi:dev::shop::pulumi-nodejs:dynamic/workspace-apps:Webhook::hook",
    "short types": "workspace-apps:Webhook, dynamic/workspace-apps:Webhook, workspace-apps:index/webhook:Webhook",
    "values of the program": 'the key workspace-apps:release-42, the campaign "workspace-apps:baseUrl-spring"',
    "the service's words": "The service said: no scope workspace-apps:write",
  }))
    it(`leaves ${what} as they are`, () => {
      assert.equal(inWordsOfProvider(text), text);
    });

  it("names no setting of the stack, whatever the advice", () => {
    const statuses = [undefined, 200, 301, 400, 401, 402, 403, 404, 405, 409, 422, 429, 500];
    const codes = [undefined, "read_only_credential_route_not_allowed", "folder_not_found"] as const;
    const advice = (Object.keys(operations) as OperationId[]).flatMap((operation) =>
      statuses.flatMap((status) =>
        codes.flatMap((serviceCode) =>
          (["accessToken", "apiKey"] as const).flatMap((credential) =>
            (["not-sent", "refused"] as const).flatMap((certainty) =>
              [true, false].map((foreign) =>
                nextStep({ operation, status, serviceCode, credential, certainty, foreign, isTooLarge: false }),
              ),
            ),
          ),
        ),
      ),
    );
    const texts = [...new Set([...advice, checkService].filter((text) => text !== undefined))];
    assert.ok(texts.length > 15);
    for (const text of texts) assert.doesNotMatch(inWordsOfProvider(text), /workspace-apps:|WORKSPACE_APPS_/);
  });
});
