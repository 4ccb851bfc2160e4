import assert from "node:assert/strict";
import { startSimulator } from "../../simulator";
import { assertDone, assertFailed } from "../../tools/harness/engine";
import { declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

/* Another token or base URL proves nothing about the objects of a stack. */

const program = (options = "{}"): string => `
  const apps = require("pulumi-workspace-apps");
  const options = ${options};
  const webhook = { targetUrl: "https://hooks.example.com/", events: ["message.created"] };
  new apps.Webhook("switched", { ...webhook, agentId: "agent-2", deletionPolicy: "disable" }, options);
  new apps.Webhook("hook", { ...webhook, agentId: "agent-1" }, options);
  new apps.AdCampaign("campaign", ${JSON.stringify(declaredCampaign)}, options);
  new apps.FolderMembership("membership", { folderId: "folder-1", appId: "app-1" }, options);
  new apps.EntityRecord("record", { appId: "app-1", entityName: "Task", fields: { title: "one" } }, options);
  new apps.TestFlow("flow", { appId: "app-1", definition: { name: "one" } }, options);
  new apps.IgnoredFinding("finding", { appId: "app-1", fingerprint: "one" }, options);`;

describe("Another workspace", () => {
  const { simulator, project } = onSimulator();

  it("is refused at preview as another base URL, and proves nothing as another token: nothing is forgotten, deleted, disabled or created", async () => {
    const stack = await project(program(), { environment: { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" } });
    const withToken = (token: string): void => {
      stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = token;
    };
    assertDone(await stack.up());
    const held = simulator.objects.all();
    newRequests(simulator);

    const there = await startSimulator();
    try {
      const args = JSON.stringify({ baseUrl: there.url, accessToken: "full-access-token" });
      await stack.write(program(`{ provider: new apps.Provider("there", ${args}) }`));
      assertFailed(await stack.preview(), /was created or last read at another base URL\. No request was sent/);
      assert.deepEqual([newRequests(simulator), newRequests(there)], [[], []]);
    } finally {
      await there.close();
    }

    await stack.write(program());
    withToken("other-workspace-token");
    for (const command of [() => stack.refresh(), () => stack.destroy("--continue-on-error")]) {
      const run = await command();
      assertFailed(run, /the token has changed since/);
      for (const object of ["webhook wh_", "Task record rec_", "membership of app app-1", "ignored finding one"])
        assert.match(run.output, new RegExp(`${object}.*was not found\\. This proves nothing`));
      assert.match(
        run.output,
        /test flow_1 of app app-1 (was not found\. This proves nothing|still exists, so it stays)/,
      );
      assert.match(
        run.output,
        /MONEY MAY BE MOVING|is not in the campaign list\. Its absence does not prove that it was deleted/,
      );
      assert.deepEqual(simulator.objects.all(), held);
    }
    assert.deepEqual(simulator.workspace("other").all().campaigns, {});

    withToken("full-access-token");
    assertDone(await stack.refresh());
    assertDone(await stack.destroy());
    assert.deepEqual(simulator.objects.webhooks("agent-1"), []);
    assert.notEqual(simulator.objects.webhooks("agent-2")[0]?.disabled_at, null);
  });
});
