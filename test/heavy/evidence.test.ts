import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator";
import { assertDone, assertFailed, PulumiProject } from "../../tools/harness/engine";
import { allForms } from "../../tools/harness/form";
import { declared as declaredCampaign } from "../support/campaigns";
import { onSimulator } from "../support/on-simulator";
import { newRequests } from "../support/requests";

/* Another token or base URL proves nothing about the objects of a stack. */

const resources = (options = ""): string => `
  new apps.Webhook("switched", { agentId: "agent-2", targetUrl: "https://hooks.example.com/", events: ["message.created"],
    deletionPolicy: "disable" }${options});
  new apps.Webhook("hook", { agentId: "agent-1", targetUrl: "https://hooks.example.com/", events: ["message.created"] }${options});
  new apps.AdCampaign("campaign", ${JSON.stringify(declaredCampaign)}${options});
  new apps.FolderMembership("membership", { folderId: "folder-1", appId: "app-1" }${options});
  new apps.EntityRecord("record", { appId: "app-1", entityName: "Task", fields: { title: "one" } }${options});
  new apps.TestFlow("flow", { appId: "app-1", definition: { name: "one" } }${options});
  new apps.IgnoredFinding("finding", { appId: "app-1", fingerprint: "one" }${options});`;

/** No watch of the campaign list. */
const environment = { WORKSPACE_APPS_LAUNCH_SETTLE_SECONDS: "0" };

const program = (body: string): string => `const apps = require("pulumi-workspace-apps");${body}`;

for (const form of allForms)
  describe(`In the ${form} form, after a change of the token`, () => {
    const { simulator, project } = onSimulator();

    it("no command forgets, deletes, disables or creates again what the new token does not show", async () => {
      const stack = await project(program(resources()), { form, environment });
      assertDone(await stack.up());
      const held = simulator.objects.all();
      newRequests(simulator);
      const withToken = (token: string): void => {
        stack.environment["WORKSPACE_APPS_ACCESS_TOKEN"] = token;
      };
      withToken("other-workspace-token");
      for (const command of [() => stack.refresh(), () => stack.destroy("--continue-on-error")]) {
        const run = await command();
        assertFailed(run, /the token has changed since/);
        for (const object of ["webhook wh_", "Task record rec_", "membership of app app-1", "ignored finding one"])
          assert.match(run.output, new RegExp(`${object}.*was not found\\. That proves nothing`));
        assert.match(
          run.output,
          /test flow_1 of app app-1 (was not found\. That proves nothing|still exists, so it stays)/,
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

for (const form of allForms)
  describe(`In the ${form} form, a changed Provider`, () => {
    let [here, there]: [Simulator?, Simulator?] = [];
    before(async () => {
      [here, there] = [await startSimulator(), await startSimulator()];
    });
    after(() => Promise.all([here?.close(), there?.close()]));

    const using = (name: "a" | "b", token = "full-access-token"): string =>
      program(`
        const a = new apps.Provider("a", { baseUrl: "${here?.url ?? ""}", accessToken: "${token}" });
        const b = new apps.Provider("b", { baseUrl: "${there?.url ?? ""}", accessToken: "full-access-token" });
        ${resources(`, { provider: ${name} }`)}`);

    it("with another base URL is refused at preview, and no request is sent", async () => {
      assert.ok(here !== undefined && there !== undefined);
      const stack = await PulumiProject.create({ program: using("a"), baseUrl: here.url, form, environment });
      assertDone(await stack.up());
      newRequests(here);
      await stack.write(using("b"));
      assertFailed(await stack.preview(), /was created or last read at another base URL\. No request was sent/);
      assert.deepEqual([newRequests(here), newRequests(there)], [[], []]);
      // The same workspace with another token that does not show it: no command counts it as gone.
      await stack.write(using("a", "other-workspace-token"));
      assertDone(await stack.up());
      assertFailed(await stack.refresh(), /the token has changed since/);
      assert.equal(here.objects.campaigns("app-1").filter(({ status }) => status === "ENABLED").length, 1);
    });
  });
